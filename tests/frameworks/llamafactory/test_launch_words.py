"""Words of a launch line that set keys of its file."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.llamafactory.launch_words import overrides, word_of
from cfglint.runs.starts import commands
from cfglint.source.languages.named import language
from tests.draws import each


@each(
    ("value", "expected"),
    [
        (1, "key=1"),
        (1e-5, "key=1e-05"),
        (True, "key=true"),
        (False, "key=false"),
        ("a", "key=a"),
        ("True", "key=True"),
        ("a b", "key='a b'"),
        ("", "key=''"),
        (None, None),
        ([1], None),
        ({"a": 1}, None),
    ],
)
def test_a_word_that_sets_a_key(value: Any, expected: str | None) -> None:
    assert word_of("key", value) == expected


@each(
    ("words", "expected"),
    [
        ("learning_rate=1.0e-5", {"learning_rate": 1.0e-5}),
        ("a=1 b=true c=x d=null", {"a": 1, "b": True, "c": "x", "d": None}),
        ("a='[1, 2]'", {"a": [1, 2]}),
        ("a=x=y", {"a": "x=y"}),
        # What is no word of this kind, or is not known, leaves the others.
        ("plain a=1", {"a": 1}),
        ("a.b=1 a=2", {"a": 2}),
        ("--a=1 b=2", {"b": 2}),
        ("a=$X b=2", {"b": 2}),
        ("a='[' b=2", {"b": 2}),
        ("=1 b=2", {"b": 2}),
    ],
)
def test_what_words_lay_over_a_file(words: str, expected: dict[str, Any]) -> None:
    text = f"llamafactory-cli train x.yaml {words}\n"
    (line,) = commands.read("/p/run.sh", text)
    found = list(overrides(line, language("yaml")))
    assert {one.path: one.value for one in found} == {(key,): one for key, one in expected.items()}
    for one in found:
        assert text[one.start : one.end].startswith(f"{one.path[0]}=")
