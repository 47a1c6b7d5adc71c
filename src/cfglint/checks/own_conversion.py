"""Whether a program of the project may convert what lies below a key of which anything goes."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.context import CheckContext
from cfglint.environment.python_sources import is_read_at, places, sources_around

#: What turns a text into a number, and how far from the name of the key it is looked for, in characters.
_TO_NUMBER = lazy_pattern(r"(?<![\w.])float\(")
_NEAR = 300
#: What a program says the name of an argument in, besides those of `is_read_at`.
_ASKED = ("getattr(", "hasattr(")
_LONGEST_ASK = 60


def converting_program(ctx: CheckContext, key: str) -> str | None:
    """The name of a program of the project that converts what is below a key, or handles it; None without one."""
    folder = ctx.around.folder
    if folder is None:
        return None

    def look() -> str | None:
        sources = sources_around(ctx.around)
        known = [(path, text) for path, text in sources.items() if text is not None]
        found = [
            path
            for is_sure in (True, False)
            for path, text in known
            if any(
                _converts(text, *place) if is_sure else _handles(text, *place)
                for place in places(text, key)
            )
        ]
        return os.path.basename(found[0]) if found else None

    return ctx.around.memory.once(("program that converts", folder, key), look)


def _converts(text: str, start: int, end: int) -> bool:
    return _TO_NUMBER.search(text, max(0, start - _NEAR), end + _NEAR) is not None


def _handles(text: str, start: int, end: int) -> bool:
    return is_read_at(text, start, end) or _is_asked_for(text, start)


def _is_asked_for(text: str, start: int) -> bool:
    """Whether a name is the last argument of `getattr(…, "NAME"`."""
    before = text[max(0, start - _LONGEST_ASK) : start]
    at = max(before.rfind(one) for one in _ASKED)
    return at >= 0 and before.endswith(('"', "'")) and ")" not in before[at:]
