"""Is there a value, and of which kind."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from cfglint.base.logic import MISSING, plain
from cfglint.base.type_names import Any


def truthy(value: Any, wanted: Any) -> bool:
    """Whether the value is true as in Python's `if`: not false, 0, null, missing or empty.

    Example: `sample_packing: {truthy: true}`
    """
    return bool(plain(value)) is wanted


def is_set(value: Any, wanted: Any) -> bool:
    """Whether the key is written, and not as null.

    Example: `wandb_project: {set: true}`
    """
    return (plain(value) is not None) is wanted


def written(value: Any, wanted: Any) -> bool:
    """Whether the key is written, even as an explicit null.

    Example: `dataset_name: {written: false}`
    """
    return (value is not MISSING) is wanted


def is_(value: Any, wanted: Any) -> bool:
    """The very value true, false or null; 0 is not false here. A missing key is null.

    Example: `eval_sample_packing: {is: false}`
    """
    return plain(value) is wanted


def is_not(value: Any, unwanted: Any) -> bool:
    """Any value but the very true, false or null that is given. A missing key is null.

    Example: `eval_sample_packing: {is_not: false}`
    """
    return plain(value) is not unwanted


def type_is(value: Any, wanted: Any) -> bool:
    """The YAML type of the value, one name or a list of names: str, int, float, number, bool, list, map, date or null.

    Example: `lora_target_modules: {type: [str, list]}`
    """
    names = wanted if isinstance(wanted, (list, tuple)) else (wanted,)
    return any(TYPES[name](value) for name in names)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES: dict[str, Callable[[Any], bool]] = {
    "str": lambda value: isinstance(value, str),
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "float": lambda value: isinstance(value, float),
    "number": _number,
    "bool": lambda value: isinstance(value, bool),
    "list": lambda value: isinstance(value, list),
    "map": lambda value: isinstance(value, dict),
    "date": lambda value: isinstance(value, date),
    "null": lambda value: value is None,
}

PREDICATES: dict[str, Callable[[Any, Any], bool]] = {
    "truthy": truthy,
    "set": is_set,
    "written": written,
    "is": is_,
    "is_not": is_not,
    "type": type_is,
}
