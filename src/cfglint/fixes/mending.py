"""Making a file readable: the one fix that is applied to a text without a document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import yaml

from cfglint.diagnostic import Edit
from cfglint.fixes.applying import apply_edits
from cfglint.source.pure_loader import PureLoader
from cfglint.source.text import SourceText

_REFUSALS = (
    yaml.YAMLError,
    ValueError,
    ArithmeticError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
)


def mended(source: SourceText, edits: Sequence[Edit]) -> tuple[SourceText | None, str]:
    """The file after the edits, or None and why they are not trusted (a clause).

    They are trusted when PyYAML reads a mapping from the result, and when every line that they
    do not touch is where it was and as it was.
    """
    try:
        after = source.replaced(apply_edits(source.text, edits))
    except ValueError as error:
        return None, f"its edits do not fit the text: {error}"
    try:
        value = yaml.load(after.text, Loader=PureLoader)  # noqa: S506 - it is a safe loader
    except _REFUSALS:
        return None, "PyYAML does not load the result"
    if not isinstance(value, dict):
        return None, "the result is not a mapping of keys to values"
    touched = _touched(source, edits)
    same = source.line_count() == after.line_count() and all(
        source.line(number) == after.line(number)
        for number in range(1, source.line_count() + 1)
        if number not in touched
    )
    return (after, "") if same else (None, "lines outside the edits are not the same")


def _touched(source: SourceText, edits: Sequence[Edit]) -> set[int]:
    """The lines (from 1) that edits change."""
    starts = source.line_starts
    found: set[int] = set()
    for edit in edits:
        last = max(edit.start, edit.end - 1)
        found.update(range(bisect_right(starts, edit.start), bisect_right(starts, last) + 1))
    return found
