"""What each of the removed `sharegpt` loaders read, and how that is read today."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from cfglint.diagnostic import Diagnostic
from tests.draws import each
from tests.linting import fix, lint

CODE = "DAT101"
VICUNA = "Vicuna's"


def written(*lines: str, top: str = "") -> str:
    entry = "".join(f"    {line}\n" for line in lines)
    return f"base_model: a/b\n{top}datasets:\n  - path: data/chats.jsonl\n{entry}"


def found(text: str) -> Diagnostic:
    (one,) = lint(text, select=(CODE,))
    return one


def entry_of(text: str) -> dict[str, Any]:
    """The dataset as PyYAML reads it from the fixed text, but for Vicuna's template."""
    config = yaml.safe_load(fix(text, select=(CODE,), unsafe=True))
    entry = {key: value for key, value in config["datasets"][0].items() if key != "path"}
    if entry.get("chat_template") == "jinja":
        assert "USER: " in entry.pop("chat_template_jinja")
        entry["chat_template"] = VICUNA
    return entry


def chat(messages: str, role: str, content: str, **more: Any) -> dict[str, Any]:
    keys = {"role": role, "content": content}
    return {
        "type": "chat_template",
        "chat_template": VICUNA,
        "field_messages": messages,
        "message_property_mappings": keys,
        **more,
    }


@each(
    ("kind", "expected"),
    [
        ("sharegpt", chat("conversations", "from", "value")),
        ("sharegpt.load", chat("conversations", "from", "value")),
        ("sharegpt.load_role", chat("conversations", "role", "value")),
        (
            "sharegpt.load_guanaco",
            chat(
                "conversations",
                "role",
                "text",
                roles={"user": ["prompter"], "assistant": ["assistant"]},
            ),
        ),
        ("sharegpt.load_ultrachat", chat("messages", "role", "content")),
    ],
)
def test_loaders(kind: str, expected: dict[str, Any]) -> None:
    assert entry_of(written(f"type: {kind}")) == expected


def test_a_loader_without_a_counterpart_is_not_fixed() -> None:
    one = found(written("type: sharegpt.load_glaive"))
    assert not one.fixes
    assert "no counterpart" in one.message


def test_only_the_first_loader_took_a_column_and_found_the_keys() -> None:
    own = written("type: sharegpt", "field_messages: talk")
    assert entry_of(own) == chat("talk", "from", "value")
    assert "where the data have" in found(own).message
    chats = written("type: sharegpt", "field_messages: messages")
    assert entry_of(chats) == chat("messages", "role", "content")
    role = written("type: sharegpt.load_role", "field_messages: talk")
    assert entry_of(role) == chat("conversations", "role", "value")
    assert "where the data have" not in found(role).message


def test_the_format_of_the_conversation_becomes_the_template() -> None:
    text = written("type: sharegpt", "conversation: chatml")
    (note,) = found(text).related
    assert note.note == "becomes `chat_template: chatml`"
    assert entry_of(text) == chat("conversations", "from", "value", chat_template="chatml")
    # The file says so already,
    same = written("type: sharegpt", "conversation: chatml", top="chat_template: chatml\n")
    assert "chat_template" not in entry_of(same)
    # or something else.
    other = written("type: sharegpt", "conversation: llama3", top="chat_template: chatml\n")
    assert entry_of(other) == chat("conversations", "from", "value", chat_template="llama3")
    own = written("type: sharegpt", "conversation: llama3", "chat_template: chatml")
    assert entry_of(own) == chat("conversations", "from", "value", chat_template="chatml")


def test_the_format_that_was_in_force_is_written_out() -> None:
    text = written("type: sharegpt", "conversation: vicuna_v1.1")
    assert "written out" in found(text).related[0].note
    assert entry_of(text) == chat("conversations", "from", "value")
    chosen = written("type: sharegpt", top="chat_template: chatml\n")
    assert "chat_template" not in entry_of(chosen)
    (repair,) = found(chosen).fixes
    assert "wrote Vicuna's format" in repair.look_at


def test_a_format_without_a_template_is_reported() -> None:
    text = written("type: sharegpt", "conversation: zephyr")
    assert "no longer read" in found(text).related[0].note
    assert {"conversation", "chat_template"}.isdisjoint(entry_of(text))
    assert "no template like fastchat's `zephyr`" in found(text).fixes[0].look_at
    chosen = written("type: sharegpt", "conversation: zephyr", top="chat_template: chatml\n")
    assert "now `chat_template: chatml` counts" in found(chosen).fixes[0].look_at


@pytest.mark.parametrize(
    ("top", "system"),
    [
        ("", "You are a helpful assistant."),
        ("default_system_message: Be brief.\n", "You are a helpful assistant."),
        ("chat_template: chatml\ndefault_system_message: Be brief.\n", "Be brief."),
    ],
)
def test_the_system_message_that_gets_lost_is_named(top: str, system: str) -> None:
    (repair,) = found(written("type: sharegpt", "conversation: chatml", top=top)).fixes
    assert f"`{system}`" in repair.look_at
    assert repair.safety == "unsafe"


@pytest.mark.parametrize(
    ("line", "roles"),
    [
        ("field_human: prompter", {"user": ["prompter"], "assistant": ["gpt", "assistant"]}),
        ("field_model: bot", {"user": ["human", "user"], "assistant": ["bot"]}),
        ("roles: {output: [bot]}", {"user": ["human", "user"], "assistant": ["bot"]}),
    ],
)
def test_roles_of_its_own_are_carried_over(line: str, roles: dict[str, list[str]]) -> None:
    text = written("type: sharegpt", line)
    assert "roles" in found(text).related[-1].note
    assert entry_of(text) == chat("conversations", "from", "value", roles=roles)


def test_unknown_roles_need_a_person() -> None:
    assert not found(written("type: sharegpt", "roles: {narrator: [bot]}")).fixes


def test_other_places_and_types() -> None:
    aliased = "x: &d {path: a, type: sharegpt}\nbase_model: a/b\ndatasets: [*d]\n"
    assert found(aliased).path == ("datasets", 0, "type")
    for text in (
        "base_model: a/b\ndatasets:\n  - sharegpt\n  - type: {field: sharegpt}\n  - type:\n",
        "base_model: a/b\ndatasets: {type: sharegpt}\n",
        written("type: chat_template.sharegpt"),
    ):
        assert not lint(text, select=(CODE,))
