"""The examples of rules, without their marks."""

from __future__ import annotations

from cfglint.knowledge.compiling.examples import prepare, prepare_files
from cfglint.knowledge.compiling.model import Example
from tests.draws import each


@each(
    ("example", "data", "marked"),
    [
        (Example(bad="a: 1\n"), b"a: 1\n", ()),
        (Example(bad="a: 1  # <- KEY001\n"), b"a: 1\n", (1,)),
        (Example(bad="a: 1\nb: 2 # <- KEY001, DAT002\r\nc: 3\n"), b"a: 1\nb: 2\r\nc: 3\n", (2,)),
        (
            Example(bad="a:  # <- KEY001\n  b: 1\n  c: 2  # <- KEY001"),
            b"a:\n  b: 1\n  c: 2",
            (1, 3),
        ),
        (Example(bad="\na: 1  # <- KEY001\n"), b"\na: 1\n", (2,)),
        (Example(bad="a: 1  # <- ACME-001, KEY001\n"), b"a: 1\n", (1,)),
        # A comment is no mark.
        (Example(good="a: 1  # <- not a code\n"), b"a: 1  # <- not a code\n", ()),
        (Example(good=""), b"", ()),
        # All lines after the first are repeated.
        (Example(good="a:\n  - 1\n", repeat=3), b"a:\n  - 1\n  - 1\n  - 1\n", ()),
        (Example(good="a:\n  - 1\n", repeat=2), b"a:\n  - 1\n  - 1\n", ()),
        (Example(good="a: \u00e9\n", encoding="latin-1"), b"a: \xe9\n", ()),
    ],
)
def test_examples(example: Example, data: bytes, marked: tuple[int, ...]) -> None:
    assert prepare(example) == (data, marked)


def test_files_beside_an_example() -> None:
    files = {"a.json": '\n{"b": 1}  # <- DSP001\n', "b.txt": "x"}
    assert prepare_files(Example(bad="a: 1", files=files)) == {
        "a.json": (b'\n{"b": 1}\n', (2,)),
        "b.txt": (b"x", ()),
    }
