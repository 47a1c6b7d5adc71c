"""The keys of a text as a tree, and the files that it names."""

from __future__ import annotations

from pathlib import Path

from cfglint.server.outline import Symbol, links, moved, symbols
from cfglint.source.document import Document
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText, Span
from tests.server.opening import BASE, opened

TEXT = """\
a: 1
b:
  c: true
  d:

  - x
  - e: text
    f: null
  - [1, 2]

g: {}
"": 0.5
"""


def tree(found: tuple[Symbol, ...]) -> list[tuple[str, str, str, int]]:
    out: list[tuple[str, str, str, int]] = []
    for one in found:
        out.append((one.name, one.kind, one.detail, len(one.children)))
        out += tree(one.children)
    return out


def read() -> Document:
    found = language("yaml").read(SourceText(TEXT))
    assert isinstance(found, Document)
    return found


def test_the_tree() -> None:
    assert tree(symbols(read())) == [
        ("a", "number", "1", 0),
        ("b", "mapping", "", 2),
        ("c", "flag", "true", 0),
        ("d", "list", "", 2),
        ("[1]", "mapping", "", 2),
        ("e", "text", "text", 0),
        ("f", "null", "null", 0),
        ("[2]", "list", "", 0),
        ("g", "mapping", "", 0),
        ('""', "number", "0.5", 0),
    ]


def test_a_long_value_is_cut() -> None:
    document = language("yaml").read(SourceText(f"a: {'x' * 100}\n"))
    assert isinstance(document, Document)
    assert symbols(document)[0].detail == "x" * 80


def test_places() -> None:
    _, b, *_ = symbols(read())
    assert TEXT[b.selection.start : b.selection.end] == "b"
    assert TEXT[b.span.start : b.span.end] == TEXT[TEXT.index("b:") : TEXT.index("\n\ng")]
    item, inner = b.children[1].children
    assert TEXT[item.span.start : item.span.end] == "e: text\n    f: null"
    assert TEXT[item.selection.start : item.selection.end] == "e: text"
    assert TEXT[inner.selection.start : inner.selection.end] == "[1, 2]"


def test_where_a_line_is_half_typed() -> None:
    def here(span: Span) -> Span | None:
        if span.start < 5:
            return None
        return Span(span.start + 1, span.end + 1) if span.end - span.start < 3 else None

    found = moved(symbols(read()), here)
    assert [one.name for one in found] == ["b", "g", '""']
    start = TEXT.index("b:")
    # All of it ends where something is half typed.
    assert found[0].span == found[0].selection == Span(start + 1, start + 2)
    assert [one.name for one in found[0].children] == ["c", "d"]


def test_links(tmp_path: Path) -> None:
    (tmp_path / "ds.json").write_text("{}")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.jsonl").write_text("")
    (tmp_path / "Makefile").write_text("")
    text = (
        f"{BASE}deepspeed: ds.json\ndatasets:\n  - path: data/a.jsonl\n  - path: data\n"
        "a: Makefile\nb: none.json\nc: 1.5\nd: ' '\n"
    )
    state, shown = opened(text, folder=tmp_path)
    run = state.run(shown)
    assert run is not None
    found = [(text[span.start : span.end], Path(path)) for span, path in links(run)]
    assert found == [
        ("ds.json", tmp_path / "ds.json"),
        ("data/a.jsonl", tmp_path / "data" / "a.jsonl"),
    ]
