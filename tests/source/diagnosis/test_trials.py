"""What comes of trying a text: where the first error is, and how odd it looks as a config."""

from __future__ import annotations

from cfglint.source.diagnosis.trials import try_text
from tests.draws import each

#: A text, the offset of its first error (None: it is one mapping), and its oddity.
CASES: list[tuple[str, int | None, int]] = [
    ("a: 1\n", None, 0),
    ("", 0, 0),
    ("# a\n", 0, 0),
    ("a\n", 0, 0),
    ("- a\n", 0, 0),
    ("a: 1\n--- \nb: 2\n", 10, 0),
    (" a: 1\n", None, 4),
    ("a: [\n", 5, 0),
    ("a: 'b\n", 6, 0),
    ("a: \x01\n", 0, 0),
    ("a: 1\nb 2\n", 9, 0),
    ("a:\n\tb: 1\n", 3, 0),
    ("a: b\tc\n", 4, 0),
    ("a:\n", None, 1),
    ("a:\nb:\n", None, 2),
    ("a:\nb:\nc:\n", None, 2),
    ("a: 1\na: 2\n", None, 4),
    ("a b: 1\n", None, 4),
    ("'a b': 1\n", None, 4),
    ("a=b: 1\n", None, 4),
    ("-a: 1\n", None, 4),
    ("'a:b': 1\n", None, 0),
    ("a:b: 1\n", None, 4),
    ("a[0]: 1\n", None, 4),
    ("\u201ca\u201d: 1\n", None, 4),
    ("a:\n  b: 1\n", None, 0),
    ("a:\n b: 1\n", None, 3),
    ("a:\n   b: 1\n", None, 3),
    ("a:\n    b: 1\n", None, 2),
    ("a:\n  b: 1\nc:\n    d: 1\n", None, 2),
    ("a:\n  b: 1\nc:\n  d: 1\ne:\n   f: 1\n", None, 3),
    ("a:\n- b\n", None, 0),
    ("a:\n  - b\nc:\n- d\n", None, 2),
    ("a:\n  - b\nc:\n - d\n", None, 3),
    ("a:\n  - b: 1\n  - c: 1\n", None, 0),
    ("a:\n  -   b: 1\n", None, 2),
    ("a:\n  - - b\n", None, 4),
    ("a:\n  - [b]\n", None, 0),
    ("a:\n  - b\n  - c: 1\n", None, 4),
    ("a:\n  - b\n  - c: 1\n  - [d]\n", None, 4),
    ("a:\n  -\n  - b\n", None, 3),
    ("a:\n  - b c\n  - d\n", None, 1),
    ("a:\n  - b c\n  - d e\n", None, 0),
    ("a:\n  - 1\n  - b\n", None, 2),
    ("a:\n  - 1\n  - 2\n", None, 0),
    ("a:\n  - 1\n  - 1e-4\n  - b\n", None, 2),
    ("a: b\n  c\n", None, 5),
    ("a: 'b\n  c'\n", None, 2),
    ("a: |\n  b\n  c\n", None, 0),
    ("a: bcd:e\n", None, 3),
    ("a: http://x\n", None, 0),
    ("a: bcd:\\x\n", None, 0),
    ("a: - b\n", 3, 0),
    ("a: -b\n", None, 3),
    ("a: --\n", None, 3),
    ("a: =b\n", None, 3),
    ("a: b - c\n", None, 3),
    ("a: \u201cb\n", None, 3),
    ('a: b"\n', None, 3),
    ("a: b'\n", None, 3),
    ("a: \u2018b\u2019\n", None, 3),
    ("a: [b c]\n", None, 1),
    ("a: [b 'c]\n", None, 1),
    ("a: {b: c d, e: [f g]}\n", None, 2),
    ("a: [b, {c: 1}]\n", None, 4),
    ("a: {b: 1, c: {d: 1}}\n", None, 0),
    ("? [a]\n: b\n", None, 4),
    ("{a: 1}\n", None, 0),
    ("a: !x b\n", None, 0),
    ("%a\n", 2, 0),
    ("a: 1\n...\nb: 1\n", 9, 0),
]


@each(("text", "reached", "oddity"), CASES)
def test_outcome(text: str, reached: int | None, oddity: int) -> None:
    assert try_text(text) == (reached, oddity)


def test_depth_has_a_limit() -> None:
    assert try_text(f"a: {'[' * 99}{']' * 99}\n").reached is None
    assert try_text(f"a: {'[' * 100}{']' * 100}\n").reached == 102
