"""Regular expressions from outside: how each is matched, and which of them `re` may match."""

from __future__ import annotations

import re
from functools import lru_cache

from cfglint.base.regex_trees import REPEATS, ParseError, constants, parse
from cfglint.base.type_names import Any
from cfglint.knowledge.rules.linear import LinearPattern

#: Parts that may be left out; each may double the time.
_MAX_OPTIONAL = 5
_MAX_LENGTH = 500
_MAX_COUNT = 1000
_SINGLE = frozenset({constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN})
_REFUSED = frozenset(
    {
        constants.GROUPREF,
        constants.GROUPREF_EXISTS,
        constants.ASSERT,
        constants.ASSERT_NOT,
    }
)


class OutsidePattern(str):
    """A regular expression of a project's own rules, found in any case.

    It is text wherever a rule's pattern is shown or examined, and `search` matches it in linear time.

    Raises:
        UnsuitablePattern: it cannot be matched in linear time, or is not a pattern.
    """

    __slots__ = ("search",)

    def __init__(self, pattern: str) -> None:
        self.search = LinearPattern(pattern, re.IGNORECASE).search


@lru_cache(maxsize=256)
def linear_pattern(pattern: str) -> LinearPattern:
    """The pattern of a schema, in the exact case.

    Raises:
        UnsuitablePattern: it cannot be matched in linear time, or is not a pattern.
    """
    return LinearPattern(pattern)


def is_simple(pattern: str) -> bool:
    """Whether `re` itself takes at most quadratic time for a pattern, in whatever case.

    One repeat of a single character or class varies in number, and nothing else is repeated.
    """
    try:
        tree = parse(pattern) if len(pattern) <= _MAX_LENGTH else None
    except ParseError:
        return False
    counts = {"repeats": 0, "optional": 0}
    return (
        tree is not None
        and _count(tree, counts)
        and counts["repeats"] <= 1
        and counts["optional"] <= _MAX_OPTIONAL
    )


def _count(tree: Any, counts: dict[str, int]) -> bool:
    """Count what costs time; False when something is not allowed at all."""
    for code, argument in tree:
        inner: list[Any] = []
        if code in _REFUSED:
            return False
        if code in REPEATS:
            low, high, repeated = argument
            if (low, high) == (0, 1):
                counts["optional"] += 1
                inner = [repeated]
            elif len(repeated) != 1 or repeated[0][0] not in _SINGLE or low > _MAX_COUNT:
                return False
            elif low != high:
                counts["repeats"] += 1
        elif code is constants.SUBPATTERN:
            inner = [argument[-1]]
        elif code is constants.BRANCH:
            inner = list(argument[1])
        if not all(_count(part, counts) for part in inner):
            return False
    return True
