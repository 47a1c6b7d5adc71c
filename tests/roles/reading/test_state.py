"""A configuration while it is being computed."""

from __future__ import annotations

from cfglint.base.logic import MISSING
from cfglint.base.type_names import Any
from cfglint.roles.reading.state import ReadingState
from cfglint.source.document import Path
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each

TEXT = "a: {b: [1, {c: 2}], d: null}\ne: x\n5: six\n"
VALUES = {"a": {"b": [1, {"c": 2}], "d": None}, "e": "x", 5: "six"}


def state() -> ReadingState:
    document = language("yaml").read(SourceText(TEXT))
    return ReadingState(document, VALUES)  # type: ignore[arg-type]


@each(
    ("path", "value"),
    [
        ((), VALUES),
        (("a", "b", 0), 1),
        (("a", "b", 1, "c"), 2),
        (("a", "d"), None),
        (("a", "d", "x"), MISSING),
        (("a", "x"), MISSING),
        (("a", "x", "y"), MISSING),
        (("a", "b", 2), MISSING),
        (("a", "b", -1), MISSING),
        (("a", "b", "0"), MISSING),
        (("a", 0), MISSING),
        (("e", 0), MISSING),
        (("e", "x"), MISSING),
    ],
)
def test_a_value(path: Path, value: Any) -> None:
    assert state().value(path) == value
    assert state()[path] == value


def test_the_values_of_a_list() -> None:
    assert state().expand(("a", "b", "[]")) == [("a", "b", 0), ("a", "b", 1)]
    assert state().expand(("e", "[]")) == []
    assert state().values(("a", "b", "[]", "c")) == [MISSING, 2]


def test_the_keys_of_a_mapping() -> None:
    assert state().keys(()) == ["a", "e"]
    assert state().keys(("a",)) == ["b", "d"]
    assert state().keys(("a", "b")) == []
    assert state().keys(("x",)) == []


@each(
    ("path", "value", "reason"),
    [
        (("e",), "y", "why"),
        # Nothing changes, so there is nothing to give a reason for.
        (("e",), "x", None),
        (("n",), None, "why"),
        (("n", "m", "o"), 1, "why"),
        (("a", "d", "x"), 1, "why"),
        (("a", "b", 1, "c"), 3, "why"),
    ],
)
def test_a_change(path: Path, value: Any, reason: str | None) -> None:
    one = state()
    one.change(path, value, origin=("e",), reason="why")
    assert one.value(path) == value
    assert one.reasons.get(path) == reason
    assert one.origins.get(path) == (None if reason is None else ("e",))


@each("path", [("e", "x"), ("a", "b", "x"), ("a", "b", 0, "x"), ("a", "b", 2, "x")])
def test_where_nothing_can_be_set(path: Path) -> None:
    one = state()
    one.change(path, 1, origin=None, reason="why")
    assert one.data == VALUES
    assert one.reasons == {}


def test_neither_what_is_given_nor_what_is_set_is_changed_later() -> None:
    given, new = {"a": {"b": 1}}, {"x": 1}
    one = ReadingState(state().document, given)
    one.change(("a", "b"), 2, origin=None, reason="")
    one.change(("a", "c"), new, origin=None, reason="")
    one.change(("a", "c", "x"), 2, origin=None, reason="")
    assert (given, new) == ({"a": {"b": 1}}, {"x": 1})


def test_a_value_is_removed() -> None:
    one = state()
    one.remove(("a", "b"), reason="")
    one.remove(("a", "x"), reason="")
    one.remove(("e", "x"), reason="")
    assert one.data == {"a": {"d": None}, "e": "x", 5: "six"}


def test_where_a_value_is_written() -> None:
    one = state()
    assert one.written_path(("e",)) == ("e",)
    assert one.written_path(("n",)) is None
    one.change(("n",), 1, origin=("e",), reason="")
    one.change(("m",), 1, origin=None, reason="")
    one.change(("o",), 1, origin=("gone",), reason="")
    assert [one.written_path((name,)) for name in "nmo"] == [("e",), None, None]
