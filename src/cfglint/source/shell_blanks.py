"""Values of a script that a person fills in before it is started: `BASE_MODEL='{BASE_MODEL}'`."""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern

#: To the shell such a text is itself, so that nobody means it.
_IN_BRACES = lazy_pattern(r"\{([A-Za-z_]\w{0,60})\}")


def is_blank(value: str, script: str) -> bool:
    """Whether a value is one word in braces, and no variable that the script gives another value, whose `$` is missing."""
    word = _IN_BRACES.fullmatch(value)
    if word is None:
        return False
    # A comment gives nothing.
    given = re.compile(rf"(?m)^[^#\n]*(?<![\w$]){word[1]}=(?![\"']?\{{{word[1]}\}})")
    return given.search(script) is None
