"""Regular expressions as the parser of `re` reads them: a tree of codes and arguments."""

from __future__ import annotations

import sys
import warnings

from cfglint.base.type_names import Any

if sys.version_info >= (3, 11):
    from re import _constants as constants
    from re import _parser
else:
    import sre_constants as constants
    import sre_parse as _parser

__all__ = ["MAX_PARSED", "REPEATS", "ParseError", "constants", "has_fixed_look_behinds", "parse"]

#: The codes of repeats: greedy, lazy and (from 3.11 on) possessive ones.
REPEATS = frozenset(
    code
    for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
    if (code := getattr(constants, name, None)) is not None
)
#: A longer pattern is not parsed, in characters: the time may grow with the square of its length.
MAX_PARSED = 10_000


class ParseError(ValueError):
    """A text is not a regular expression, or one that is too large to be parsed."""


def parse(pattern: str, flags: int = 0) -> Any:
    """The tree of a pattern, in less time than `re.compile` may take for a hostile one.

    Raises:
        ParseError: it is not a regular expression, or is too large.
    """
    if len(pattern) > MAX_PARSED:
        raise ParseError(f"longer than {MAX_PARSED:,} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _parser.parse(pattern, flags)
    except RecursionError:
        raise ParseError("nested too deep") from None
    except (constants.error, OverflowError) as error:
        raise ParseError(str(error)) from None


def has_fixed_look_behinds(tree: Any) -> bool:
    """Whether all look-behinds of a pattern have one length, as `re.compile` requires."""
    waiting = [tree]
    while waiting:
        for code, argument in waiting.pop():
            if code in (constants.ASSERT, constants.ASSERT_NOT):
                direction, inner = argument
                low, high = inner.getwidth()
                if direction < 0 and low != high:
                    return False
                waiting.append(inner)
            elif code is constants.BRANCH:
                waiting += argument[1]
            elif code is constants.GROUPREF_EXISTS:
                waiting += [part for part in argument[1:] if part is not None]
            elif isinstance(argument, tuple) and isinstance(argument[-1], _parser.SubPattern):
                waiting.append(argument[-1])
            elif isinstance(argument, _parser.SubPattern):
                waiting.append(argument)  # an atomic group
    return True
