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

__all__ = ["REPEATS", "constants", "parsed"]

#: The codes of repeats: greedy, lazy and (from 3.11 on) possessive ones.
REPEATS = frozenset(
    code
    for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
    if (code := getattr(constants, name, None)) is not None
)


def parsed(pattern: str) -> Any:
    """The tree of a pattern; None when it is none, or larger than can be looked into."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _parser.parse(pattern)
    except (constants.error, RecursionError, OverflowError):
        return None
