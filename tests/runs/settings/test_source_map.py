"""Several texts on one scale: a position says which text it is in."""

from __future__ import annotations

from cfglint.diagnostic import OtherFile
from cfglint.runs.settings.source_map import SourceMap, SourcePlace, moved
from cfglint.source.document import Mapping
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText, Span
from cfglint.source.values import to_python

FIRST = SourceText("a: 1\n")
SECOND = OtherFile("/b.yml", SourceText("b: 2\n"))
THIRD = OtherFile("/c.yml", SourceText("c: 3\n"))


def test_each_text_has_a_range_to_itself() -> None:
    sources, second = SourceMap(FIRST).with_file(SECOND)
    sources, third = sources.with_file(THIRD)
    assert sources.place(Span(0, 4)) == SourcePlace(None, Span(0, 4))
    assert sources.place(Span(second, second + 4)) == SourcePlace(SECOND, Span(0, 4))
    assert sources.place(Span(third + 3, third + 4)) == SourcePlace(THIRD, Span(3, 4))
    assert sources.texts == ("a: 1\n", "b: 2\n", "c: 3\n")


def test_the_end_of_a_text_is_not_the_beginning_of_the_next() -> None:
    sources, second = SourceMap(FIRST).with_file(SECOND)
    assert sources.place(Span(5, 5)).file is None
    assert second == 6


def test_a_span_ends_in_the_text_that_it_begins_in() -> None:
    sources, second = SourceMap(FIRST).with_file(SECOND)
    assert sources.place(Span(3, second + 4)) == SourcePlace(None, Span(3, 5))
    assert sources.clipped(Span(3, second + 4)) == Span(3, 5)
    assert sources.clipped(Span(second, second + 4)) == Span(second, second + 4)


def test_a_map_does_not_change_when_a_text_is_added() -> None:
    sources = SourceMap(FIRST)
    sources.with_file(SECOND)
    assert sources.texts == ("a: 1\n",)


def test_a_moved_tree_is_the_same_further_on() -> None:
    text = "x: &x {a: [1, 'two']}\n<<: *x\ny: *x\n"
    document = compose(SourceText(text))
    copy = moved(document.root, 100)
    assert to_python(copy) == to_python(document.root)
    assert [entry.span for entry in copy.entries] == [
        Span(entry.span.start + 100, entry.span.end + 100) for entry in document.root.entries
    ]
    assert (copy.size, copy.depth) == (document.root.size, document.root.depth)


def test_what_an_alias_refers_to_is_copied_once() -> None:
    root = compose(SourceText("x: &x {a: 1}\ny: *x\n")).root
    copy = moved(root, 1)
    inner = copy.lookup["y"].value.target()
    assert isinstance(inner, Mapping)
    assert inner is copy.lookup["x"].value
    assert inner is not root.lookup["x"].value
