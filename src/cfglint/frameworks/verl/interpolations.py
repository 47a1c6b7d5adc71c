"""Values that a config takes from its other keys: `${a.b}`, `${.b}`, `${oc.select:a.b,default}`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.type_names import Any
from cfglint.source.languages.override_values import NotAValue, Several, value_of
from cfglint.source.values import Unexpanded

_KEY = lazy_pattern(r"(\.*)((?:[A-Za-z_0-9][\w-]*)(?:\.[A-Za-z_0-9][\w-]*)*)")
_SELECT = "oc.select:"
#: The value of a key; `MISSING` without it, `UNKNOWN` if that is not known.
Lookup = Callable[[str], Any]


def resolved(text: str, section: str, lookup: Lookup) -> Any:
    """The value of a text with interpolations in it; `UNKNOWN` when that cannot be determined.

    Args:
        section: the section of the key whose value it is.
    """
    parts = list(_parts(text))
    values = [
        _referred(part[2:-1], section, lookup) if part.startswith("${") else part for part in parts
    ]
    if len(values) == 1:
        return values[0]
    if any(value is UNKNOWN for value in values):
        return UNKNOWN
    return "".join(map(str, values))


def _parts(text: str) -> Iterator[str]:
    """The interpolations of a text, and what is between them."""
    at = 0
    while at < len(text):
        start = text.find("${", at)
        if start != at:
            yield text[at : start if start >= 0 else len(text)]
            if start < 0:
                return
        at = _end(text, start)
        yield text[start:at]


def _end(text: str, start: int) -> int:
    """Behind the brace that closes the interpolation which begins at `start`."""
    depth = 0
    for at in range(start + 1, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


def _referred(inner: str, section: str, lookup: Lookup) -> Any:
    """The value of an interpolation; a reference to a missing key is an error, and so unknown."""
    is_select = inner.startswith(_SELECT)
    name, comma, default = inner.removeprefix(_SELECT).partition(",")
    key = _absolute(name.strip(), section)
    if key is None or (comma and not is_select):
        return UNKNOWN
    found = lookup(key)
    if not is_select:
        return UNKNOWN if found is MISSING else found
    if found is not MISSING:
        return found
    return _default(default.strip(), section, lookup) if comma else None


def _absolute(name: str, section: str) -> str | None:
    """A key with all of its sections; each dot in front leads one section up, the first to its own."""
    match = _KEY.fullmatch(name)
    if match is None:
        return None
    if not match[1]:
        return name
    above = section.split(".") if section else []
    kept = len(above) - (len(match[1]) - 1)
    return ".".join((*above[:kept], match[2])) if kept >= 0 else None


def _default(text: str, section: str, lookup: Lookup) -> Any:
    if text.startswith("${"):
        return resolved(text, section, lookup)
    try:
        value = value_of(text)
    except (NotAValue, Several):
        return UNKNOWN
    return UNKNOWN if isinstance(value, Unexpanded) else value
