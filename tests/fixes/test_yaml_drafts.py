"""Actions on YAML: where blocks and brackets meet."""

from __future__ import annotations

from typing import Any

import yaml

from cfglint.fixes.actions import AppendItem, SetValue
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.source.document import Path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each


def done(text: str, path: Path, value: Any) -> str:
    made = plan(compose(SourceText(text)), [SetValue(path, value)])
    assert made.refused is None
    return apply_edits(text, made.edits)


@each(
    ("before", "path", "after"),
    [
        # Empty brackets open where a block can stand.
        ("x: {}\n", ("x", "k"), "x:\n  k:\n    b: 1\n"),
        ("x:\n  - {}\n", ("x", 0, "k"), "x:\n  - k:\n      b: 1\n"),
        ("x: {a: {}}\n", ("x", "a", "k"), "x: {a: {k: {b: 1}}}\n"),
        ("{}\n", ("k",), "{k: {b: 1}}\n"),
    ],
)
def test_a_mapping_below_empty_brackets(before: str, path: Path, after: str) -> None:
    assert done(before, path, {"b": 1}) == after


@each(
    ("before", "value", "after"),
    [
        ("l: [x]\n", "a, b", 'l: [x, "a, b"]\n'),
        ("l: [x]\n", "{y}", 'l: [x, "{y}"]\n'),
        ("l:\n  - x\n", "a, b", "l:\n  - x\n  - a, b\n"),
        # As the others are quoted.
        ("l: ['x']\n", "y", "l: ['x', 'y']\n"),
        ("l: ['x', y]\n", "z", "l: ['x', y, z]\n"),
    ],
)
def test_what_means_something_between_brackets_is_quoted(
    before: str, value: str, after: str
) -> None:
    made = plan(compose(SourceText(before)), [AppendItem(("l",), value)])
    assert apply_edits(before, made.edits) == after


@each(
    ("value", "lines"),
    [
        ("a\n  b: {{ c }}\n\nd", "k: |-\n    a\n      b: {{ c }}\n\n    d\n"),
        # What a literal block would change, or need more signs for, is quoted.
        ("a\nb\n", 'k: "a\\nb\\n"\n'),
        (" a\nb", 'k: " a\\nb"\n'),
        ("a\tb\nc", 'k: "a\\tb\\nc"\n'),
    ],
)
def test_several_lines_become_a_literal_block(value: str, lines: str) -> None:
    after = done("x:\n    y: 1\n", ("k",), value)
    assert after == "x:\n    y: 1\n" + lines
    assert yaml.safe_load(after)["k"] == value
