"""What the parts of a rule file do not agree on."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge.compiling.rule_problems import disagreements, left_to_fill_in, with_cost
from tests.draws import each

GOOD: dict[str, Any] = {
    "code": "X1",
    "severity": "error",
    "when": [{"a": 1}],
    "at": ["a"],
    "cost": "time",
    "message": "It is.",
    "examples": [{"bad": "a: 1  # <- X1"}, {"good": "a: 2"}],
}


def found(*without: str, needs_examples: bool = True, **changed: Any) -> list[tuple[Any, ...]]:
    """Place and first words of each problem."""
    data = {key: value for key, value in {**GOOD, **changed}.items() if key not in without}
    problems = disagreements(data, needs_examples=needs_examples)
    return [(*one.place, " ".join(one.text.split()[:3])) for one in problems]


FIX = {"title": "Do it", "safety": "unsafe"}


@each(
    ("without", "changed", "expected"),
    [
        ("", {}, []),
        ("when", {}, [("a rule needs",)]),
        ("when at", {"check": "own"}, []),
        ("", {"check": "own"}, [("when", "a rule needs")]),
        ("at", {}, [("at", "`at` is missing:")]),
        ("cost", {}, [("`cost` is missing:",)]),
        ("cost", {"bites": "start", "upstream": "rejects"}, []),
        ("", {"harmless": "always"}, [("severity", "what is `harmless`")]),
        ("", {"harmless": "always", "severity": "note"}, []),
        ("", {"harmless": "unless-started"}, []),
        ("", {"remedy": "x"}, [("remedy", "`remedy` needs `when`,")]),
        ("", {"message": "{remedy}: it is."}, [("message", "`remedy` needs `when`,")]),
        ("", {"message": "{remedy}: it is.", "remedy": "x"}, []),
        (
            "when at",
            {"check": "own", "message": "{remedy}.", "remedy": "x"},
            [("remedy", "`remedy` needs `when`,")],
        ),
        ("when at", {"check": "own", "message": "{remedy}."}, []),
        ("", {"migration": "only"}, [("migration", "a migration step")]),
        ("", {"migration": "only", "fix": [FIX]}, [("fix", 0, "an unsafe step")]),
        ("", {"migration": "only", "fix": [{**FIX, "look_at": "it"}]}, []),
        (
            "",
            {"migration": "only", "fix": [{**FIX, "safety": "safe"}, FIX]},
            [("fix", 1, "an unsafe step")],
        ),
        ("", {"migration": "also", "fix": [FIX]}, []),
        ("when at", {"migration": "only", "check": "own"}, []),
        ("", {"examples": [{"bad": "a: 1  # <- X1"}]}, [("examples", "a rule needs")]),
        ("", {"examples": [{"good": "a: 1"}]}, [("examples", "a rule needs")]),
        ("", {"examples": 3}, []),
        (
            "",
            {"examples": [{"good": "a"}, {"bad": "a: 1  # <- X2"}]},
            [("examples", 1, "a bad example")],
        ),
        ("", {"examples": [{"good": "a"}, {"bad": "a: 1", "files": {"b": "c  # <- X1"}}]}, []),
        ("code", {"examples": [{"good": "a"}, {"bad": "a: 1"}]}, []),
    ],
)
def test_disagreements(
    without: str, changed: dict[str, Any], expected: list[tuple[Any, ...]]
) -> None:
    assert found(*without.split(), **changed) == expected


def test_rules_without_examples() -> None:
    assert found(needs_examples=False, examples=[]) == []
    marks = [{"bad": "a: 1"}]
    assert found(needs_examples=False, examples=marks) == [("examples", 0, "a bad example")]


def test_the_cost_that_follows() -> None:
    data = {"bites": "start", "upstream": "rejects"}
    assert with_cost(data)["cost"]
    assert with_cost({**data, "cost": "mine"})["cost"] == "mine"
    assert with_cost({"bites": "save", "upstream": "silent"}) == {
        "bites": "save",
        "upstream": "silent",
    }


@each(
    ("data", "expected"),
    [
        ({"a": "text", "b": 3}, []),
        ({"a": "FILL IN: what it is"}, ["`a` is to be filled in: what it is"]),
        ({"a": "FILL IN"}, ["`a` is to be filled in"]),
        ({"a": ["x", {"fill_in": 1}]}, ["`a` is to be filled in"]),
        ({"a": {"x": "FILL IN: this"}}, ["`a` is to be filled in: this"]),
        ({"a": "not FILL IN"}, []),
        (
            {"examples": [{"good": "x"}, {"bad": "FILL IN: a line"}]},
            ["example 2 is to be filled in"],
        ),
        ({"examples": "FILL IN"}, ["`examples` is to be filled in"]),
    ],
)
def test_what_is_left_to_fill_in(data: dict[str, Any], expected: list[str]) -> None:
    assert [one.text for one in left_to_fill_in(data)] == expected


def test_where_it_is_left() -> None:
    data = {"a": "FILL IN", "examples": [{"good": "x"}, {"bad": "FILL IN"}]}
    assert [one.place for one in left_to_fill_in(data)] == [("a",), ("examples", 1)]
