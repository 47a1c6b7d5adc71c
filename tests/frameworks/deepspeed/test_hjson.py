"""Which slips in a JSON file DeepSpeed's reader takes as they are meant."""

from __future__ import annotations

import pytest

from cfglint.frameworks.deepspeed.hjson import HJSON
from cfglint.source.languages.json import JSON
from cfglint.source.text import SourceText


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1,}', ["EXTRA_COMMA"]),
        ('{"a": [1 , ]}', ["EXTRA_COMMA"]),
        ('{"a": 1,, "b": 2}', ["EXTRA_COMMA refused"]),
        ('{,"a": 1}', ["EXTRA_COMMA refused"]),
        ('{"a": 1\n "b": 2}', ["MISSING_COMMA"]),
        ('{"a": [1\n 2]}', ["MISSING_COMMA"]),
        ('{"a": 1 "b": 2\n}', ["MISSING_COMMA refused"]),
        ("{a: 1}", ["UNQUOTED_TEXT"]),
        ('{"a": auto}', ["UNQUOTED_TEXT refused"]),
        ('// x\n{"a": 1}', ["COMMENT"]),
        ("{'a': 1}", ["SINGLE_QUOTES"]),
        ('{"a": True}', ["LITERAL refused"]),
        ('{"a": .5}', ["NUMBER_FORM refused"]),
        ('{"a": 1}', []),
        # transformers reads this one, and `json.load` refuses them all.
        ('{"bf16": {"enabled": "auto"},}', ["EXTRA_COMMA refused"]),
    ],
)
def test_slips(text: str, expected: list[str]) -> None:
    problems = HJSON.read(SourceText(text)).problems
    told = [f"{one.kind.name}{'' if one.tolerated else ' refused'}" for one in problems]
    assert told == expected


def test_keys_that_are_there_twice() -> None:
    assert HJSON.read(SourceText('{"a": 1}')).language is HJSON
    assert HJSON.refuses_duplicates
    filled = HJSON.read(SourceText('{"train_batch_size": "auto"}'))
    assert filled.language is JSON
    assert not JSON.refuses_duplicates
