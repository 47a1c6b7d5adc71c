"""Whether a regular expression from an untrusted rule file is cheap to try."""

from __future__ import annotations

from functools import lru_cache

from cfglint.base.type_names import Any
from cfglint.knowledge.rules.determinism import is_deterministic
from cfglint.knowledge.rules.regex_trees import REPEATS, constants, parsed

#: Repeats of a variable number of characters; each multiplies the time by the text's length.
MAX_REPEATS = 2
#: Parts that may be left out; each may double the time.
MAX_OPTIONAL = 5
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


def is_cheap(pattern: str) -> bool:
    """Whether trying a pattern takes at most quadratic time.

    There are no references and no look-arounds. Repeats stand for single characters or classes
    only, and one of them may vary in number, or two in a pattern that starts with `^`. Any number of
    repeats and repeated groups is allowed where the next character always tells what comes.
    """
    if len(pattern) > _MAX_LENGTH:
        return False
    tree = parsed(pattern)
    return tree is not None and (_repeats_little(tree) or is_deterministic(tree))


@lru_cache(maxsize=256)
def is_linear(pattern: str) -> bool:
    """Whether the time that a cheap pattern takes grows with the text, and not with its square."""
    tree = parsed(pattern)
    return tree is not None and _is_anchored(tree) and is_deterministic(tree)


def _is_anchored(tree: Any) -> bool:
    return len(tree) > 0 and tree[0] == (constants.AT, constants.AT_BEGINNING)


def _repeats_little(tree: Any) -> bool:
    counts = {"repeats": 0, "optional": 0}
    return (
        _count(tree, counts)
        and counts["repeats"] <= (MAX_REPEATS if _is_anchored(tree) else MAX_REPEATS - 1)
        and counts["optional"] <= MAX_OPTIONAL
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
