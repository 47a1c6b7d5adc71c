"""Regular expressions that cost nothing until they are used."""

from __future__ import annotations

import re

from cfglint.base.type_names import Any, cast

_MEMBERS = (
    *("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"),
    *("flags", "groupindex", "groups", "pattern"),
)


class _LazyPattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self._arguments = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name not in _MEMBERS:
            raise AttributeError(name)
        compiled = re.compile(*self._arguments)
        # From now on these are found before `__getattr__` is asked.
        self.__dict__.update({member: getattr(compiled, member) for member in _MEMBERS})
        return self.__dict__[name]


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, compiled at its first use.

    A check of one file lives for a few hundredths of a second and needs few of the patterns that
    it may need; compiling one takes up to half a millisecond.
    """
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))
