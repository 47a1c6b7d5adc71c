"""The document that a script is."""

from __future__ import annotations

import pytest

from cfglint.source.document import Alias, Mapping
from cfglint.source.languages.arguments import Arguments
from cfglint.source.languages.base import Unwritable
from cfglint.source.languages.named import language
from cfglint.source.languages.shell import Program, Shell, command_of, render
from cfglint.source.text import SourceText
from cfglint.source.values import Unexpanded, to_python
from tests.draws import each

OPTIONS = Arguments({"lr": "1", "epochs": "1", "quant": "0", "config": "*"})
SHELL = Shell(
    lambda words, at: Program("train.py", OPTIONS) if words[at].text.endswith("train.py") else None
)
SCRIPT = """#!/bin/bash
lr=5e-5
A=1 torchrun --nproc_per_node=8 --standalone --nnodes 2 src/train.py \\
--lr "$lr" --quant --config a.json b.json 2>&1 | tee log  # all
"""


def read(text: str) -> object:
    return to_python(SHELL.read(SourceText(text)).root)


def test_options_are_the_keys() -> None:
    assert read(SCRIPT) == {
        "environment": {"A": "1"},
        "launcher": {
            "name": "torchrun",
            "nproc_per_node": "8",
            "standalone": True,
            "nnodes": "2",
        },
        "program": "train.py",
        "lr": "5e-5",
        "quant": True,
        "config": ["a.json", "b.json"],
    }


def test_spans_are_those_of_the_text() -> None:
    document = SHELL.read(SourceText(SCRIPT))
    text = document.text
    spans = {entry.label: text[slice(*entry.span)] for entry in document.root.entries}
    assert spans["lr"] == '--lr "$lr"'
    assert spans["quant"] == "--quant"
    assert spans["program"] == "src/train.py"
    value = document.root.lookup["lr"].value
    assert isinstance(value, Alias)
    assert text[slice(*value.target().span)] == "5e-5"
    command = command_of(document.root)
    assert command is not None
    assert (command.piped, text[: command.end].endswith("b.json")) == ("tee", True)


@each(
    ("word", "value"),
    [
        *((word, True) for word in ("true", "t", "yes", "y", "1", "TRUE")),
        *((word, False) for word in ("false", "f", "no", "n", "0", "No")),
        # The parser refuses any other word.
        ("on", "on"),
        ("2", "2"),
    ],
)
def test_a_word_that_is_a_truth(word: str, value: object) -> None:
    options = Arguments({"quant": "?", "lr": "1"})
    shell = Shell(lambda words, at: Program("train.py", options) if at == 1 else None)
    root = to_python(shell.read(SourceText(f"python train.py --quant {word} --lr {word}\n")).root)
    assert (root["quant"], root["lr"]) == (value, word)


def test_launchers() -> None:
    for words, name in (
        ("python -m torch.distributed.run --nproc_per_node 2", "torch.distributed.run"),
        ("srun python -u", "python"),
        ("/opt/bin/torchrun", "torchrun"),
    ):
        found = read(f"{words} train.py --lr 1")
        assert isinstance(found, dict)
        assert found["launcher"]["name"] == name
    assert "launcher" not in read("srun train.py --lr 1")  # type: ignore[operator]


def test_a_script_that_starts_nothing() -> None:
    for text in ("", "echo torchrun train.py --lr 1", "torchrun other.py --lr 1", "# train.py"):
        document = SHELL.read(SourceText(text))
        assert (document.root.entries, command_of(document.root)) == ([], None)
    assert language("shell").read(SourceText(SCRIPT)).root.entries == []


def test_a_program_that_is_the_value_of_another_one_s_option() -> None:
    assert read("python patch.py --target src/train.py --lr 1") == {}
    # An option of what starts it comes before any program.
    assert read("deepspeed --num_gpus 2 train.py --lr 1") != {}
    assert read("python launch.py train.py --lr 1") != {}


def test_several_commands_are_sections() -> None:
    document = SHELL.read(SourceText("python train.py --lr 1\npython train.py --lr 2\n"))
    second = document.node(("command 2",))
    assert isinstance(second, Mapping)
    assert to_python(second)["lr"] == "2"
    assert document.span(("command 2", "lr")) is not None


def test_unknown_values_are_marked() -> None:
    document = SHELL.read(SourceText('python train.py --lr "$1" --config $2 "$@"'))
    found = to_python(document.root)
    assert isinstance(found["lr"], Unexpanded)
    assert isinstance(found["config"][0], Unexpanded)
    assert "epochs" not in found
    assert document.hides_keys  # it may be in "$@"
    assert not SHELL.read(SourceText('python train.py --lr "$1"')).hides_keys
    assert type(to_python(SHELL.read(SourceText("python train.py --lr x")).root)["lr"]) is str


@pytest.mark.parametrize(("rest", "hides"), [("--epochs 3", True), ("echo --epochs 3", False)])
def test_options_that_a_line_end_cut_off_may_be_any(rest: str, hides: bool) -> None:
    assert SHELL.read(SourceText(f"python train.py --lr 1\n{rest}\n")).hides_keys is hides


def test_words_are_quoted_when_they_need_it() -> None:
    assert render(["a b", 5, 0.5, "x"]) == "'a b' 5 0.5 x"
    assert SHELL.render("$x") == "'$x'"
    for value in (True, None, {"a": 1}, "a\nb"):
        with pytest.raises(Unwritable):
            render(value)


def test_a_change_that_others_read_otherwise_is_doubted() -> None:
    document = SHELL.read(SourceText(SCRIPT))
    assert SHELL.doubts(document, SourceText(SCRIPT.replace("--quant", "--epochs 3"))) is None
    assert SHELL.doubts(document, SourceText(SCRIPT + "echo 'x")) is not None
    assert len(SHELL.comments(document)) == 2


def test_long_commands_are_left_out() -> None:
    assert read("python train.py " + "x " * 5000) == {}
