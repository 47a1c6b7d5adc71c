"""Values of a script that a person fills in before it is started: `BASE_MODEL='{BASE_MODEL}'`."""

from __future__ import annotations

import re
from itertools import islice

from cfglint.base.lazy import lazy_pattern

#: The shell leaves such a text as it is, and no value of an option looks like it.
_IN_BRACES = lazy_pattern(r"\{([A-Za-z_]\w{0,60})\}")
#: A blank of several words, in whose place one word comes: `<MODEL PATH>`, `YOUR MODEL PATH`, `[your model path]`.
_OF_WORDS = (
    r"<[A-Za-z][\w./:-]{0,40}(?:[ ]\w[\w./:-]{0,40}){1,8}>"
    r"|(?<![^\W_])YOUR(?:[ ][A-Z][A-Z0-9_]{0,40}){1,5}(?!\w)"
    r"|\[(?i:your)(?:[ ]\w[\w./:-]{0,40}){1,8}\]|\{(?i:your)(?:[ ]\w[\w./:-]{0,40}){1,8}\}"
)
_FIELDS = lazy_pattern(rf"(?:{_OF_WORDS}|[^ \t\n])+")
#: A longer value has this many of them at most.
_MOST = 5


def fields(text: str) -> list[str]:
    """What a shell makes of a value that is not quoted, once its blanks are filled in: `out/<MODEL NAME> x` is two words."""
    return _FIELDS.findall(text)


def is_blank(value: str, script: str) -> bool:
    """Whether a value is one word in braces, or has one that is the whole value of a variable of the script.

    The word is no variable that the script gives another value, whose `$` is missing.
    """
    whole = _IN_BRACES.fullmatch(value)
    if whole is not None:
        return not _is_given(whole[1], script)
    return any(
        _is_left_open(one[1], script) and not _is_given(one[1], script)
        for one in islice(_IN_BRACES.finditer(value), _MOST)
    )


def _is_given(name: str, script: str) -> bool:
    # A comment gives nothing.
    given = re.compile(rf"(?m)^[^#\n]*(?<![\w$.-]){name}=(?![\"']?\{{{name}\}})")
    return given.search(script) is not None


def _is_left_open(name: str, script: str) -> bool:
    """Whether a word in braces is the whole value of a variable."""
    left = re.compile(rf"(?m)^[ \t]*(?:export[ \t]+)?\w{{1,60}}=([\"']?)\{{{name}\}}\1[ \t]*$")
    return left.search(script) is not None
