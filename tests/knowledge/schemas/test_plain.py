"""A document in the types of JSON, with its places."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge.schemas.plain import Plain
from tests.draws import each
from tests.knowledge.schemas.making import document


@each(
    ("text", "data"),
    [
        ("a: 1\nb: [x, null, true, 1.5]", {"a": 1, "b": ["x", None, True, 1.5]}),
        ("1: a\ntrue: b\n2024-01-02: c", {"1": "a", "true": "b", "2024-01-02": "c"}),
        ("a: 2024-01-02", {"a": "2024-01-02"}),
        ("a: !!set {x, y}", {"a": {"x": None, "y": None}}),
        (
            "a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}",
            {"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}},
        ),
        ("a: 1\na: 2", {"a": 2}),
    ],
)
def test_what_json_has(text: str, data: Any) -> None:
    assert Plain(document(text)).data == data


def test_aliases_are_one_object() -> None:
    data = Plain(document("a: &x [1]\nb: *x")).data
    assert data["a"] is data["b"]


@each(
    ("path", "value", "key"),
    [
        ((), "1", "1"),
        (("1",), "1: 2", "1"),
        (("a",), "a", "a"),
        (("a", 1), "two", "two"),
        (("a", 2, "b"), "b: 3", "b"),
        (("m", "c"), "c: 4", "c"),
    ],
)
def test_places(path: tuple[Any, ...], value: str, key: str) -> None:
    text = "1: 2\na:\n  - one\n  - two\n  - b: 3\nx: &x {c: 4}\nm:\n  <<: *x\n"
    plain = Plain(document(text))
    for only_key, wanted in ((False, value), (True, key)):
        span = plain.span(path, key=only_key)
        assert text[span.start : span.end] == wanted


def test_messages_of_jsonschema_stay_short() -> None:
    data = Plain(document(f"a: {'x' * 5000}\nb: [1, 2]")).data
    assert repr(data) == "{…}"
    assert repr(data["b"]) == "[…]"
    assert len(repr(data["a"])) < 300
    assert data["a"] == "x" * 5000
