"""What of a script's values is left for a person to fill in."""

from __future__ import annotations

import pytest

from cfglint.source.shell_blanks import is_blank


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
