"""Properties of reading, on documents that are made up and on broken ones."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, example, given, reject, settings

from cfglint.source.document import Document, Mapping, Node, Scalar, Sequence
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tests.draws import examples
from tests.odd_yaml import odd_documents
from tests.source.oracle import assert_read_alike, assert_same, oracle
from tests.strategies import documents, mutated

#: The line breaks of YAML 1.1.
_BREAKS = frozenset("\n\r\x85\u2028\u2029")
QUICK = settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))


@QUICK
@given(documents())
def test_made_up_documents(text: str) -> None:
    assert_read_alike(text)


@QUICK
@given(mutated())
def test_mutated_documents(text: str) -> None:
    assert_read_alike(text)


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(odd_documents())
def test_odd_documents(text: str) -> None:
    assert_read_alike(text)


@QUICK
@given(mutated())
def test_pure_and_fast_reading_agree(text: str) -> None:
    def outcome(*, pure: bool) -> Any:
        try:
            return compose(SourceText.from_str(text), pure=pure)
        except SourceError as error:
            return error.kind

    fast, slow = outcome(pure=False), outcome(pure=True)
    if isinstance(fast, Document) and isinstance(slow, Document):
        assert [(path, node.span) for path, _, node in fast.walk()] == [
            (path, node.span) for path, _, node in slow.walk()
        ]
    else:
        assert fast == slow


def _children(node: Node) -> list[tuple[int, int]]:
    if isinstance(node, Mapping):
        return [span for entry in node.entries for span in (entry.key.span, entry.value.span)]
    return [item.span for item in node.items] if isinstance(node, Sequence) else []


def assert_spans(text: str) -> None:
    try:
        document = compose(SourceText.from_str(text))
    except SourceError:
        return
    text = document.text
    for _, _, node in document.walk():
        assert 0 <= node.start <= node.end <= len(text)
        position = node.start
        for start, end in _children(node):
            assert position <= start <= end <= node.end
            position = end
        if isinstance(node, Scalar) and node.style in ("", "'", '"') and node.anchor is None:
            written = text[node.start : node.end]
            # Of several lines, those below would have to be indented here.
            if _BREAKS.isdisjoint(written):
                assert_same(oracle(f"k: {written}\n"), {"k": node.value})


@QUICK
@given(documents())
def test_spans_of_documents(text: str) -> None:
    assert_spans(text)


@QUICK
@given(mutated())
@example("a: [+\x853]\n")
def test_spans_of_mutated_documents(text: str) -> None:
    assert_spans(text)


@QUICK
@given(documents())
def test_places_and_paths(text: str) -> None:
    """From a value's first character back to its path, and from the path to the value."""
    try:
        document = compose(SourceText.from_str(text))
    except SourceError:
        reject()
    last = {path: node for path, _, node in document.walk()}
    for path, node in last.items():
        if node.end > node.start and isinstance(node, Scalar):
            assert document.path_at(node.start) == path
            assert document.path_at(node.end - 1) == path
        if all(isinstance(part, int) or part in _string_keys(document) for part in path):
            assert document.node(path) is node


def _string_keys(document: Document) -> set[str]:
    return {entry.name for _, entry, _ in document.walk() if entry is not None and entry.name}
