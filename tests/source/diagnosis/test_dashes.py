"""What may be wrong with the dash of a line."""

from __future__ import annotations

from cfglint.source.diagnosis.dashes import dashes
from tests.draws import each
from tests.source.diagnosis.explaining import Proposed, proposed

CASES: list[tuple[str, int, list[Proposed]]] = [
    (
        'a:\n  "b"\n  "c"\nd: 1\n',
        3,
        [
            ("missing-dash: Add the dashes", 1, '"b"', 'a:\n  - "b"\n  - "c"\nd: 1\n'),
        ],
    ),
    ("a:\n  -- b\n", 2, [("double-dash: Write one dash", 0, "-- b", "a:\n  - b\n")]),
    ("a:\n  - - b\n", 2, [("double-dash: Write one dash", 0, "- - b", "a:\n  - b\n")]),
    ("a:\n  --b: c\n", 2, [("double-dash: Write one dash", 0, "--b: c", "a:\n  - b: c\n")]),
    ("a:\n  ---\n", 2, []),
    (
        "a:\n  -b\n",
        2,
        [
            ("dash-without-space: Add the space", 0, "-b", "a:\n  - b\n"),
            ("missing-dash: Add the dash", 2, "-b", "a:\n  - -b\n"),
            ("missing-dash: Add the dash", 3, "-b", "a:\n- -b\n"),
        ],
    ),
    (
        "a:\n  -1\n",
        2,
        [
            ("missing-dash: Add the dash", 2, "-1", "a:\n  - -1\n"),
            ("missing-dash: Add the dash", 3, "-1", "a:\n- -1\n"),
        ],
    ),
    (
        "a:\n  -.5\n",
        2,
        [
            ("missing-dash: Add the dash", 2, "-.5", "a:\n  - -.5\n"),
            ("missing-dash: Add the dash", 3, "-.5", "a:\n- -.5\n"),
        ],
    ),
    (
        "a:\n  - b\n  c\n  - d\n",
        3,
        [("missing-dash: Add the dash", 0, "c", "a:\n  - b\n  - c\n  - d\n")],
    ),
    (
        "a:\n  - b\n    c: 1\n",
        3,
        [("missing-dash: Add the dash", 2, "c: 1", "a:\n  - b\n  - c: 1\n")],
    ),
    (
        "a:\n  - b: 1\n  c: 2\n  - d: 1\n",
        3,
        [("missing-dash: Add the dash", 2, "c: 2", "a:\n  - b: 1\n  - c: 2\n  - d: 1\n")],
    ),
    (
        "a:\n  b\n  - c\n",
        2,
        [
            ("missing-dash: Add the dash", 1, "b", "a:\n  - b\n  - c\n"),
            ("missing-dash: Add the dash", 3, "b", "a:\n- b\n  - c\n"),
        ],
    ),
    (
        "a:\n    b: 1\n    c: 2\n",
        2,
        [
            ("missing-dash: Add the dash", 2, "b: 1", "a:\n  - b: 1\n    c: 2\n"),
            ("missing-dash: Add the dash", 3, "b: 1", "a:\n    - b: 1\n    c: 2\n"),
        ],
    ),
    ("a: 1\nb\n", 2, []),
    ("a:\n  - b\n      c\n", 3, []),
    ("- a\n-- b\n- c\n", 2, [("double-dash: Write one dash", 0, "-- b", "- a\n- b\n- c\n")]),
    ("a:\n- b\nc\n- d\n", 3, [("missing-dash: Add the dash", 0, "c", "a:\n- b\n- c\n- d\n")]),
    (
        "a:\n  b\n",
        2,
        [
            ("missing-dash: Add the dash", 2, "b", "a:\n  - b\n"),
            ("missing-dash: Add the dash", 3, "b", "a:\n- b\n"),
        ],
    ),
    ("a: [\n  -b]\n", 2, []),
    (
        "a:\n  - b\n  - c\n   d\n",
        4,
        [("missing-dash: Add the dash", 1, "d", "a:\n  - b\n  - c\n  - d\n")],
    ),
    (
        "a:\n    - b\nc:\n  d\n  - e\n",
        4,
        [
            ("missing-dash: Add the dash", 1, "d", "a:\n    - b\nc:\n  - d\n  - e\n"),
            ("missing-dash: Add the dash", 3, "d", "a:\n    - b\nc:\n- d\n  - e\n"),
        ],
    ),
]


@each(("text", "line", "expected"), CASES)
def test_what_is_proposed(text: str, line: int, expected: list[Proposed]) -> None:
    assert proposed(dashes, text, line) == expected
