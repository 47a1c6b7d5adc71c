"""Equality, order and membership, with the conversions that frameworks make."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import plain
from cfglint.base.type_names import Any


def number(value: Any) -> float | int | None:
    """A number, also when it is written as text (`1e-5` is text to YAML 1.1); else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return None


def eq(value: Any, operand: Any) -> bool:
    value = plain(value)
    if isinstance(value, bool) or isinstance(operand, bool):
        return value is operand
    if isinstance(operand, (int, float)):
        return number(value) == operand
    return bool(value == operand)


def ne(value: Any, operand: Any) -> bool:
    return not eq(value, operand)


def in_(value: Any, operand: Any) -> bool:
    return any(eq(value, item) for item in operand)


def not_in(value: Any, operand: Any) -> bool:
    return not in_(value, operand)


def _ordered(compare: Callable[[float, float], bool]) -> Callable[[Any, Any], bool]:
    def predicate(value: Any, operand: Any) -> bool:
        left, right = number(value), number(operand)
        return left is not None and right is not None and compare(left, right)

    return predicate


PREDICATES: dict[str, Callable[[Any, Any], bool]] = {
    "eq": eq,
    "ne": ne,
    "in": in_,
    "not_in": not_in,
    "gt": _ordered(lambda left, right: left > right),
    "ge": _ordered(lambda left, right: left >= right),
    "lt": _ordered(lambda left, right: left < right),
    "le": _ordered(lambda left, right: left <= right),
}
