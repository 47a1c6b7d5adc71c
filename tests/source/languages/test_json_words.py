"""Every problem has its clause."""

from __future__ import annotations

import pytest

from cfglint.source.languages.json import JSON
from cfglint.source.languages.json_words import in_words
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is empty"),
        (" \n ", "it is empty"),
        ("[]", "it holds no object `{…}`"),
        ('{"a": 1,}', "a trailing comma"),
        ('{"a": 1\n"b": 2}', "a comma is missing after this"),
        ('{"a": True}', "JSON literals are true, false and null"),
        ("{'a': 1}", "single quotes where JSON needs double quotes"),
        ('{\n// x\n"a": 1}', "a comment, which JSON does not allow"),
        ('{"a": auto}', "a string without quotes"),
        ('{"a": .5}', "JSON writes this number as 0.5"),
        ('{"a": NaN}', "NaN is not a valid JSON number"),
        ('{"a": "\t"}', "an unescaped control character (U+0009) in a string"),
        ('{"a":\xa01}', "U+00A0 is not whitespace in JSON"),
        ("\ufeff{}", "it starts with a byte-order mark"),
        ('{"a": 1', "this `{` is never closed"),
        ('{"a":' * 200, "it is nested more than 100 levels deep"),
        ('{"a": [' + "1," * 100_000 + "1]}", "it has more than 100000 values"),
    ],
)
def test_clauses(text: str, words: str) -> None:
    try:
        (problem,) = JSON.read(SourceText.from_str(text)).problems
    except SourceError as error:
        assert in_words(error) == words  # noqa: PT017
    else:
        assert in_words(problem) == words
