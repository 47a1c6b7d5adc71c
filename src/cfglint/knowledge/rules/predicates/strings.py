"""Parts of strings; a value that is not a string has none."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from cfglint.base.type_names import Any

#: Longer values are compared by their first characters only, so that no pattern can take long.
MAX_MATCHED = 1000
#: A longer pattern of file names could take long to match, and names no module.
_LONGEST_GLOB = 64


@lru_cache(maxsize=1024)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def contains(value: Any, operand: Any) -> bool:
    """A part of a text, in any case of letters, or a member of a list.

    Example: `base_model: {contains: llama}`
    """
    if isinstance(value, str):
        return str(operand).lower() in value.lower()
    return isinstance(value, list) and operand in value


def starts_with(value: Any, operand: Any) -> bool:
    """A text that begins with the one given, or with one of a list.

    Example: `base_model: {starts_with: ./}`
    """
    return isinstance(value, str) and value.startswith(_options(operand))


def ends_with(value: Any, operand: Any) -> bool:
    """A text that ends with the one given, or with one of a list.

    Example: `chat_template_jinja: {ends_with: [.jinja, .j2]}`
    """
    return isinstance(value, str) and value.endswith(_options(operand))


def matches(value: Any, operand: Any) -> bool:
    """A regular expression that is found anywhere in a text, in any case of letters.

    Example: `output_dir: {matches: ^/tmp(/|$)}`
    """
    if not isinstance(value, str):
        return False
    if type(operand) is str:
        return _pattern(operand).search(value[:MAX_MATCHED]) is not None
    # A project's own rule, whose pattern `re` may take for ever to match.
    found: bool = operand.search(value[:MAX_MATCHED])
    return found


def valid_regex(value: Any, wanted: Any) -> bool:
    """Whether a text is one of Python's regular expressions; one of over 10,000 characters is.

    A value that is not a text is neither.

    Example: `lora_target_modules: {valid_regex: false}`
    """
    if not isinstance(value, str):
        return False
    # The name of a module is the usual one.
    return (value.isidentifier() or _is_regex(value)) is wanted


def covers(value: Any, operand: Any) -> bool:
    """A dotted name, maybe with `*`, `?` or `[…]`, whose last part is or matches one of the names.

    Example: `item.name: {covers: [q_proj, v_proj]}`
    """
    if not isinstance(value, str):
        return False
    last = value[:MAX_MATCHED].rpartition(".")[2]
    if len(last) > _LONGEST_GLOB or not any(sign in last for sign in "*?["):
        return last in operand
    from fnmatch import fnmatchcase

    return any(fnmatchcase(name, last) for name in operand)


@lru_cache(maxsize=1024)
def _is_regex(text: str) -> bool:
    from cfglint.base.regex_trees import (
        MAX_PARSED,
        ParseError,
        has_fixed_look_behinds,
        parse,
    )

    if len(text) > MAX_PARSED:
        return True  # unless it is shown to be wrong
    try:
        return has_fixed_look_behinds(parse(text))
    except ParseError:
        return False


def _options(operand: Any) -> str | tuple[str, ...]:
    return tuple(operand) if isinstance(operand, (list, tuple)) else str(operand)


PREDICATES: dict[str, Callable[[Any, Any], bool]] = {
    "contains": contains,
    "starts_with": starts_with,
    "ends_with": ends_with,
    "matches": matches,
    "valid_regex": valid_regex,
    "covers": covers,
}
