"""What ends the reading of a JSON text: the place, the words, and what they are related to."""

from __future__ import annotations

import json

import pytest

from cfglint.source.languages.json import JSON
from cfglint.source.languages.json_reader import repaired
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText
from tests.draws import each

#: Text, the place, the words, and related places (start, length, note).
REFUSED: list[tuple[str, str, str, list[tuple[int, int, str]]]] = [
    ('{"a": [1, 2}}', "}", "`}` closes a `[`, which needs `]`", [(6, 1, "opened here")]),
    ('{"a": {"b": 1]}', "]", "`]` closes a `{`, which needs `}`", [(6, 1, "opened here")]),
    ('{"a": 1', "{", "this `{` is never closed", []),
    ('{"a": {"b": 1}', "{", "this `{` is never closed", []),
    (
        '{\n  "a": {\n    "b": [\n      1\n  ],\n  "c": 1\n',
        "{",
        "this `{` is never closed",
        [(20, 1, "closed by a `]` that is indented less: perhaps this one")],
    ),
    ('{\n  "a": [\n    1\n  ],\n', "{", "this `{` is never closed", []),
    (
        '\t{\n\t\t"a": {"b": 1\n\t}\n',
        "{",
        "this `{` is never closed",
        [(10, 1, "closed by a `}` that is indented less: perhaps this one")],
    ),
    (
        '{\r  "a": {\r    "b": {\r   }\r',
        "{",
        "this `{` is never closed",
        [(20, 1, "closed by a `}` that is indented less: perhaps this one")],
    ),
    (
        '{"a": "b": 1}',
        ":",
        "a `:` that does not fit into this member",
        [(0, 1, "in the brackets that open here")],
    ),
    (
        '{"a": ["b": 1]}',
        ":",
        "a `:` that does not fit into a list, which has no keys",
        [(6, 1, "in the brackets that open here")],
    ),
    (
        '{"a": [1 2]}',
        "2",
        "a `,` or the closing `]` is missing here",
        [(6, 1, "in the brackets that open here")],
    ),
    (
        '{"a": 1 2}',
        "2",
        "a `,` or the closing `}` is missing here",
        [(0, 1, "in the brackets that open here")],
    ),
    ('{"a"', "{", "this `{` is never closed", []),
    ('{"a" 1}', '"a"', "this key has no `:` after it", []),
    ('{"a": ', '"a"', "this key has no value", []),
    ('{"a": ,', '"a"', "this key has no value", []),
    ('{"a": ]', '"a"', "this key has no value", []),
    ('{"a": [,1]}', ",", "expected an item before this comma", []),
    ('{"a": [/]}', "/", "expected a value here", []),
    ('{"a": /}', "/", "expected a value here", []),
    ('{"a": 1}}', "}", "this `}` closes nothing", []),
    ('{"a": 1}]', "]", "this `]` closes nothing", []),
    ('{"a": 1} {', "{", "a second object; a JSON file contains only one", []),
    ('{"a": 1} x', "x", "text after the end of the JSON value", []),
    (
        '{"a": \u2018b}',
        "\u2018b",
        'expected a value here, but `\u2018` is not a quote in JSON; write `"`',
        [],
    ),
    (
        "{\u201ca: 1}",
        "\u201c",
        'expected a key in double quotes here, but `\u201c` is not a quote in JSON; write `"`',
        [],
    ),
    (
        '{"a": b\u201dc}',
        "b\u201dc",
        'expected a value here, but `\u201d` is not a quote in JSON; write `"`',
        [],
    ),
    ('{"a": 01}', "01", "`01` begins with a zero, which JSON does not allow for a number", []),
    (
        '{"a": -007}',
        "-007",
        "`-007` begins with a zero, which JSON does not allow for a number",
        [],
    ),
    (
        '{"a": 0x1}',
        "0x1",
        "`0x1` is not a JSON value; put it in double quotes if it is a string",
        [],
    ),
    (
        '{"a": yes}',
        "yes",
        "`yes` is not a JSON value; put it in double quotes if it is a string",
        [],
    ),
    (
        '{"a": ****************************************}',
        "****************************************",
        "`****************************************` is not a JSON value; put it in double quotes if it is a string",
        [],
    ),
    (
        '{"a": *****************************************}',
        "*****************************************",
        "`*************************************...` is not a JSON value; put it in double quotes if it is a string",
        [],
    ),
    (
        '{"a": "b\\qc"}',
        "\\q",
        "`\\q` is not a JSON escape; write `\\\\` for a backslash",
        [],
    ),
    ('{"a": "\\u12"}', "\\u", "`\\u` has to be followed by four hexadecimal digits", []),
    ('{"a": "\\"}', '"', 'this `"` is not closed on its line', []),
    ('{"a": "\\uZZZZ"}', "\\u", "`\\u` has to be followed by four hexadecimal digits", []),
    (
        '{"a": "b\\x41"}',
        "\\x",
        "`\\x` is not a JSON escape; write `\\\\` for a backslash",
        [],
    ),
    (
        "{'a\\qb': 1}",
        "'a\\qb'",
        "text in single quotes, with an escape that JSON does not know",
        [],
    ),
    ('{"a": "b\n"}', '"', 'this `"` is not closed on its line', []),
    ("{\"a\": 'b\n'}", "'", "this `'` is not closed on its line", []),
    ("/* x", "/*", "this comment is never closed", []),
    ('{"a": 1 /* x', "/*", "this comment is never closed", []),
    (
        '{"a": "b" "c"}',
        '"',
        "a `,` or the closing `}` is missing here",
        [(0, 1, "in the brackets that open here")],
    ),
    ('{"a": [1\n}', "}", "`}` closes a `[`, which needs `]`", [(6, 1, "opened here")]),
    (
        '{"a": [1\n:]}',
        ":",
        "a `:` that does not fit into a list, which has no keys",
        [(6, 1, "in the brackets that open here")],
    ),
    (
        '{"a": 1 b: 2}',
        "b",
        "a `,` or the closing `}` is missing here",
        [(0, 1, "in the brackets that open here")],
    ),
    (
        '{"a": ["b" "c"]}',
        '"',
        "a `,` or the closing `]` is missing here",
        [(6, 1, "in the brackets that open here")],
    ),
    ("{3: 1}", "3", "expected a key in double quotes here", []),
    (
        '{"a": nan}',
        "nan",
        "`nan` is not a JSON value; put it in double quotes if it is a string",
        [],
    ),
    ('{"a": "x\\', '"', 'this `"` is not closed on its line', []),
    ('"a"\n"b"', '"', "text after the end of the JSON value", []),
    ("[1,\n2]", "[1,", "", []),
    ("3 ", "3", "", []),
]
#: Slips that have an evident repair after all.
MENDED = [
    '{,"a": 1}',
    '{"a": [1\nx]}',
    '{"a": 1\nb: 2}',
    '{"a": 1 "b": 2}',
    '{"a": ["b"\n"c"]}',
    '{"a": [[1]\n[2]\n-3]}',
]


@each(("text", "place", "words", "related"), REFUSED)
def test_refused(text: str, place: str, words: str, related: list[tuple[int, int, str]]) -> None:
    with pytest.raises(SourceError) as caught:
        JSON.read(SourceText.from_str(text))
    error = caught.value
    assert text[error.span.start : error.span.end] == place
    assert error.details.get("problem", "") == words
    found = [(span.start, span.end - span.start, note) for span, note in error.related]
    assert found == related


@each("text", MENDED)
def test_mended(text: str) -> None:
    json.loads(repaired(text, JSON.read(SourceText.from_str(text)).problems))
