"""Every predicate, on values of every type."""

from __future__ import annotations

from datetime import date
from typing import Any

from cfglint.base.logic import MISSING
from cfglint.knowledge.rules.predicates import PREDICATES
from cfglint.knowledge.rules.predicates.strings import MAX_MATCHED
from tests.draws import each

VALUES: tuple[Any, ...] = (
    MISSING, None, True, False, 0, 1, -2, 0.0, 2.5, float("nan"), float("inf"), "", "a", "1e-5",
    "no", [], [1], ["a", None], {}, {"a": 1}, date(2024, 5, 1), b"x", {"a"}, [("a", 1)],
)  # fmt: skip
OPERANDS: dict[str, tuple[Any, ...]] = {
    "truthy": (True, False), "set": (True, False), "written": (True, False),
    "is": (True, False, None), "is_not": (True, False, None), "type": ("str", ["int", "null"]),
    "eq": (0, 1, True, "a", None), "ne": (0, "a", None), "in": ([0, "a", None], []),
    "not_in": ([0, "a", None], []), "gt": (0,), "ge": (0,), "lt": (0,), "le": (0,),
    "contains": ("a", "1"), "starts_with": ("a", ["a", "n"]), "ends_with": ("a", ["a", "5"]),
    "matches": ("^a", "."), "len": ((("ge", 1),),), "any_item": ((("eq", 1),),),
    "every_item": ((("eq", 1),),), "subset_of": ([1, "a"],), "has_key": ("a",),
    "any_key": ((("starts_with", "a"),),), "any_value": ((("gt", 0),),), "valid_regex": (True, False),
    "covers": (["a", "n"],),
}  # fmt: skip


@each("name", PREDICATES)
def test_never_raises(name: str) -> None:
    """And answers true or false, whatever stands in the file."""
    for value in VALUES:
        for operand in OPERANDS[name]:
            assert PREDICATES[name](value, operand) in (True, False)


@each(
    ("name", "operand", "holds_for", "not_for"),
    [
        (
            "truthy",
            True,
            [True, 1, "a", "no", [0], {"a": 0}],
            [False, None, MISSING, 0, "", [], {}],
        ),
        ("truthy", False, [False, None, MISSING, 0, "", [], {}], [True, 1, "no"]),
        ("set", True, [False, 0, "", []], [None, MISSING]),
        ("set", False, [None, MISSING], [False, 0]),
        ("written", True, [None, False, 0], [MISSING]),
        ("written", False, [MISSING], [None, False]),
        ("is", True, [True], [1, "true", MISSING, None]),
        ("is", False, [False], [0, None, MISSING, ""]),
        ("is", None, [None, MISSING], [False, 0, ""]),
        ("is_not", False, [None, MISSING, 0, True], [False]),
        ("type", "number", [1, 2.5], [True, "1", None]),
        ("type", "int", [1], [True, 1.0, MISSING]),
        ("type", ["str", "null"], ["a", None], [1, True]),
        ("type", "map", [{}], [[], "a"]),
        ("type", "date", [date(2024, 5, 1)], ["2024-05-01"]),
        ("eq", 1, [1, 1.0, "1", "1.0"], [True, "a", None, MISSING]),
        ("eq", True, [True], [1, "true"]),
        ("eq", 0, [0, "0", 0.0], [False, None, MISSING, ""]),
        ("eq", 1e-5, ["1e-5", 1e-5], ["1e-4"]),
        ("eq", "1", ["1"], [1]),
        ("ne", 1, [2, "a", None, MISSING, True], [1, "1"]),
        ("in", ["no", False], ["no", False], [0, None, MISSING, "No"]),
        ("not_in", [1, 2], [3, None, MISSING, True], [1, "2"]),
        ("gt", 0, [1, 0.1, "1e-5"], [0, -1, True, None, MISSING, "a", float("nan")]),
        ("ge", 2, [2, "2", 3], [1.9, True]),
        ("lt", 0, [-1, "-1"], [0, 1, None, MISSING, False]),
        ("le", 0, [0, -1], [1, MISSING]),
        ("gt", None, [], [1, None]),
        ("contains", "OPT", ["adamw_torch_opt", "opt"], ["ada", None, MISSING, 1]),
        ("contains", "a", [["a", "b"]], [["b"], []]),
        ("starts_with", "a", ["ab"], ["ba", "Ab", 1, MISSING]),
        ("starts_with", ["a", "b"], ["ax", "bx"], ["cx"]),
        ("ends_with", [".json", ".yaml"], ["x.json"], ["x.jsonl"]),
        ("matches", "zero[-_]?3", ["ds/ZeRO_3.json", "zero3"], ["zero2", 3, None]),
        ("matches", "end$", ["x" * (MAX_MATCHED - 3) + "end"], ["x" * MAX_MATCHED + "end"]),
        ("len", (("ge", 2),), [[1, 2], {"a": 1, "b": 2}, "ab"], [[1], None, MISSING, 12]),
        ("any_item", (("gt", 1),), [[0, 2]], [[0], [], None, {"a": 2}]),
        ("every_item", (("gt", 1),), [[2, 3]], [[], [1, 2], None]),
        ("subset_of", ["a", "b"], [["a"], [], {"b": 1}], [["c"], "a", None]),
        ("any_key", (("starts_with", "a"),), [{"b": 1, "ab": 2}], [{"b": 1}, ["ab"], None, {1: 2}]),
        ("any_value", (("gt", 1),), [{"a": 0, "b": 2}], [{"a": 0}, {}, [2], None]),
        (
            "covers",
            ["mlp"],
            ["mlp", "layers.0.mlp", "layers.*.m?p"],
            ["mlp.0", "my_mlp", "*.q", None],
        ),
        ("covers", ["mlp"], ["*", "[m]lp"], ["mlp*" + "?" * 64, "?" * 4]),
        ("valid_regex", True, ["a+", "[[a]", ""], ["(", "*", 1, None, MISSING]),
        ("valid_regex", False, ["(", "*"], ["a+", 1, None]),
        ("has_key", "a", [{"a": None}], [{"b": 1}, ["a"], "a", MISSING]),
    ],
)
def test_predicate(name: str, operand: Any, holds_for: list[Any], not_for: list[Any]) -> None:
    for value in holds_for:
        assert PREDICATES[name](value, operand) is True, value
    for value in not_for:
        assert PREDICATES[name](value, operand) is False, value
