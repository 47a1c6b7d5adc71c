"""Which command of ms-swift a line calls, and a file is for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.swift.commands import called, having, is_for_ray, kind_of_file, spoken
from cfglint.roles.framework import load_framework
from cfglint.source.document import Document
from cfglint.source.text import SourceText
from tests.draws import each

MODEL = "model: a/b\n"


def document(text: str) -> Document:
    return load_framework("swift").language.read(SourceText(text))


@each(
    ("command", "program", "expected"),
    [
        ("sft", "swift", "sft"),
        ("dpo", "swift", "rlhf"),
        ("simpo", "swift", "rlhf"),
        ("app-ui", "swift", "app"),
        ("llm-sft", "examples/llm_sft.py", "sft"),
        ("llm-infer", "x.py", "infer"),
        ("merge-lora", "swift", ""),
        ("sft", "megatron", "megatron_sft"),
        ("rlhf", "megatron", "megatron_rlhf"),
        ("infer", "megatron", ""),
        ("sft", "swift/cli/_megatron/sft.py", "megatron_sft"),
        ("sft", "swift\\cli\\_megatron\\sft.py", "megatron_sft"),
        ("sft", "swift.cli._megatron.sft", "megatron_sft"),
        # A folder in which swift lies says nothing.
        ("sft", "megatron/swift/cli/sft.py", "sft"),
        ("infer", "megatron/swift/cli/infer.py", "infer"),
    ],
)
def test_what_a_line_calls(command: str, program: str, expected: str) -> None:
    assert called(command, program) == expected


@each(
    ("command", "expected"),
    [("sft", "swift sft"), ("megatron_sft", "megatron sft"), ("app", "swift app")],
)
def test_how_a_command_is_called(command: str, expected: str) -> None:
    assert spoken(command) == expected


@each(
    ("text", "expected"),
    [
        ("colocate_groups: [[train, rollout]]\n", True),
        ("train: {x: 1}\n", True),
        ("rollout:\n  x: 1\n", True),
        ("teacher: {x: 1}\n", True),
        ("train: yes\n", False),
        ("nnodes: 2\n", False),
        ("other: {x: 1}\n", False),
    ],
)
def test_a_file_for_ray(text: str, expected: bool) -> None:
    assert is_for_ray(document(MODEL + text)) is expected


def started(*lines: tuple[str, str]) -> Any:
    """What is around a file that some commands start."""
    launches = tuple(SimpleNamespace(command=one, program=other) for one, other in lines)
    return nowhere().replaced(launches=launches)


@each(
    ("text", "lines", "expected"),
    [
        ("", [], ""),
        ("", [("sft", "swift")], "sft"),
        ("", [("sft", "swift"), ("sft", "swift")], "sft"),
        ("", [("sft", "swift"), ("other", "swift")], "sft"),
        ("", [("other", "swift")], ""),
        ("", [("sft", "megatron")], "megatron_sft"),
        ("", [("sft", "swift"), ("pt", "swift")], ""),
        ("rlhf_type: dpo\n", [], "rlhf"),
        ("rlhf_type: dpo\n", [("sft", "swift")], "sft"),
        ("rlhf_type: dpo\n", [("sft", "swift"), ("pt", "swift")], "rlhf"),
        ("rlhf_type: dpo\nmicro_batch_size: 1\n", [], "megatron_rlhf"),
        ("rlhf_type: dpo\nload_safetensors: true\n", [], "megatron_rlhf"),
        ("micro_batch_size: 1\n", [], ""),
        ("colocate_groups: [[a]]\nrlhf_type: dpo\n", [("rlhf", "megatron")], ""),
    ],
)
def test_the_command_of_a_file(text: str, lines: list[tuple[str, str]], expected: str) -> None:
    assert kind_of_file(document(MODEL + text), started(*lines)) == expected


@each(
    ("name", "there", "missing"),
    [
        ("rlhf_type", {"swift rlhf", "megatron rlhf"}, {"swift sft"}),
        ("micro_batch_size", {"megatron sft", "megatron pt"}, {"swift sft", "swift rlhf"}),
        ("learning_rate", {"swift sft", "swift pt", "swift rlhf"}, {"swift eval"}),
        ("no_such_argument", set(), {"swift sft"}),
    ],
)
def test_commands_that_have_an_argument(name: str, there: set[str], missing: set[str]) -> None:
    framework = load_framework("swift")
    found = list(having(name, framework.release_keys(framework.releases.newest)))
    assert there <= set(found)
    assert missing.isdisjoint(found)
    assert len(found) == len(set(found))
