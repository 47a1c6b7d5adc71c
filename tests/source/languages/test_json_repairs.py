"""The text of repairs: numbers as JSON writes them, and files without a comment."""

from __future__ import annotations

import json

from cfglint.source.languages.json import JSON
from cfglint.source.languages.json_repairs import MAX_INTEGER_CHARS, as_number, without_comment
from cfglint.source.text import SourceText
from tests.draws import each

NUMBERS: list[tuple[str, str | None]] = [
    ("+1", "1"),
    ("-1", "-1"),
    ("01", None),
    ("1.", "1.0"),
    (".5", "0.5"),
    ("-.5", "-0.5"),
    ("+.5e3", "0.5e3"),
    (".", None),
    ("1.5", "1.5"),
    ("+", None),
    ("-", None),
    ("1e5", "1e5"),
    ("+1E+2", "1E+2"),
    (".e3", None),
    ("1.e3", "1.0e3"),
    ("1e", None),
    ("0.", "0.0"),
    ("+0", "0"),
    ("--1", None),
    ("", None),
]
#: A text, a comment in it, and the text without it.
COMMENTS = [
    ('{"a": 1} // x\n', "// x", '{"a": 1}\n'),
    ("// x\n{}", "// x", "{}"),
    ("  // x  \r\n{}", "// x", "{}"),
    ("{}\n// x", "// x", "{}"),
    ("{}\r\n  // x", "// x", "{}"),
    ("{}\r// x", "// x", "{}"),
    ("{} /* x */ y", "/* x */", "{} y"),
    ('{/* x */ "a": 1}', "/* x */", '{"a": 1}'),
    ('{"a": /* x */ 1}', "/* x */", '{"a": 1}'),
    ('{"a":/* x */1}', "/* x */", '{"a":1}'),
    ("// x", "// x", ""),
    ("[ /* x */ 1]", "/* x */", "[ 1]"),
    ('{"a": 1 /* x */\n}', "/* x */", '{"a": 1\n}'),
    ('{ /* x */"a": 1}', "/* x */", '{ "a": 1}'),
]


@each(("word", "right"), NUMBERS)
def test_numbers(word: str, right: str | None) -> None:
    assert as_number(word) == right
    assert right is None or json.loads(right) == float(word)


def test_long_numbers() -> None:
    assert as_number("1" * MAX_INTEGER_CHARS) is not None
    assert as_number("1" * (MAX_INTEGER_CHARS + 1)) is None


@each(("text", "comment", "left"), COMMENTS)
def test_comments(text: str, comment: str, left: str) -> None:
    start = text.index(comment)
    begin, end, put = without_comment(text, start, start + len(comment))
    assert text[:begin] + put + text[end:] == left


def test_a_key_without_quotes_gets_them_as_it_is() -> None:
    text = '{"a": 1, größe": 2, b: 3}'
    problems = JSON.read(SourceText(text)).problems
    assert [problem.edits for problem in problems] == [((9, 15, '"größe"'),), ((20, 21, '"b"'),)]
