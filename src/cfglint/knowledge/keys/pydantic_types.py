"""The values that a type accepts in pydantic's lax mode, which makes lossless conversions.

`"4"` is a whole number and `1` is true, but `4` is not text. A type is written as the key history
has it: alternatives between bars (`list<str|int>|null`).
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import MISSING
from cfglint.base.type_names import Any
from cfglint.knowledge.rules.predicates.comparison import number

#: Strings that pydantic takes for a boolean, in any case.
TRUE = frozenset(["1", "on", "t", "true", "y", "yes"])
FALSE = frozenset(["0", "off", "f", "false", "n", "no"])
_BOOLEANS = TRUE | FALSE
_INTEGER = lazy_pattern(r"[-+]?[0-9](?:_?[0-9])*(?:\.0+)?")


def accepts(kinds: tuple[str, ...], enum: tuple[Any, ...], value: Any) -> bool:
    """Whether pydantic takes a value for a type, given as its alternatives.

    Args:
        kinds: the alternatives (`split_type`).
        enum: the values that a `literal` or an `enum:` among them admits.
    """
    return any(_accepts_one(kind, enum, value) for kind in kinds)


def _accepts_one(kind: str, enum: tuple[Any, ...], value: Any) -> bool:
    base, _, inner = kind.partition("<")
    if base == "null":
        return value is None
    if base == "str":
        return isinstance(value, (str, bytes))
    if base == "match":
        return isinstance(value, str) and re.match(inner[:-1], value) is not None
    if base == "int":
        return _is_integer(value)
    if base == "float":
        return isinstance(value, (bool, int, float)) or (
            isinstance(value, str) and _float_of(value) is not None
        )
    if base == "bool":
        return (isinstance(value, (bool, int, float)) and value in (0, 1)) or (
            isinstance(value, str) and value.lower() in _BOOLEANS
        )
    if base in ("list", "tuple", "set"):
        if not isinstance(value, (list, set)):
            return False
        if base == "tuple":
            return _accepts_tuple(inner[:-1].split(","), enum, value)
        items = split_type(inner[:-1]) if base == "list" else ("any",)
        return all(accepts(items, enum, item) for item in value)
    if base == "dict":
        return isinstance(value, dict) and _accepts_items(inner[:-1], enum, value)
    if base.startswith("model:"):
        return isinstance(value, dict)
    if base == "literal" or base.startswith("enum:"):
        return not enum or any(type(one) is type(value) and one == value for one in enum)
    return True


def _accepts_tuple(places: list[str], enum: tuple[Any, ...], value: Any) -> bool:
    """Whether a list has one item of its type for each place of `tuple<A,B>`."""
    if "any" in places:  # of any length
        return True
    return len(value) == len(places) and all(
        accepts(split_type(place), enum, item) for place, item in zip(places, value, strict=True)
    )


def _accepts_items(inner: str, enum: tuple[Any, ...], value: dict[Any, Any]) -> bool:
    """Whether the keys and values of a mapping are of the two types in `dict<K,V>`."""
    keys, _, values = inner.partition(",")
    if keys in ("any", "") and values in ("any", ""):
        return True
    key_kinds, value_kinds = split_type(keys), split_type(values or "any")
    return all(
        accepts(key_kinds, enum, key) and accepts(value_kinds, enum, item)
        for key, item in value.items()
    )


def _is_integer(value: Any) -> bool:
    if isinstance(value, (bool, int)):
        return True
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, str) and _INTEGER.fullmatch(value.strip()) is not None


def _float_of(text: str) -> float | int | None:
    """The number that a text represents. Python reads the digits of every script, pydantic only ASCII."""
    text = text.strip()
    return number(text) if text.isascii() else None


#: A whole number above this one is no floating-point number.
_LARGEST = int(sys.float_info.max)


@lru_cache(maxsize=1024)
def split_type(text: str) -> tuple[str, ...]:
    """The alternatives of a type: `list<str|int>|null` -> ("list<str|int>", "null")."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        if char == "<":
            depth += 1
        elif char == ">":
            depth -= 1
        elif char == "|" and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return (*parts, text[start:])


def as_scalar(kind: str, value: Any) -> Any:
    """A value as a scalar type, MISSING when it cannot be read as one."""
    if kind == "bool":
        if isinstance(value, (int, float)) and value in (0, 1):
            return bool(value)
        if isinstance(value, str) and value.lower() in TRUE | FALSE:
            return value.lower() in TRUE
    elif kind == "int":
        if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
            return int(value)
        if isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
            return int(float(value)) if "." in value else int(value)
    elif kind == "float":
        if isinstance(value, (bool, int)):
            return float(value) if abs(value) <= _LARGEST else MISSING
        if isinstance(value, str) and (found := _float_of(value)) is not None:
            return float(found)
    elif kind == "str" and isinstance(value, str):
        return value
    return MISSING
