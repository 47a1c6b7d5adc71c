"""How a change of a setting is written: as a key of a file, an option of a command, or a keyword of a call."""

from __future__ import annotations

import re
from collections.abc import Callable

from cfglint.base.lazy import lazy_pattern

#: `key: value` in a title, or the key alone.
_SETTING = lazy_pattern(r"`([a-z][a-z0-9_.]*)(?:: ([^`\n]+))?`")
_TRUTHS = {"true": "True", "false": "False", "null": "None"}

Spelling = Callable[[str], str]


def as_key(title: str) -> str:
    """A title as it is written for files."""
    return title


def as_option(title: str) -> str:
    """A title with options of a command in place of keys."""
    return _SETTING.sub(_option, title)


def as_keyword(title: str) -> str:
    """A title with keywords of a call in place of keys."""
    return _SETTING.sub(_keyword, title)


def _option(match: re.Match[str]) -> str:
    value = "" if match[2] in (None, "true") else f" {match[2]}"
    return f"`--{match[1]}{value}`"


def _keyword(match: re.Match[str]) -> str:
    text = match[2]
    if text is None:
        return match[0]
    is_number = text.replace(".", "", 1).isdigit()
    value = _TRUTHS.get(text) or (text if is_number else f'"{text}"')
    return f"`{match[1]}={value}`"
