"""Whether a regular expression from an untrusted rule file is cheap to try."""

from __future__ import annotations

import sys
import warnings
from typing import Any

if sys.version_info >= (3, 11):
    from re import _constants, _parser
else:
    import sre_constants as _constants
    import sre_parse as _parser

#: Repeats of a variable number of characters; each multiplies the time by the text's length.
MAX_REPEATS = 2
#: Parts that may be left out; each may double the time.
MAX_OPTIONAL = 5
_MAX_LENGTH = 500
_MAX_COUNT = 1000
_REPEATS = frozenset(
    code
    for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
    if (code := getattr(_constants, name, None)) is not None
)
_SINGLE = frozenset({_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN})
_REFUSED = frozenset(
    {
        _constants.GROUPREF,
        _constants.GROUPREF_EXISTS,
        _constants.ASSERT,
        _constants.ASSERT_NOT,
    }
)


def is_cheap(pattern: str) -> bool:
    """Whether trying a pattern takes at most quadratic time.

    Repeats stand for single characters or classes only; one of them may vary in number, or two in
    a pattern that starts with `^`. There are no references and no look-arounds.
    """
    if len(pattern) > _MAX_LENGTH:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree: Any = _parser.parse(pattern)
    except (_constants.error, RecursionError, OverflowError):
        return False
    counts = {"repeats": 0, "optional": 0}
    anchored = len(tree) > 0 and tree[0] == (_constants.AT, _constants.AT_BEGINNING)
    return (
        _count(tree, counts)
        and counts["repeats"] <= (MAX_REPEATS if anchored else MAX_REPEATS - 1)
        and counts["optional"] <= MAX_OPTIONAL
    )


def _count(tree: Any, counts: dict[str, int]) -> bool:
    """Count what costs time; False when something is not allowed at all."""
    for code, argument in tree:
        inner: list[Any] = []
        if code in _REFUSED:
            return False
        if code in _REPEATS:
            low, high, repeated = argument
            if (low, high) == (0, 1):
                counts["optional"] += 1
                inner = [repeated]
            elif len(repeated) != 1 or repeated[0][0] not in _SINGLE or low > _MAX_COUNT:
                return False
            elif low != high:
                counts["repeats"] += 1
        elif code is _constants.SUBPATTERN:
            inner = [argument[-1]]
        elif code is _constants.BRANCH:
            inner = list(argument[1])
        if not all(_count(part, counts) for part in inner):
            return False
    return True
