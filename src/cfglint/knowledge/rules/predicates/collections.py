"""Lists and mappings: how many, which, all or some."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.type_names import Any
from cfglint.knowledge.rules.predicates import comparison, presence, strings


def length(value: Any, operand: Any) -> bool:
    """Tests on the length of a list, a mapping or a text.

    Example: `datasets: {len: {ge: 2}}`
    """
    if not isinstance(value, (list, dict, str)):
        return False
    return _holds(len(value), operand)


def any_item(value: Any, operand: Any) -> bool:
    """Some item of a list passes all of the tests.

    Example: `lora_target_modules: {any_item: {eq: lm_head}}`
    """
    return isinstance(value, list) and any(_holds(item, operand) for item in value)


def every_item(value: Any, operand: Any) -> bool:
    """Every item of a list that is not empty passes all of the tests.

    Example: `lora_target_modules: {every_item: {type: str}}`
    """
    return isinstance(value, list) and bool(value) and all(_holds(i, operand) for i in value)


def subset_of(value: Any, operand: Any) -> bool:
    """All items of a list, or all keys of a mapping, are among those given; also when there are none.

    Example: `fsdp: {subset_of: [full_shard, auto_wrap]}`
    """
    return isinstance(value, (list, dict)) and all(item in operand for item in value)


def has_key(value: Any, operand: Any) -> bool:
    """A mapping with this key, whatever its value.

    Example: `fsdp_config: {has_key: fsdp_version}`
    """
    return isinstance(value, dict) and operand in value


def any_key(value: Any, operand: Any) -> bool:
    """Some key of a mapping passes all of the tests.

    Example: `special_tokens: {any_key: {starts_with: pad}}`
    """
    return isinstance(value, dict) and any(_holds(key, operand) for key in value)


def any_value(value: Any, operand: Any) -> bool:
    """Some value of a mapping passes all of the tests.

    Example: `special_tokens: {any_value: {eq: ""}}`
    """
    return isinstance(value, dict) and any(_holds(item, operand) for item in value.values())


def _holds(value: Any, tests: Any) -> bool:
    return all(_OF_PARTS[name](value, operand) for name, operand in tests)


PREDICATES: dict[str, Callable[[Any, Any], bool]] = {
    "len": length,
    "any_item": any_item,
    "every_item": every_item,
    "subset_of": subset_of,
    "has_key": has_key,
    "any_key": any_key,
    "any_value": any_value,
}
#: What a part of a list or a mapping, or its length, may be tested with.
_OF_PARTS = {
    **presence.PREDICATES,
    **comparison.PREDICATES,
    **strings.PREDICATES,
    **PREDICATES,
}
