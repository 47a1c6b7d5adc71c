"""The columns that a line may have been meant for, and what stands in the place of tabs."""

from __future__ import annotations

from cfglint.source.diagnosis.indentation import indentation, tabs
from cfglint.source.diagnosis.lines import Lines
from tests.draws import each
from tests.source.diagnosis.explaining import Proposed, proposed, told

CASES: list[tuple[str, int, list[Proposed]]] = [
    (
        "a: 1\n b: 2\nc: 3\n",
        2,
        [
            ("indentation: Do not indent it", 1, " b: 2", "a: 1\nb: 2\nc: 3\n"),
            ("indentation: Indent it by 2 spaces", 1, " b: 2", "a: 1\n  b: 2\nc: 3\n"),
        ],
    ),
    (
        "a:\n   b: 1\n  c: 2\n  d: 3\n",
        2,
        [
            ("indentation: Do not indent it", 4, "   b: 1", "a:\nb: 1\n  c: 2\n  d: 3\n"),
            ("indentation: Indent it by 2 spaces", 1, "   b: 1", "a:\n  b: 1\n  c: 2\n  d: 3\n"),
            ("indentation: Indent it by 4 spaces", 1, "   b: 1", "a:\n    b: 1\n  c: 2\n  d: 3\n"),
        ],
    ),
    (
        "a:\n  - b: 1\n  c: 2\n",
        3,
        [
            ("indentation: Indent it by 4 spaces", 1, "  c: 2", "a:\n  - b: 1\n    c: 2\n"),
            ("indentation: Do not indent it", 3, "  c: 2", "a:\n  - b: 1\nc: 2\n"),
            ("indentation: Indent it by 1 space", 1, "  c: 2", "a:\n  - b: 1\n c: 2\n"),
            ("indentation: Indent it by 3 spaces", 1, "  c: 2", "a:\n  - b: 1\n   c: 2\n"),
        ],
    ),
    # The same key once more: that is another item.
    (
        "a:\n  - b: 1\n  b: 2\n",
        3,
        [
            ("indentation: Indent it by 4 spaces", 3, "  b: 2", "a:\n  - b: 1\n    b: 2\n"),
            ("indentation: Do not indent it", 3, "  b: 2", "a:\n  - b: 1\nb: 2\n"),
            ("indentation: Indent it by 1 space", 1, "  b: 2", "a:\n  - b: 1\n b: 2\n"),
            ("indentation: Indent it by 3 spaces", 1, "  b: 2", "a:\n  - b: 1\n   b: 2\n"),
        ],
    ),
    (
        "a:\n  - b: 1\n   c: 2\n",
        3,
        [
            ("indentation: Indent it by 2 spaces", 1, "   c: 2", "a:\n  - b: 1\n  c: 2\n"),
            ("indentation: Indent it by 4 spaces", 1, "   c: 2", "a:\n  - b: 1\n    c: 2\n"),
            ("indentation: Do not indent it", 4, "   c: 2", "a:\n  - b: 1\nc: 2\n"),
        ],
    ),
    (
        "a:\n  - b: 1\n     c: 2\n    d: 3\n",
        3,
        [
            (
                "indentation: Indent it by 2 spaces",
                4,
                "     c: 2",
                "a:\n  - b: 1\n  c: 2\n    d: 3\n",
            ),
            (
                "indentation: Indent it by 4 spaces",
                1,
                "     c: 2",
                "a:\n  - b: 1\n    c: 2\n    d: 3\n",
            ),
            (
                "indentation: Indent it by 6 spaces",
                1,
                "     c: 2",
                "a:\n  - b: 1\n      c: 2\n    d: 3\n",
            ),
        ],
    ),
    (
        "a:\nb: 1\n  c: 2\n  d: 3\n",
        2,
        [
            ("indentation: Indent it by 2 spaces", 3, "b: 1", "a:\n  b: 1\n  c: 2\n  d: 3\n"),
            ("indentation: Indent it by 1 space", 1, "b: 1", "a:\n b: 1\n  c: 2\n  d: 3\n"),
        ],
    ),
    (
        "a: 1\n text\nc: 3\n",
        2,
        [
            ("indentation: Do not indent it", 4, " text", "a: 1\ntext\nc: 3\n"),
            ("indentation: Indent it by 2 spaces", 4, " text", "a: 1\n  text\nc: 3\n"),
        ],
    ),
    (
        'a: 1\n "b" x\n',
        2,
        [
            ("indentation: Do not indent it", 1, ' "b" x', 'a: 1\n"b" x\n'),
            ("indentation: Indent it by 2 spaces", 1, ' "b" x', 'a: 1\n  "b" x\n'),
        ],
    ),
    ("a: 1\n\tb: 2\n", 2, []),
    (
        "a:\n        b: 1\n  c: 1\n",
        2,
        [
            ("indentation: Indent it by 7 spaces", 1, "        b: 1", "a:\n       b: 1\n  c: 1\n"),
            (
                "indentation: Indent it by 9 spaces",
                1,
                "        b: 1",
                "a:\n         b: 1\n  c: 1\n",
            ),
        ],
    ),
    (
        "a:\n - b\n  - c\n - d\n",
        3,
        [
            ("indentation: Indent it by 1 space", 1, "  - c", "a:\n - b\n - c\n - d\n"),
            ("indentation: Do not indent it", 3, "  - c", "a:\n - b\n- c\n - d\n"),
            ("indentation: Indent it by 3 spaces", 1, "  - c", "a:\n - b\n   - c\n - d\n"),
        ],
    ),
    ("a: 1\n", 1, [("indentation: Indent it by 1 space", 1, "a: 1", " a: 1\n")]),
    (
        "a:\n     b: 1\n  c: 1\n",
        2,
        [
            ("indentation: Indent it by 2 spaces", 4, "     b: 1", "a:\n  b: 1\n  c: 1\n"),
            ("indentation: Indent it by 4 spaces", 1, "     b: 1", "a:\n    b: 1\n  c: 1\n"),
            ("indentation: Indent it by 6 spaces", 1, "     b: 1", "a:\n      b: 1\n  c: 1\n"),
        ],
    ),
    ("a: [\n  b\n]\n", 2, []),
]


@each(("text", "line", "expected"), CASES)
def test_what_is_proposed(text: str, line: int, expected: list[Proposed]) -> None:
    assert proposed(indentation, text, line) == expected


#: The offset is where PyYAML met the tab.
TABS: list[tuple[str, int, list[Proposed]]] = [
    (
        "a:\n\tb: 1\n\tc: 2\n",
        3,
        [
            ("tab: Replace tabs with spaces", 0, "\t", "a:\n  b: 1\n  c: 2\n"),
            ("tab: Replace tabs with spaces", 1, "\t", "a:\n    b: 1\n    c: 2\n"),
            ("tab: Replace tabs with spaces", 2, "\t", "a:\n        b: 1\n        c: 2\n"),
            ("tab: Replace tabs with spaces", 3, "\t", "a:\n b: 1\n c: 2\n"),
            ("tab: Replace tabs with spaces", 1, "\t", "a:\nb: 1\n\tc: 2\n"),
            ("tab: Replace tabs with spaces", 2, "\t", "a:\n  b: 1\n\tc: 2\n"),
        ],
    ),
    (
        "a:\n  b: 1\n\tc: 2\n",
        10,
        [
            ("tab: Replace tabs with spaces", 0, "\t", "a:\n  b: 1\n  c: 2\n"),
            ("tab: Replace tabs with spaces", 1, "\t", "a:\n  b: 1\n    c: 2\n"),
            ("tab: Replace tabs with spaces", 2, "\t", "a:\n  b: 1\n        c: 2\n"),
            ("tab: Replace tabs with spaces", 3, "\t", "a:\n  b: 1\n c: 2\n"),
            ("tab: Replace tabs with spaces", 1, "\t", "a:\n  b: 1\n  c: 2\n"),
            ("tab: Replace tabs with spaces", 2, "\t", "a:\n  b: 1\nc: 2\n"),
        ],
    ),
    (
        "a:\tb\nc:\t\td\n  - \te\n",
        2,
        [("tab: Replace tabs with spaces", 0, "\t", "a: b\nc: d\n  - \te\n")],
    ),
    (
        "a:\n  \tb: 1\n  -\tc: 2\n",
        5,
        [
            ("tab: Replace tabs with spaces", 0, "  \t", "a:\n    b: 1\n  - c: 2\n"),
            ("tab: Replace tabs with spaces", 1, "  \t", "a:\n      b: 1\n  - c: 2\n"),
            ("tab: Replace tabs with spaces", 2, "  \t", "a:\n          b: 1\n  - c: 2\n"),
            ("tab: Replace tabs with spaces", 3, "  \t", "a:\n   b: 1\n  - c: 2\n"),
            ("tab: Replace tabs with spaces", 1, "  \t", "a:\nb: 1\n  - c: 2\n"),
            ("tab: Replace tabs with spaces", 2, "  \t", "a:\n  b: 1\n  - c: 2\n"),
            ("tab: Replace tabs with spaces", 3, "  \t", "a:\n    b: 1\n  - c: 2\n"),
        ],
    ),
    (
        "a: [b,\n\tc]\n",
        7,
        [
            ("tab: Replace tabs with spaces", 0, "\t", "a: [b,\n  c]\n"),
            ("tab: Replace tabs with spaces", 1, "\t", "a: [b,\n    c]\n"),
            ("tab: Replace tabs with spaces", 2, "\t", "a: [b,\n        c]\n"),
            ("tab: Replace tabs with spaces", 3, "\t", "a: [b,\n c]\n"),
            ("tab: Replace tabs with spaces", 1, "\t", "a: [b,\nc]\n"),
        ],
    ),
    (
        "a:\n  - b:\n\tc: d\n",
        10,
        [
            ("tab: Replace tabs with spaces", 0, "\t", "a:\n  - b:\n  c: d\n"),
            ("tab: Replace tabs with spaces", 1, "\t", "a:\n  - b:\n    c: d\n"),
            ("tab: Replace tabs with spaces", 2, "\t", "a:\n  - b:\n        c: d\n"),
            ("tab: Replace tabs with spaces", 3, "\t", "a:\n  - b:\n c: d\n"),
            ("tab: Replace tabs with spaces", 1, "\t", "a:\n  - b:\n  c: d\n"),
            ("tab: Replace tabs with spaces", 2, "\t", "a:\n  - b:\n    c: d\n"),
            ("tab: Replace tabs with spaces", 3, "\t", "a:\n  - b:\n      c: d\n"),
            ("tab: Replace tabs with spaces", 4, "\t", "a:\n  - b:\nc: d\n"),
        ],
    ),
    ("a: b\t\tc\n\td: e\n", 4, [("tab: Replace tabs with spaces", 0, "\t\t", "a: b c\n  d: e\n")]),
    ("a: |\n\tb\nc:\td\n", 10, [("tab: Replace tabs with spaces", 0, "\t", "a: |\n\tb\nc: d\n")]),
]


@each(("text", "at", "expected"), TABS)
def test_tabs(text: str, at: int, expected: list[Proposed]) -> None:
    assert told(tabs(Lines(text), at), text) == expected
