"""The predicates that a rule's condition may use, one module per family.

Each family module exports `PREDICATES`: name -> `(value, operand) -> bool`. The value is never
unknown (the evaluator deals with that); it may be `MISSING`. A predicate never raises: a value
of the wrong type makes it false.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.type_names import Any
from cfglint.knowledge.rules.predicates import collections, comparison, presence, strings

Predicate = Callable[[Any, Any], bool]

PREDICATES: dict[str, Predicate] = {
    **presence.PREDICATES,
    **comparison.PREDICATES,
    **strings.PREDICATES,
    **collections.PREDICATES,
}


def bound(name: str, operand: Any) -> Callable[[Any], bool]:
    """A predicate with its operand. The commonest are written out: they are used most by far."""
    if name == "truthy":
        # `MISSING` is false, as null is.
        return lambda value: bool(value) is operand
    if name == "eq" and type(operand) is str:
        return lambda value: bool(value == operand)
    if name == "in" and all(type(item) is str for item in operand):
        words = frozenset(operand)
        return lambda value: type(value) is str and value in words
    if name == "contains" and type(operand) is str:
        part = operand.lower()
        return lambda value: (
            part in value.lower() if type(value) is str else strings.contains(value, operand)
        )
    predicate = PREDICATES[name]
    return lambda value: predicate(value, operand)


#: Predicates that apply to a missing or null value, at least with some operands.
MAY_HOLD_WHEN_ABSENT = frozenset({"ne", "not_in", "is", "is_not", "truthy", "set", "written"})
