"""What of a script's values is left for a person to fill in."""

from __future__ import annotations

import pytest

from cfglint.source.shell_blanks import fields, is_blank


@pytest.mark.parametrize(
    ("value", "script", "expected"),
    [
        ("{MODEL}", "MODEL='{MODEL}'\nrun model=$MODEL\n", True),
        ("{MODEL}", "# export MODEL=a/b\nexport MODEL={MODEL}\nrun model=$MODEL\n", True),
        ("{model_path}", "run model={model_path}\n", True),
        ("out/{name}", "export NAME='{name}'\nrun run.name=$NAME dir=out/$NAME\n", True),
        ("out/{name}", "run dir=out/{name}\n", False),
        ("{name}", "export NAME='{name}'\nrun run.name=$NAME\n", True),
        # Its `$` is missing.
        ("{MODEL}", "export MODEL=a/b\nrun model={MODEL}\n", False),
        ("{MODEL}", "MODEL='{MODEL}'\nMODEL=a/b\nrun model={MODEL}\n", False),
        # That is of another variable.
        ("{MODEL}", "BASE_MODEL=a/b\nrun model={MODEL}\n", True),
        ("{a: 1}", "run model='{a: 1}'\n", False),
        ("{a,b}", "", False),
        ("MODEL", "", False),
    ],
)
def test_a_blank(value: str, script: str, expected: bool) -> None:
    assert is_blank(value, script) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("<MODEL PATH>", ["<MODEL PATH>"]),
        ("<model id> out/<Name of run>/x", ["<model id>", "out/<Name of run>/x"]),
        ("YOUR MODEL PATH", ["YOUR MODEL PATH"]),
        ("[your model path] {your data}", ["[your model path]", "{your data}"]),
        # No blanks, or more than those.
        ("a  b\tc", ["a", "b", "c"]),
        ("[q_proj v_proj]", ["[q_proj", "v_proj]"]),
        ("YOURS AND MINE", ["YOURS", "AND", "MINE"]),
        ("Your task is this", ["Your", "task", "is", "this"]),
        ("a <b c", ["a", "<b", "c"]),
        ("a <b --c >d", ["a", "<b", "--c", ">d"]),
        ("<" * 3 + "a " * 3, ["<<<a", "a", "a"]),
        ("", []),
    ],
)
def test_the_words_of_a_value(value: str, expected: list[str]) -> None:
    assert fields(value) == expected
