"""The comment that silences a finding: found by a check of the text that it makes."""

from __future__ import annotations

import pytest

from cfglint.engine.silencing import silencing
from cfglint.fixes.applying import apply_edits
from cfglint.framework import load_framework
from cfglint.source.text import SourceText
from tests.cli.files import CLEAN
from tests.linting import lint_result


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("seedd: 1", "seedd: 1  # cfglint: ignore[KEY001] why"),
        ("seedd: 1  # luck", "# cfglint: ignore[KEY001] why\nseedd: 1  # luck"),
        (
            "seedd: 1  # cfglint: ignore[YML021] a",
            "seedd: 1  # cfglint: ignore[YML021, KEY001] a",
        ),
        ("seedd: |\n  a\n  b", "seedd: |  # cfglint: ignore[KEY001] why\n  a\n  b"),
        ('seedd: "a\n  b"', '# cfglint: ignore[KEY001] why\nseedd: "a\n  b"'),
        ("seedd: 1\r", "seedd: 1  # cfglint: ignore[KEY001] why\r"),
    ],
)
def test_the_finding_is_silenced_and_nothing_else_changes(line: str, after: str) -> None:
    text = CLEAN + line + "\n"
    found = lint_result(text, select=["KEY001"])
    (finding,) = found.diagnostics
    assert found.document is not None
    edit = silencing(found.document, finding, load_framework("axolotl"), "why")
    assert edit is not None
    silenced = apply_edits(text, [edit])
    assert silenced == CLEAN + after + "\n"
    again = lint_result(silenced, select=["KEY001"])
    assert (again.diagnostics, again.suppressed) == ([], 1)


def test_there_are_no_comments_in_json() -> None:
    text = '{"train_batch_size": 8, "fp16": {"enabledd": true}}'
    found = lint_result(text, select=["KEY001"], framework="deepspeed")
    (finding,) = found.diagnostics
    assert found.document is not None
    assert silencing(found.document, finding, load_framework("deepspeed"), "why") is None
    assert SourceText(text) == found.document.source
