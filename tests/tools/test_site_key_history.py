"""What changed about a key, in words."""

from __future__ import annotations

from typing import Any

import pytest

from tools.site.key_history import bounds_words, default_words, history, type_words, values

RELEASES = ("0.1", "0.2", "0.3", "0.4")


def told(info: dict[str, Any]) -> list[tuple[str, str]]:
    return [(event.release, event.text) for event in history(info, RELEASES)]


def test_a_key_that_was_always_there() -> None:
    assert told({"since": "0.1", "type": "int"}) == [("0.1", "in the oldest known release")]


def test_all_kinds_of_changes_in_the_order_of_releases() -> None:
    info = {
        "since": "0.2",
        "type": "float|null",
        "types": [["0.2", "int"], ["0.3", "float|null"]],
        "defaults": [["0.2", 1], ["0.4", {"computed_from": ["x"]}]],
        "enums": [["0.2", ["a"]], ["0.3", {"add": ["b"], "drop": ["a"]}]],
        "constraints_history": [["0.2", {}], ["0.3", {"ge": 0}]],
        "required_history": [["0.2", True], ["0.4", False]],
        "absent": ["0.3"],
        "deprecated": "0.3",
        "rename": "other",
        "removed": "0.4",
    }
    assert told(info) == [
        ("0.2", "new"),
        ("0.3", "accepts a number or null (before: a whole number)"),
        ("0.3", "limits: at least 0 (before: none)"),
        ("0.3", "new values: `b`"),
        ("0.3", "values no longer listed: `a`"),
        ("0.3", "deprecated, use `other`"),
        ("0.3", "not in this release"),
        ("0.4", "default computed (before: `1`)"),
        ("0.4", "no longer required"),
        ("0.4", "removed"),
    ]


def test_changes_that_nobody_sees_are_left_out() -> None:
    info = {
        "since": "0.1",
        "type": "model:B",
        "types": [["0.1", "model:A"], ["0.2", "model:B"]],
    }
    assert told(info) == [("0.1", "in the oldest known release")]


def test_a_release_of_the_package_below() -> None:
    info = {"since": "base 0.2", "type": "int", "removed": "base 0.4"}
    assert told(info) == [("base 0.2", "new"), ("base 0.4", "removed")]


@pytest.mark.parametrize(
    ("type_", "said"),
    [
        ("int|null", "a whole number or null"),
        ("list<str>|str|null", "a list (text), text or null"),
        ("literal|model:X|null", "one of its values, a mapping or null"),
        ("dict<str,int>", "a mapping"),
        ("int|any|null", "any value"),
        ("whole|null", "a whole number or null"),
        ("something-new", "any value"),
    ],
)
def test_types_in_words(type_: str, said: str) -> None:
    assert type_words(type_) == said


def test_defaults_bounds_and_values_in_words() -> None:
    assert default_words(None) == "`null`"
    assert default_words("auto") == '`"auto"`'
    assert default_words("<computed>") == "computed"
    assert default_words("<required>") == "none, the key is required"
    assert bounds_words({"ge": 1, "lt": 8, "strict": True}) == "at least 1, less than 8"
    assert values([str(number) for number in range(62)]).endswith("`59`, 2 more")
