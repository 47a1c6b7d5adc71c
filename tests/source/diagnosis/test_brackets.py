"""What may be wrong with the brackets of a line."""

from __future__ import annotations

from cfglint.source.diagnosis.brackets import brackets
from tests.draws import each
from tests.source.diagnosis.explaining import Proposed, proposed

CASES: list[tuple[str, int, list[Proposed]]] = [
    (
        "a: [b, c\nd: 1\n",
        1,
        [
            ("open-bracket: Close the bracket with ]", 0, "[b, c", "a: [b, c]\nd: 1\n"),
            ("open-bracket: Close the bracket with ]", 1, "[b, c", "a: [b], c\nd: 1\n"),
        ],
    ),
    ("a: [\n", 1, [("open-bracket", 0, "[", "a: []\n")]),
    (
        "a: {b: [c}\n",
        1,
        [
            ("open-bracket: Close the bracket with }", 0, "{b: [c}", "a: {b: [c}}\n"),
            ("open-bracket: Close the bracket with }", 1, "{b: [c}", "a: {b: [c}}\n"),
            ("surplus-bracket: Delete the }", 1, "}", "a: {b: [c\n"),
        ],
    ),
    (
        "a: [b, c # d\ne: 1\n",
        1,
        [
            ("open-bracket: Close the bracket with ]", 0, "[b, c", "a: [b, c] # d\ne: 1\n"),
            ("open-bracket: Close the bracket with ]", 1, "[b, c", "a: [b], c # d\ne: 1\n"),
        ],
    ),
    ("a: [b]]\n", 1, [("surplus-bracket: Delete the ]", 1, "]", "a: [b]\n")]),
    ("a: {b}}\n", 1, [("surplus-bracket: Delete the }", 1, "}", "a: {b}\n")]),
    (
        "a: [b\n  c,\n\n  d,\nx: 1\n",
        1,
        [
            ("open-bracket: Close the bracket with ]", 0, "[b", "a: [b\n  c,\n\n  d,]\nx: 1\n"),
            ("open-bracket: Close the bracket with ]", 1, "[b", "a: [b\n  c,\n\n  d],\nx: 1\n"),
            ("open-bracket: Close the bracket with ]", 2, "[b", "a: [b]\n  c,\n\n  d,\nx: 1\n"),
        ],
    ),
    (
        "a: [b, {c: 1, d: 2]\n",
        1,
        [
            (
                "open-bracket: Close the bracket with ]",
                0,
                "[b, {c: 1, d: 2]",
                "a: [b, {c: 1, d: 2]]\n",
            ),
            (
                "open-bracket: Close the bracket with ]",
                1,
                "[b, {c: 1, d: 2]",
                "a: [b, {c: 1, d: 2]]\n",
            ),
            (
                "open-bracket: Close the bracket with ]",
                2,
                "[b, {c: 1, d: 2]",
                "a: [b], {c: 1, d: 2]\n",
            ),
            (
                "open-bracket: Close the bracket with ]",
                2,
                "[b, {c: 1, d: 2]",
                "a: [b, {c: 1], d: 2]\n",
            ),
            ("surplus-bracket: Delete the ]", 1, "]", "a: [b, {c: 1, d: 2\n"),
        ],
    ),
    (
        "a: [b\n  c  # d\nx: 1\n",
        1,
        [
            ("open-bracket: Close the bracket with ]", 0, "[b", "a: [b\n  c]  # d\nx: 1\n"),
            ("open-bracket: Close the bracket with ]", 1, "[b", "a: [b]\n  c  # d\nx: 1\n"),
        ],
    ),
]


@each(("text", "line", "expected"), CASES)
def test_what_is_proposed(text: str, line: int, expected: list[Proposed]) -> None:
    assert proposed(brackets, text, line) == expected
