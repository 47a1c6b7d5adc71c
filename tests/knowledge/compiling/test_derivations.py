"""The rewrites of a framework as they are compiled."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge.compiling.derivation_model import DerivationModel
from cfglint.knowledge.compiling.derivations import compiled
from cfglint.knowledge.compiling.masks import ReleaseTable
from tests.draws import each

RELEASES = ReleaseTable("own", "1.1", {"1.0": {"pins": {}}, "1.1": {"pins": {}}})
ALWAYS = {"on": {"set": True}}


def steps(**parts: Any) -> tuple[Any, ...]:
    """What a rewrite does."""
    row = {"name": "a-rewrite", "reason": "r", "view": "late", "when": ALWAYS, **parts}
    ((*_, found, _reason),) = compiled([DerivationModel.model_validate(row)], "late", RELEASES)
    return tuple(found)


@each(
    ("value", "step"),
    [
        (1, ("set", ("a", "b"), 1)),
        (None, ("set", ("a", "b"), None)),
        ([1], ("set", ("a", "b"), [1])),
        ({"key": "c.d"}, ("take", ("a", "b"), ("key", ("c", "d")))),
        ({"fact": "gpus"}, ("take", ("a", "b"), ("fact", "gpus"))),
        ({"test": {"c": {"eq": 1}}}, ("test", ("a", "b"), ("test", ("key", ("c",)), (("eq", 1),)))),
        # Other mappings are values.
        ({"other": 1}, ("set", ("a", "b"), {"other": 1})),
        ({"key": "c", "fact": "gpus"}, ("set", ("a", "b"), {"key": "c", "fact": "gpus"})),
        ({}, ("set", ("a", "b"), {})),
    ],
)
def test_values(value: Any, step: tuple[Any, ...]) -> None:
    assert steps(set={"a.b": value}) == (step,)


def test_a_value_that_is_computed() -> None:
    ((kind, path, (of, _)),) = steps(set={"a": {"compute": "(b * 2)"}})
    assert (kind, path, of) == ("take", ("a",), "expr")


def test_the_order_of_steps() -> None:
    found = steps(
        delete=["e"],
        convert={"d": "int"},
        set={"c": 1},
        strip_prefix={"b": "x_"},
        strip_except=["x_y"],
        rename={"a": "b"},
    )
    assert found == (
        ("rename", ("a",), ("b",)),
        ("strip", ("b",), "x_", ("x_y",)),
        ("set", ("c",), 1),
        ("convert", ("d",), "int"),
        ("delete", ("e",)),
    )


def test_views() -> None:
    row: dict[str, Any] = {"reason": "a\n  b", "set": {"a": 1}, "when": ALWAYS}
    every = [
        DerivationModel.model_validate({**row, "name": view, "view": view})
        for view in ("late", "effective", "both")
    ]
    for view in ("late", "effective"):
        found = compiled(every, view, RELEASES)
        assert [(name, reason) for name, *_, reason in found] == [(view, "a b"), ("both", "a b")]


def test_releases() -> None:
    row = {"name": "n", "reason": "r", "set": {"a": 1}, "when": ALWAYS, "view": "late"}
    one = DerivationModel.model_validate({**row, "applies": {"own": ">=1.1", "torch": ">=2"}})
    ((_, applies, *_),) = compiled([one], "late", RELEASES)
    # One bit a release: surely, and perhaps.
    assert applies == (("own", ">=1.1", 0b10, 0, ()), ("torch", ">=2", 0, 0b11, ()))
