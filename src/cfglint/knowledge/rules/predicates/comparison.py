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
    """Equal; a number also equals the text that spells it, a text never matches in another case.

    Example: `adapter: {eq: qlora}`
    """
    value = plain(value)
    if isinstance(value, bool) or isinstance(operand, bool):
        return value is operand
    if isinstance(operand, (int, float)):
        return number(value) == operand
    return bool(value == operand)


def ne(value: Any, operand: Any) -> bool:
    """Not equal, which a missing key is as well: add `set: true` where it should not be.

    Example: `adapter: {ne: qlora}`
    """
    return not eq(value, operand)


def in_(value: Any, operand: Any) -> bool:
    """Equal to one of a list.

    Example: `optimizer: {in: [adamw_torch, lion]}`
    """
    return any(eq(value, item) for item in operand)


def not_in(value: Any, operand: Any) -> bool:
    """Equal to none of a list, which a missing key is as well.

    Example: `wandb_project: {set: true, not_in: [acme]}`
    """
    return not in_(value, operand)


def gt(value: Any, operand: Any) -> bool:
    """Greater than a number, or another key's: `{key: path}`. A number may be written as a text.

    Example: `micro_batch_size: {gt: 8}`
    """
    left, right = number(value), number(operand)
    return left is not None and right is not None and left > right


def ge(value: Any, operand: Any) -> bool:
    """At least a number, or another key's: `{key: path}`. A number may be written as a text.

    Example: `micro_batch_size: {ge: 8}`
    """
    left, right = number(value), number(operand)
    return left is not None and right is not None and left >= right


def lt(value: Any, operand: Any) -> bool:
    """Less than a number, or another key's: `{key: path}`. A number may be written as a text.

    Example: `micro_batch_size: {lt: 8}`
    """
    left, right = number(value), number(operand)
    return left is not None and right is not None and left < right


def le(value: Any, operand: Any) -> bool:
    """At most a number, or another key's: `{key: path}`. A number may be written as a text.

    Example: `micro_batch_size: {le: 8}`
    """
    left, right = number(value), number(operand)
    return left is not None and right is not None and left <= right


PREDICATES: dict[str, Callable[[Any, Any], bool]] = {
    "eq": eq,
    "ne": ne,
    "in": in_,
    "not_in": not_in,
    "gt": gt,
    "ge": ge,
    "lt": lt,
    "le": le,
}
