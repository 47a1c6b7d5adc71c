"""Lists and mappings as constants: a module of constants is loaded in a fraction of the time."""

from __future__ import annotations

from typing import Any

_LIST, _MAPPING = "[]", "{}"


def frozen(value: Any) -> Any:
    """A value as nested tuples that `thawed` turns back."""
    if isinstance(value, dict):
        return (_MAPPING, *((key, frozen(part)) for key, part in value.items()))
    return (_LIST, *map(frozen, value)) if isinstance(value, list) else value


def thawed(value: Any) -> Any:
    """What `frozen` was given."""
    if not isinstance(value, tuple):
        return value
    if value[0] == _MAPPING:
        return {key: thawed(part) for key, part in value[1:]}
    return [thawed(part) for part in value[1:]]
