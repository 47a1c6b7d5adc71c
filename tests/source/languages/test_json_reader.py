"""JSON: Python's reader is the judge of what is valid, of every value, and of every repair."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cfglint.source.document import Document, Mapping, Scalar, Sequence
from cfglint.source.json_problems import JsonProblemKind as Kind
from cfglint.source.languages.json import JSON, render
from cfglint.source.languages.json_reader import (
    repaired,
)
from cfglint.source.languages.json_repairs import MAX_INTEGER_CHARS
from cfglint.source.languages.json_scanner import MAX_DEPTH, MAX_NODES, MAX_PROBLEMS
from cfglint.source.problems import ProblemKind, SourceError
from cfglint.source.text import SourceText
from cfglint.source.values import same, to_python
from tests.draws import each, examples
from tests.fixes.json_cases import OBJECTS, Writer


def read(text: str) -> Document:
    return JSON.read(SourceText.from_str(text))


def refusal(text: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        read(text)
    return caught.value


def strict(text: str) -> Any:
    return json.loads(text)


# ---------------------------------------------------------------------------- valid JSON


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(st.data(), OBJECTS)
def test_valid_json_is_what_python_reads(data: st.DataObject, value: dict[str, Any]) -> None:
    text = Writer(data.draw, comments=False).text(value)
    document = read(text)
    assert not document.problems
    assert same(to_python(document.root), json.loads(text))
    check_spans(document)


def check_spans(document: Document) -> None:
    """Every node stands where its characters are."""
    text = document.text
    nodes: list[Any] = [document.root]
    while nodes:
        node = nodes.pop()
        literal = text[node.start : node.end]
        if isinstance(node, Scalar):
            assert same(json.loads(literal), node.value)
        elif isinstance(node, Mapping):
            assert literal[0] == "{"
            assert literal[-1] == "}"
            nodes += [part for entry in node.entries for part in (entry.key, entry.value)]
        else:
            assert literal[0] == "["
            assert literal[-1] == "]"
            nodes += node.items


@each(
    "literal",
    ["5e8", "1E+3", "-0", "-0.0", "1e999", "123456789012345678901234567890", "0.1", "1e-400",
     '"\\ud83d\\ude00"', '"\\ud800"', '"\\u00e9\\/\\b"', '"\x7f\x85\u2028\ufeff"', '""', "[]", "{}",
     "NaN", "-Infinity", "Infinity", "[[], {}]", '"<<"', '"&a *b !c"'],
)  # fmt: skip
def test_odd_values(literal: str) -> None:
    text = f'{{"a": {literal}, "<<": {{"b": 1}}}}'
    document = read(text)
    assert same(to_python(document.root), json.loads(text))
    check_spans(document)


def test_all_entries_of_a_repeated_key_are_there_and_the_last_counts() -> None:
    document = read('{"a": 1, "b": 2, "a": {"c": 3}}')
    assert [entry.name for entry in document.root.entries] == ["a", "b", "a"]
    assert same(to_python(document.root), {"a": {"c": 3}, "b": 2})
    assert document.node(("a", "c")) is not None


def test_nodes_say_what_they_are() -> None:
    document = read('{"a": ["x", 1, 1.5, true, null], "b": {}}')
    items = document.node(("a",))
    assert isinstance(items, Sequence)
    tags = [item.resolved.rpartition(":")[2] for item in items.items if isinstance(item, Scalar)]
    assert tags == ["str", "int", "float", "bool", "null"]
    assert items.flow
    assert document.root.flow
    assert document.language is JSON
    assert (document.root.depth, document.root.size) == (1, 10)


# ---------------------------------------------------------------------------- slips

SLIPS = [
    ('{"a": 1} // x', Kind.COMMENT, "// x", '{"a": 1}'),
    ('{\n  # x\n  "a": 1\n}\n', Kind.COMMENT, "# x", '{\n  "a": 1\n}\n'),
    ('{"a": /* x */ 1}', Kind.COMMENT, "/* x */", '{"a": 1}'),
    ('// x\n{"a": 1} ', Kind.COMMENT, "// x", '{"a": 1} '),
    ('{"a": 1}\n// x', Kind.COMMENT, "// x", '{"a": 1}'),
    ('{"a": 1}\r\n// x\r\n', Kind.COMMENT, "// x", '{"a": 1}\r\n'),
    ('{"a": "//", /* "b": 2,\n */ "c": 1}', Kind.COMMENT, '/* "b": 2,\n */', '{"a": "//", "c": 1}'),
    ('{"a": 1,}', Kind.EXTRA_COMMA, ",", '{"a": 1}'),
    ('{"a": [1, 2 , ]}', Kind.EXTRA_COMMA, ",", '{"a": [1, 2  ]}'),
    ('{"a": 1,, "b": 2}', Kind.EXTRA_COMMA, ",", '{"a": 1, "b": 2}'),
    ('{"a": 1\n "b": 2}', Kind.MISSING_COMMA, "1", '{"a": 1,\n "b": 2}'),
    ('{"a": {} "b": 2}', Kind.MISSING_COMMA, "}", '{"a": {}, "b": 2}'),
    ('{"a": [\n1\n2]}', Kind.MISSING_COMMA, "1", '{"a": [\n1,\n2]}'),
    ("{'a': 1}", Kind.SINGLE_QUOTES, "'a'", '{"a": 1}'),
    ("""{"a": 'say "it\\'s"'}""", Kind.SINGLE_QUOTES, """'say "it\\'s"'""", '{"a": "say \\"it\'s\\""}'),
    ('{"a": True}', Kind.LITERAL, "True", '{"a": true}'),
    ('{"a": [None]}', Kind.LITERAL, "None", '{"a": [null]}'),
    ('{"a": auto}', Kind.UNQUOTED_TEXT, "auto", '{"a": "auto"}'),
    ("{a: 1}", Kind.UNQUOTED_TEXT, "a", '{"a": 1}'),
    ('{a": 1}', Kind.UNQUOTED_TEXT, 'a"', '{"a": 1}'),
    ('{"a": +1}', Kind.NUMBER_FORM, "+1", '{"a": 1}'),
    ('{"a": -.5e3}', Kind.NUMBER_FORM, "-.5e3", '{"a": -0.5e3}'),
    ('{"a": 1.}', Kind.NUMBER_FORM, "1.", '{"a": 1.0}'),
    ('{"a": "x\ty"}', Kind.RAW_CONTROL, "\t", '{"a": "x\\ty"}'),
    ('{"a\x01": 1}', Kind.RAW_CONTROL, "\x01", '{"a\\u0001": 1}'),
    ('{"a":\xa01}', Kind.ODD_SPACE, "\xa0", '{"a": 1}'),
]  # fmt: skip


@each(("text", "kind", "marked", "right"), SLIPS)
def test_a_slip_is_recorded_with_its_repair(text: str, kind: Kind, marked: str, right: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        json.loads(text)
    document = read(text)
    (problem,) = document.problems
    assert problem.kind is kind
    assert text[problem.span.start : problem.span.end] == marked
    assert repaired(text, document.problems) == right
    assert same(to_python(document.root), json.loads(right))


def test_all_slips_are_found_at_once_with_their_paths() -> None:
    text = """{
  // head
  'a': {"b": [True, .5,],
    c: auto}
  "d": NaN,
}
"""
    document = read(text)
    assert [(problem.kind, problem.path) for problem in document.problems] == [
        (Kind.COMMENT, ()),
        (Kind.SINGLE_QUOTES, ("a",)),
        (Kind.LITERAL, ("a", "b", 0)),
        (Kind.NUMBER_FORM, ("a", "b", 1)),
        (Kind.EXTRA_COMMA, ("a", "b")),
        (Kind.UNQUOTED_TEXT, ("a", "c")),
        (Kind.UNQUOTED_TEXT, ("a", "c")),
        (Kind.MISSING_COMMA, ()),
        (Kind.NON_FINITE, ("d",)),
        (Kind.EXTRA_COMMA, ()),
    ]
    commas = [each for each in document.problems if each.kind is Kind.EXTRA_COMMA]
    assert [each.details["where"] for each in commas] == ["]", "}"]
    assert same(json.loads(repaired(text, document.problems)), to_python(document.root))


def test_a_number_that_json_lacks_is_a_value_all_the_same() -> None:
    document = read('{"a": NaN}')
    (problem,) = document.problems
    assert (problem.kind, problem.edits) == (Kind.NON_FINITE, ())


def test_a_byte_order_mark_is_reported() -> None:
    document = read('\ufeff{"a": 1}')
    assert [problem.kind for problem in document.problems] == [Kind.BOM]
    assert to_python(document.root) == {"a": 1}


# ---------------------------------------------------------------------------- what ends the reading

FATAL = [
    ("", ProblemKind.EMPTY, "", ""),
    (" \n", ProblemKind.EMPTY, "", ""),
    ("// x", ProblemKind.EMPTY, "", ""),
    ("[1]", ProblemKind.ROOT_NOT_MAPPING, "[1]", ""),
    ('"a"', ProblemKind.ROOT_NOT_MAPPING, '"a"', ""),
    ('{"a": 1', Kind.SYNTAX, "{", "never closed"),
    ('{"a": [1, 2}', Kind.SYNTAX, "}", "closes a `[`"),
    ('{"a": 1}}', Kind.SYNTAX, "}", "closes nothing"),
    ('{"a": 1} {"b": 2}', Kind.SYNTAX, "{", "a second object"),
    ('{"a": 1} x', Kind.SYNTAX, "x", "after the end"),
    ('{"a" 1}', Kind.SYNTAX, '"a"', "no `:`"),
    ('{"a": }', Kind.SYNTAX, '"a"', "no value"),
    ('{"a":', Kind.SYNTAX, '"a"', "no value"),
    ('{"a": , "b": 1}', Kind.SYNTAX, '"a"', "no value"),
    ('{"a": "x}\n', Kind.SYNTAX, '"', "not closed on its line"),
    ("{'a: 1}", Kind.SYNTAX, "'", "not closed on its line"),
    ('{"a": "C:\\data"}', Kind.SYNTAX, "\\d", "not a JSON escape"),
    ('{"a": "\\u12"}', Kind.SYNTAX, "\\u", "four hexadecimal digits"),
    ('{"a": 01}', Kind.SYNTAX, "01", "begins with a zero"),
    ('{"a": yes}', Kind.SYNTAX, "yes", "not a JSON value"),
    ('{"a": [1,,2]}', Kind.SYNTAX, ",", "expected an item before"),
    ('{"a": 1 2}', Kind.SYNTAX, "2", "a `,` or the closing `}`"),
    ('{"a": [1 2]}', Kind.SYNTAX, "2", "a `,` or the closing `]`"),
    ('{"a": ["b": 1]}', Kind.SYNTAX, ":", "no keys"),
    ('{"a": "b": 1}', Kind.SYNTAX, ":", "does not fit"),
    ('{"a": /* x', Kind.SYNTAX, "/*", "never closed"),
    ("{\u201ca\u201d: 1}", Kind.SYNTAX, "\u201c", "is not a quote in JSON"),
    ('{"a": \u201cb\u201d}', Kind.SYNTAX, "\u201cb\u201d", "is not a quote in JSON"),
    ("{1: 2}", Kind.SYNTAX, "1", "a key in double quotes"),
    ("{" + ":" * 9, Kind.SYNTAX, ":", "a key in double quotes"),
]


@each(("text", "kind", "marked", "words"), FATAL)
def test_what_has_no_evident_repair_is_refused(
    text: str, kind: Kind | ProblemKind, marked: str, words: str
) -> None:
    error = refusal(text)
    assert error.kind is kind
    assert text[error.span.start : error.span.end] == marked
    assert words in str(error.details.get("problem", ""))


def test_a_bracket_that_is_never_closed_may_be_one_further_in() -> None:
    assert refusal('{\n  "a": {\n    "b": 1\n  }\n').related == ()
    assert refusal('{\n  "a": {"b": 1}\n').related == ()
    before = '{\n  "a": {\n    "b": {'
    error = refusal(before + '\n      "c": 1\n  },\n  "d": 1\n}\n')
    assert error.span == (0, 1)
    ((span, note),) = error.related
    assert span.start == len(before) - 1
    assert "indented less" in note


# ---------------------------------------------------------------------------- limits


def test_depth() -> None:
    deepest = '{"a":' * MAX_DEPTH + "1" + "}" * MAX_DEPTH
    assert read(deepest).root.depth == MAX_DEPTH - 1
    assert refusal('{"a":' + deepest + "}").kind is ProblemKind.TOO_DEEP
    assert refusal("[" * 100_000).kind is ProblemKind.TOO_DEEP
    assert MAX_DEPTH == 100


def test_number_of_values() -> None:
    fits = '{"a": [' + ",".join("1" * (MAX_NODES - 3)) + "]}"
    assert read(fits).root.size == MAX_NODES
    assert refusal(fits.replace("[", "[1,")).kind is ProblemKind.TOO_LARGE


def test_digits() -> None:
    fits = f'{{"a": {"1" * MAX_INTEGER_CHARS}}}'
    assert same(to_python(read(fits).root), json.loads(fits))
    assert "digits" in str(refusal(fits.replace("1", "11")).details["problem"])


def test_a_long_word_is_cut() -> None:
    problem = str(refusal('{"a": ' + "*" * 5000 + "}").details["problem"])
    assert "***...`" in problem
    assert len(problem) < 120


def test_number_of_slips() -> None:
    assert len(read("{" + "/**/" * MAX_PROBLEMS + "}").problems) == MAX_PROBLEMS
    assert "mistakes" in str(refusal("{" + "/**/" * (MAX_PROBLEMS + 1) + "}").details["problem"])


# ---------------------------------------------------------------------------- anything at all

FRAGMENTS = st.sampled_from(
    ['{"a": 1}', '"a": ', '"b"', "{", "}", "[", "]", ",", ":", "'", '"', "//", "/*", "*/", "#",
     "\n", "\r", "\t", " ", "true", "True", "NaN", "auto", "1", ".5", "01", "\\", "\xa0", "\x00"]
)  # fmt: skip


@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=examples(500))
@given(st.lists(FRAGMENTS, max_size=14).map("".join), st.booleans())
def test_whatever_is_read_python_reads_too_once_it_is_repaired(text: str, wrap: bool) -> None:
    if wrap:
        text = '{"k": ' + text + "}"
    try:
        value, valid = json.loads(text), True
    except ValueError:
        value, valid = None, False
    try:
        document = read(text)
    except SourceError as error:
        start, end = error.span
        assert not isinstance(value, dict) and 0 <= start <= end <= len(text)  # noqa: PT018
        return
    slips = [each for each in document.problems if each.kind is not Kind.NON_FINITE]
    assert bool(slips) is not valid
    assert same(json.loads(repaired(text, document.problems)), to_python(document.root))
    if valid:
        assert same(to_python(document.root), value)


# ---------------------------------------------------------------------------- writing


@given(OBJECTS, st.sampled_from([None, "  ", "\t"]), st.booleans())
def test_what_is_written_is_read_back(value: Any, indent: str | None, compact: bool) -> None:
    text = render(value, indent=indent, compact=compact)
    assert same(json.loads(text), value)
    assert all(char.isprintable() or char in "\n\t" for char in text)


@each(
    ("written", "value", "tag"),
    [
        (".5", 0.5, "float"),
        ("+5", 5, "int"),
        ("5.", 5.0, "float"),
        ("+1e3", 1000.0, "float"),
    ],
)
def test_the_kind_of_a_number_in_another_form(written: str, value: float, tag: str) -> None:
    document = read(f'{{"a": {written}, "b": 1}}')
    node = document.node(("a",))
    assert isinstance(node, Scalar)
    assert node.value == value
    assert type(node.value) is type(value)
    assert node.resolved.rpartition(":")[2] == tag
