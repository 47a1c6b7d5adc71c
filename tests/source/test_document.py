"""Paths, entries and spans of a document."""

from __future__ import annotations

import time

import pytest

from cfglint.source.document import Document, Path, Scalar, format_path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from cfglint.source.values import to_python
from tests.draws import each

TEXT = """\
base: &base
  lr: 1
  name: "x y"
run:
  <<: *base
  lr: 2
list:
- a
- {b: [c, d]}
- - e
1: one
text: |
  two
  lines

# after
last: end
"""


@pytest.fixture
def document() -> Document:
    return compose(SourceText(TEXT))


@pytest.mark.parametrize(
    ("path", "written"),
    [
        (("base",), "base"),
        (("base", "lr"), "lr: 1"),
        (("base", "name"), 'name: "x y"'),
        (("run", "lr"), "lr: 2"),
        (("run", "name"), 'name: "x y"'),
        (("list",), "list"),
        (("list", 0), "a"),
        (("list", 1, "b"), "b: [c, d]"),
        (("list", 1, "b", 1), "d"),
        (("list", 2, 0), "e"),
        (("text",), "text: |\n  two\n  lines"),
        (("last",), "last: end"),
        (("list", 3), None),
        (("list", -1), None),
        (("nothing",), None),
        (("last", "x"), None),
        (("last", 0), None),
        (("base", 0), None),
    ],
)
def test_span(document: Document, path: Path, written: str | None) -> None:
    span = document.span(path)
    assert (None if span is None else TEXT[span.start : span.end]) == written


@pytest.mark.parametrize(
    ("needle", "path"),
    [
        ("base:", ("base",)),
        ("1\n", ("base", "lr")),
        ("x y", ("base", "name")),
        ("run", ("run",)),
        ("*base", ("run", "<<")),
        ("2\n", ("run", "lr")),
        ("d]", ("list", 1, "b", 1)),
        ("e\n1", ("list", 2, 0)),
        ("one", ("1",)),
        ("lines", ("text",)),
        ("# after", ()),
        ("end", ("last",)),
    ],
)
def test_path_at(document: Document, needle: str, path: Path) -> None:
    assert document.path_at(TEXT.index(needle)) == path


def test_merged_values_are_found_where_they_are_written(document: Document) -> None:
    entry = document.entry(("run", "name"))
    assert entry is not None
    assert entry.span.start == TEXT.index("name:")
    assert to_python(document.root)["run"] == {"lr": 2, "name": "x y"}


def test_walk_meets_each_written_value_once(document: Document) -> None:
    starts = [node.start for _, _, node in document.walk()]
    assert starts == sorted(starts)
    assert [path for path, _, _ in document.walk()].count(("base", "lr")) == 1
    assert ("run", "name") not in [path for path, _, _ in document.walk()]


@each(
    ("path", "shown"),
    [
        ((), ""),
        (("a",), "a"),
        (("a", 0, "b"), "a[0].b"),
        (("a", "b", 1, 2), "a.b[1][2]"),
    ],
)
def test_format_path(path: Path, shown: str) -> None:
    assert format_path(path) == shown


def test_no_entry_is_looked_for_among_all_others() -> None:
    mapping = compose(SourceText("".join(f"k{number}: 1\n" for number in range(16_000)))).root
    started = time.process_time()
    for number, entry in enumerate(mapping.entries):
        assert mapping.position_of(entry) == number
        assert mapping.positions_of(entry.name) == [number]
        assert not mapping.has_merge
    assert time.process_time() - started < 1


@each(
    ("text", "depth"),
    [
        ("a: 1", 0),
        ("{}", 0),
        ("a: [1]", 1),
        ("a: []", 1),
        ("a: 1\nb: {c: 1}\nd: 2", 1),
        ("a: [1, {b: 2}]", 2),
        ("a: &x [1]\nb: *x", 1),
        # An alias is as deep as what it stands for.
        ("a: &x [[1]]\nb: {c: *x}", 3),
    ],
)
def test_the_levels_of_collections_below_a_file(text: str, depth: int) -> None:
    root = compose(SourceText(text)).root
    assert root.depth == depth
    assert {entry.value.depth for entry in root.entries if isinstance(entry.value, Scalar)} <= {0}
