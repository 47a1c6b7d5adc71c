"""The variants of `sharegpt` that are compared: how the config says it, and the rows it reads."""

from __future__ import annotations

from typing import Any, NamedTuple

Row = dict[str, Any]


class Variant(NamedTuple):
    """A way to read ShareGPT data with an old release."""

    name: str
    #: The entry below `datasets`, without `path`.
    dataset: dict[str, Any]
    #: Keys of the file beside it.
    file: dict[str, Any]
    #: The rows that it reads, as `ROWS` names them.
    rows: tuple[str, ...]


def _turns(role: str, content: str, *turns: tuple[str, str]) -> list[Row]:
    return [{role: who, content: text} for who, text in turns]


_SYSTEM = "Answer in one sentence."
_ASKED, _TOLD = "What is the capital of Peru?", "The capital of Peru is Lima."
_AGAIN, _MORE = "And of Chile?", "It is Santiago."


def _chat(role: str, content: str, user: str, assistant: str) -> dict[str, list[Row]]:
    """The conversations that every layout has, by their names."""
    opening = ((user, _ASKED), (assistant, _TOLD))
    longer = (*opening, (user, _AGAIN), (assistant, _MORE))
    return {
        "one turn": _turns(role, content, *opening),
        "two turns": _turns(role, content, *longer),
        "system": _turns(role, content, ("system", _SYSTEM), *longer),
    }


def _named(prefix: str, column: str, chats: dict[str, list[Row]]) -> dict[str, Row]:
    return {f"{prefix}, {name}": {column: chat} for name, chat in chats.items()}


def _without_system(chats: dict[str, list[Row]]) -> dict[str, list[Row]]:
    return {name: chat for name, chat in chats.items() if name != "system"}


_FROM = _chat("from", "value", "human", "gpt")
#: Name -> row. The part before the comma is the layout.
ROWS: dict[str, Row] = {
    **_named("from/value", "conversations", _FROM),
    "from/value, the assistant begins": {
        "conversations": _turns("from", "value", ("gpt", _MORE), ("human", _ASKED), ("gpt", _TOLD))
    },
    "from/value, spaces around": {
        "conversations": _turns("from", "value", ("human", f" {_ASKED} "), ("gpt", f" {_TOLD}\n"))
    },
    "from/value, a turn that is not learned": {
        "conversations": [
            *_turns("from", "value", ("human", _ASKED)),
            {"from": "gpt", "value": _TOLD, "weight": 0},
            *_turns("from", "value", ("human", _AGAIN), ("gpt", _MORE)),
        ]
    },
    **_named("role/content", "conversations", _chat("role", "content", "user", "assistant")),
    **_named("role/text", "conversations", _chat("role", "text", "user", "assistant")),
    **_named("messages, role/content", "messages", _chat("role", "content", "user", "assistant")),
    **_named("role/value", "conversations", _chat("role", "value", "human", "gpt")),
    **_named(
        "guanaco",
        "conversations",
        _without_system(_chat("role", "text", "prompter", "assistant")),
    ),
    **_named(
        "ultrachat", "messages", _without_system(_chat("role", "content", "user", "assistant"))
    ),
    **_named("own names", "conversations", _without_system(_chat("from", "value", "me", "you"))),
    "glaive, one turn": {
        "system": f"SYSTEM: {_SYSTEM}",
        "chat": f"USER: {_ASKED}\n\n\nASSISTANT: {_TOLD} <|endoftext|>",
    },
}


def _rows(*layouts: str) -> tuple[str, ...]:
    return tuple(name for name in ROWS if name.rpartition(", ")[0] in layouts)


_BARE = _rows("from/value", "role/content", "role/text")


def _variant(name: str, rows: tuple[str, ...], file: dict[str, Any], **dataset: Any) -> Variant:
    return Variant(name, {"type": "sharegpt", **dataset}, file, rows)


VARIANTS: tuple[Variant, ...] = (
    _variant("sharegpt", _BARE, {}),
    _variant("sharegpt, chat_template: chatml", _BARE, {"chat_template": "chatml"}),
    _variant("sharegpt, chat_template: llama3", _BARE, {"chat_template": "llama3"}),
    _variant("conversation: chatml", _BARE, {}, conversation="chatml"),
    _variant(
        "conversation: chatml, chat_template: chatml",
        _BARE,
        {"chat_template": "chatml"},
        conversation="chatml",
    ),
    _variant(
        "conversation: chatml, default_system_message",
        _BARE,
        {"chat_template": "chatml", "default_system_message": _SYSTEM},
        conversation="chatml",
    ),
    _variant(
        "conversation: chatml, train_on_inputs",
        _BARE,
        {"train_on_inputs": True},
        conversation="chatml",
    ),
    _variant("conversation: llama3", _BARE, {}, conversation="llama3"),
    _variant("conversation: vicuna_v1.1", _BARE, {}, conversation="vicuna_v1.1"),
    _variant("conversation: alpaca", _BARE, {}, conversation="alpaca"),
    _variant("conversation: mistral", _BARE, {}, conversation="mistral"),
    _variant("conversation: llama-2", _BARE, {}, conversation="llama-2"),
    _variant("conversation: zephyr", _BARE, {}, conversation="zephyr"),
    _variant("strict: true", _rows("from/value"), {}, conversation="chatml", strict=True),
    _variant("strict: false", _BARE, {}, conversation="chatml", strict=False),
    _variant(
        "roles",
        _BARE,
        {},
        conversation="chatml",
        roles={"input": ["system", "user"], "output": ["assistant"]},
    ),
    _variant(
        "field_messages",
        _rows("messages, role/content"),
        {},
        conversation="chatml",
        field_messages="messages",
    ),
    _variant(
        "field_human, field_model",
        _rows("own names"),
        {},
        conversation="chatml",
        field_human="me",
        field_model="you",
    ),
    *(
        _variant(
            f"{loader}, {conversation}" if conversation else loader,
            _rows(layout),
            {},
            type=f"sharegpt.{loader}",
            **({"conversation": conversation} if conversation else {}),
        )
        for loader, layout in (
            ("load_role", "role/value"),
            ("load_guanaco", "guanaco"),
            ("load_ultrachat", "ultrachat"),
            ("load_glaive", "glaive"),
        )
        for conversation in (None, "chatml")
        if not (loader == "load_glaive" and conversation)
    ),
)
