"""Who decides what a type admits: pydantic's lax mode, unless a framework says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from cfglint.checks.value_types import wanted_words
from cfglint.knowledge.keys.judges import PYDANTIC, Judge
from cfglint.knowledge.keys.release_keys import ReleaseKeys, Schema
from cfglint.roles.framework import load_framework
from cfglint.roles.parsing import Parsing
from tests.draws import each


class _Even(Judge):
    """A reader whose `int` is an even number, and whose bounds count characters."""

    names: ClassVar[Mapping[str, str]] = {**Judge.names, "int": "an even number"}
    of_choices = frozenset({"word"})

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        return value in choices or ("int" in kinds and value % 2 == 0)

    def broken_bound(
        self, kinds: tuple[str, ...], bounds: dict[str, Any], value: Any
    ) -> tuple[str, Any] | None:
        return ("le", bounds["le"]) if len(str(value)) > bounds["le"] else None


def test_a_schema_without_a_judge_is_pydantics() -> None:
    schema = Schema("int|null", (), {"ge": 2})
    assert schema.judge is PYDANTIC
    assert [schema.takes(value) for value in ("4", None, "four")] == [True, True, False]
    assert schema.broken_bound(1) == ("ge", 2)
    assert schema.broken_bound(2) is None


def test_a_judge_decides_types_and_bounds() -> None:
    schema = Schema("int|word", (3,), {"le": 2}, _Even())
    assert [schema.takes(value) for value in (4, 3, 5)] == [True, True, False]
    assert schema.broken_bound(100) == ("le", 2)
    assert schema.broken_bound(99) is None


def test_a_judge_names_its_types() -> None:
    assert wanted_words(Schema("int|null", (), {})) == "a whole number"
    assert wanted_words(Schema("int|word", ("a", "b"), {}, _Even())) == "an even number or a, b"


def test_a_framework_hands_its_judge_to_the_keys_of_a_release(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judges: dict[str, Judge] = {"0.21.0": _Even()}
    monkeypatch.setattr(Parsing, "judge", lambda self, release: judges.get(release, PYDANTIC))
    framework = type(load_framework("axolotl"))()
    assert _judge_of(framework.release_keys("0.21.0")) is judges["0.21.0"]
    assert _judge_of(framework.release_keys("0.20.0")) is PYDANTIC


def _judge_of(keys: ReleaseKeys) -> Judge:
    section = keys.section("")
    assert section is not None
    schema = section["micro_batch_size"].schema
    assert schema is not None
    return schema.judge


@each(
    ("bounds", "value", "broken"),
    [
        ({"gt": 0}, 0, ("gt", 0)),
        ({"gt": 0}, 0.1, None),
        ({"ge": 1}, 0, ("ge", 1)),
        ({"ge": 1}, 1, None),
        ({"lt": 1}, 1, ("lt", 1)),
        ({"lt": 1}, 0.5, None),
        ({"le": 1}, 2, ("le", 1)),
        ({"le": 1}, "1", None),
        ({"le": 1}, "2", ("le", 1)),
        ({"le": 0}, True, ("le", 0)),
        ({"gt": 0, "le": 5}, 9, ("le", 5)),
        ({"min_length": 1}, "", ("min_length", 1)),
        ({"min_length": 1}, [], ("min_length", 1)),
        ({"min_length": 1}, {"a": 1}, None),
        ({"min_length": 1}, 0, None),
        ({"gt": 0}, "x", None),
        ({"gt": 0}, None, None),
        ({}, 0, None),
    ],
)
def test_bounds(bounds: dict[str, Any], value: Any, broken: tuple[str, Any] | None) -> None:
    assert PYDANTIC.broken_bound(("any",), bounds, value) == broken


@each(
    ("type_", "wants"),
    [("str", True), ("literal|null", True), ("str|bool", False), ("bool", False), ("int", False)],
)
def test_who_wants_a_word(type_: str, wants: bool) -> None:
    assert PYDANTIC.wants_word(type_) is wants


def test_a_strict_whole_number_is_not_converted() -> None:
    for value in (True, 2.0, "2"):
        assert PYDANTIC.takes(("int",), (), {}, value)
        assert not PYDANTIC.takes(("int",), (), {"strict": True}, value)
    assert PYDANTIC.takes(("int",), (), {"strict": True}, 2)
    assert PYDANTIC.takes(("int", "null"), (), {"strict": True}, None)


@each(
    ("type_", "words"),
    [
        ("bool|int|float", "true or false, or a number"),
        ("int|float|null", "a number"),
        ("int|str", "a whole number or text"),
        ("int|str|list", "a whole number, text or a list"),
        ("bool|str", "true or false, or text"),
        ("bool", "true or false"),
    ],
)
def test_several_types_are_one_list_in_words(type_: str, words: str) -> None:
    assert wanted_words(Schema(type_, (), {})) == words
