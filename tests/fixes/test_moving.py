"""Moving a key to another mapping, with its comments and its spelling."""

from __future__ import annotations

import yaml

from cfglint.fixes.actions import MoveKey
from cfglint.fixes.applying import apply_edits
from cfglint.fixes.planning import plan
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tests.draws import each


def moved(text: str, old: str, new: str) -> str:
    """The text after a move of one key, or why it is refused."""
    source = SourceText(text)
    path, new_path = (
        tuple(int(part) if part.isdigit() else part for part in one.split("."))
        for one in (old, new)
    )
    planned = plan(compose(source), [MoveKey(path, new_path)])
    if planned.refused is not None:
        return f"refused: {planned.refused}"
    after = apply_edits(text, planned.edits)
    before, now = yaml.safe_load(text), yaml.safe_load(after)
    for part in path:
        before = before[part]
    for part in new_path:
        now = now[part]
    assert now == before
    return after


@each(
    ("text", "old", "new", "expected"),
    [
        ("a: 1\nb: 2\n", "a", "c", "c: 1\nb: 2\n"),
        ("a: 1\nb:\n  x: 2\n", "a", "b.y", "b:\n  x: 2\n  y: 1\n"),
        (
            "# about a\na: 1  # one\nb:\n  x: 2\n",
            "a",
            "b.y",
            "b:\n  x: 2\n  # about a\n  y: 1  # one\n",
        ),
        (
            "a:\n  - 1\n  # two\n  - 2\nb:\n    x: 2\n",
            "a",
            "b.y",
            "b:\n    x: 2\n    y:\n      - 1\n      # two\n      - 2\n",
        ),
        ("a: 1\nb: {x: 2}\n", "a", "b.y", "b: {x: 2, y: 1}\n"),
        ("a: 1 # c\nb:\nz: 3\n", "a", "b.y", "b:\n  y: 1 # c\nz: 3\n"),
        ("a: 1\nb: 3\n", "a", "b.y", "refused: `b` is not a mapping."),
        ("a: 1\nz: 2\n", "a", "b.c.d", "b:\n  c:\n    d: 1\nz: 2\n"),
        ("# h\na: 1\nz: 2\n", "a", "b.c", "b:\n  # h\n  c: 1\nz: 2\n"),
        ("z: 0\na: 1\n", "a", "b.c", "z: 0\nb:\n  c: 1\n"),
        ("b:\n  x: 1\n  y: 2\nz: 3\n", "b.x", "w", "b:\n  y: 2\nz: 3\nw: 1\n"),
        ("b:\n  x: 1\nz: 3\n", "b.x", "w", "b: {}\nz: 3\nw: 1\n"),
        ("b: {x: 1, y: 2}\nz: 3\n", "b.x", "w", "b: {y: 2}\nz: 3\nw: 1\n"),
        ("a: 1\nb: 2\n", "a", "b", "refused: `b` already has a value."),
        ("a: 1\nb:\n", "a", "b", "b: 1\n"),
        ("a: {x: 1}\n", "a", "a.y", "refused: A key cannot be moved into itself."),
        ("a: 1\nb:\n  x: 2\n", "a", "b.0", "refused: `a` is not a key."),
        ("a: |\n  x\n  y\nb:\n  z: 1\n", "a", "b.t", "b:\n  z: 1\n  t: |\n    x\n    y\n"),
        (
            "a: |+\n  x\n\nb:\n  z: 1\n",
            "a",
            "b.t",
            "refused: Blank lines that belong to a block text cannot be moved.",
        ),
        (
            "b:\n  z: 1\na: |\n  x",
            "a",
            "b.t",
            "refused: A block text at the end of the file, without a line break, would change.",
        ),
        ("'a': \"1\"\nb:\n  x: 2\n", "a", "b.y", "b:\n  x: 2\n  'y': \"1\"\n"),
        ("l:\n  - a: 1\n    b: 2\n", "l.0.a", "l.0.c.d", "l:\n  - b: 2\n    c:\n      d: 1\n"),
        ("l:\n  - a: 1\n    b: 2\n", "l.0.b", "l.0.c", "l:\n  - a: 1\n    c: 2\n"),
        ("l:\n  - a: 1\n    b: 2\nz: 1\n", "l.0.a", "y", "l:\n  - b: 2\nz: 1\ny: 1\n"),
        (
            "x: &q 1\na: *q\nb:\n  z: 1\n",
            "a",
            "b.y",
            "refused: `a` is shared through an anchor, an alias or a merge key.",
        ),
        (
            "x: &q 1\na: *q\nb:\n  z: 1\n",
            "x",
            "b.y",
            "refused: `x` is shared through an anchor, an alias or a merge key.",
        ),
        (
            "q: &q {w: 1}\nb:\n  <<: *q\n  z: 1\na: 2\n",
            "a",
            "b.y",
            "refused: `b` is shared through an anchor, an alias or a merge key.",
        ),
        (
            "a:\n  x: 1\n\n# next\nb:\n  z: 1\n",
            "a",
            "b.y",
            "\n# next\nb:\n  z: 1\n  y:\n    x: 1\n",
        ),
        ("a: [1,\n 2]\nb:\n  z: 1\n", "a", "b.y", "b:\n  z: 1\n  y: [1,\n   2]\n"),
        ("a:\n- 1\n- 2\nb:\n  z: 1\n", "a", "b.y", "b:\n  z: 1\n  y:\n  - 1\n  - 2\n"),
        ("a: 1\r\nb:\r\n  x: 2\r\n", "a", "b.y", "b:\r\n  x: 2\r\n  y: 1\r\n"),
    ],
)
def test_moves(text: str, old: str, new: str, expected: str) -> None:
    assert moved(text, old, new) == expected
