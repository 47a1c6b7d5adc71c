"""Words that a key takes in some releases only."""

from __future__ import annotations

import pytest

from tests.linting import lint_result

BASE = "base_model: a/b\ndatasets:\n  - {path: a, type: alpaca}\n"


@pytest.mark.parametrize(
    ("line", "target", "severity"),
    [
        # Older releases took this word; the newest, which is assumed, refuses the file.
        ("gradient_checkpointing: unsloth\n", (), "warning"),
        ("gradient_checkpointing: unsloth\n", ("axolotl==0.21.0",), "error"),
        # Those releases took this slip as well, and nobody means it.
        ("gradient_checkpointing: ofload\n", (), "error"),
    ],
)
def test_a_slip_is_an_error_whatever_older_releases_took(
    line: str, target: tuple[str, ...], severity: str
) -> None:
    found = [
        one for one in lint_result(BASE + line, target=target).diagnostics if one.code == "TYP002"
    ]
    assert [one.severity for one in found] == [severity]
