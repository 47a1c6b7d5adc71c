"""The examples of ms-swift's rules as commands, and how they are compared with what a release says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint.knowledge.compiling.model import Example
from tools.framework_parity.swift_rules import as_command, compared, main, quoted, words_of_file


def test_a_file_becomes_the_words_of_a_command() -> None:
    values = {"model": "a", "dataset": ["b", "c"], "packing": True, "model_kwargs": {"x": 1}}
    assert words_of_file(values) == [
        *("--model", "a", "--dataset", "b", "c", "--packing", "True"),
        *("--model_kwargs", '{"x": 1}'),
    ]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("packing: true", "sft"),
        ("rlhf_type: dpo", "rlhf"),
        ("micro_batch_size: 1", "megatron_sft"),
        ("rlhf_type: dpo\nmicro_batch_size: 1", "megatron_rlhf"),
    ],
)
def test_the_keys_of_a_file_say_its_command(text: str, command: str) -> None:
    written = as_command(Example(good=text), "4.5.2")
    assert written is not None
    assert written.command == command


def test_a_file_has_the_names_of_the_release_and_an_environment() -> None:
    example = Example(good="tuner_type: full\nENV: {NPROC_PER_NODE: 2}")
    written = as_command(example, "3.12.6")
    assert written is not None
    assert (written.words, written.environment) == (
        ["--train_type", "full"],
        {"NPROC_PER_NODE": "2"},
    )
    assert as_command(Example(good="tuner_type: full"), "4.0.0") == (
        "sft",
        ["--tuner_type", "full"],
        {},
    )


def test_a_script_is_split_as_cfglint_splits_it() -> None:
    text = "NPROC_PER_NODE=2 swift rlhf --rlhf_type dpo --model a\n"
    assert as_command(Example(good=text, named="run.sh"), "4.5.2") == (
        "rlhf",
        ["--rlhf_type", "dpo", "--model", "a"],
        {"NPROC_PER_NODE": "2"},
    )
    assert as_command(Example(good="swift sft --model $M\n", named="run.sh"), "4.5.2") is None
    assert as_command(Example(good="echo nothing\n", named="run.sh"), "4.5.2") is None


def test_what_a_text_cites_is_a_message_of_several_words() -> None:
    why = "`check` raises `batch ({size}) … must be divisible\nby this`, or `a b c`."
    assert quoted(why) == ["must be divisible by this", "a b c"]


def row(expected: str, error: str, **more: object) -> dict[str, object]:
    given = {"file": "SWF1 one 1", "expected": expected, "ok": not error, "error": error}
    return {**given, "changed": {}, "bites": "start", "quoted": [], **more}


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (row("refused", "ValueError: no"), "agrees"),
        (row("refused", ""), "differs"),
        (row("", ""), "agrees"),
        (row("", "ValueError: no"), "differs"),
        (row("refused", "ValueError: the `x` is bad", quoted=["the x is bad"]), "agrees"),
        (row("refused", "ValueError: other", quoted=["the x is bad"]), "differs"),
        (row("refused", "", bites="data"), "else"),
        (row("changed", ""), "else"),
    ],
)
def test_a_release_refuses_for_the_reason_that_is_cited(
    given: dict[str, object], kind: str
) -> None:
    assert [found for found, _ in compared([given])] == [kind]


def test_the_rules_have_examples_for_a_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "words.jsonl"
    assert main(["words", "--release", "3.8.0", "--out", str(out), "SWF027", "SWF058"]) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    # KTO packs since 3.9.0, and the check of Megatron came with 4.0.0.
    assert [(one["file"], one["expected"]) for one in rows] == [
        ("SWF027 packing-of-other-preference-method 1", "refused"),
        ("SWF027 packing-of-other-preference-method 2", "refused"),
        ("SWF027 packing-of-other-preference-method 4", ""),
    ]
    for one in rows:
        one.update({"ok": True, "error": "", "changed": {}})
    out.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    assert main(["compare", str(out)]) == 1
    assert capsys.readouterr().out.endswith("1 agrees, 2 differs\n")
