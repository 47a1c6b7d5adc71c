"""What Hydra makes of a config and the words behind it, one word after the other.

It follows `_apply_overrides_to_config` of Hydra 1.3 and `OmegaConf.update`. A value that is not
known, and may be a section, is `UNKNOWN`: nothing below it is refused.
"""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.record import Record
from cfglint.base.type_names import Any, Final
from cfglint.frameworks.verl.interpolations import resolved
from cfglint.source.languages.overrides import ConfigWord
from cfglint.source.values import Interpolation, Unexpanded

#: Why a word is refused: it sets a key that the config does not have; it adds one that has a value;
#: it takes one away that has none, or has another value; it merges a list and a mapping.
NO_KEY, HAS_VALUE, NO_VALUE, CLASH = "no key", "has value", "no value", "clash"
_MAX_STEPS: Final = 10


class Refused(Record):
    """A word that Hydra refuses."""

    word: ConfigWord
    #: `NO_KEY`, `HAS_VALUE`, `NO_VALUE` or `CLASH`.
    why: str
    #: The word in front of it that is the reason; None where the config is.
    cause: ConfigWord | None


def found_at(tree: Any, parts: Iterable[str]) -> Any:
    """What a tree has at a path: `MISSING` without it, `UNKNOWN` at and below what is not known."""
    here = tree
    for part in parts:
        if not isinstance(here, dict):
            return UNKNOWN if here is UNKNOWN else MISSING
        here = here.get(part, MISSING)
    return here


class Merged:
    """A config, and what words make of it.

    Args:
        tree: the config before the first word; it is changed.
    """

    def __init__(self, tree: dict[str, Any]) -> None:
        self.tree = tree
        self.refused: list[Refused] = []
        self._before: dict[str, ConfigWord] = {}

    def add(self, word: ConfigWord) -> None:
        """Apply the next word, unless it is refused."""
        why = self._applied(word)
        if why:
            self.refused.append(Refused(word, why, self._cause(word.key)))
        self._before[word.key] = word

    def value(self, key: str, steps: int = 0) -> Any:
        """The value of a key, `MISSING` without one; an interpolation is followed."""
        here: Any = self.tree
        for part in key.split("."):
            if isinstance(here, list) and part.isdecimal() and int(part) < len(here):
                here = here[int(part)]
            elif isinstance(here, dict):
                here = here.get(part, MISSING)
            elif here is UNKNOWN or isinstance(here, str):
                return UNKNOWN  # an interpolation may lead on
            else:
                return MISSING
        if here == "???":
            return None
        if not isinstance(here, str) or "${" not in here:
            return here
        if steps >= _MAX_STEPS:
            return UNKNOWN
        section = key.rpartition(".")[0]
        return resolved(here, section, lambda other: self._whole(other, steps + 1))

    def _whole(self, key: str, steps: int) -> Any:
        """The value of a key; that of a section has the interpolations in it followed."""
        found = self.value(key, steps)
        if not isinstance(found, dict) or steps >= _MAX_STEPS:
            return found
        return {name: self._whole(f"{key}.{name}", steps + 1) for name in found}

    def _applied(self, word: ConfigWord) -> str:
        """Why a word is refused; empty if it is not."""
        if word.sign == "~":
            return self._deleted(word)
        value = _held(word.value)
        if word.sign == "+" and not isinstance(value, (dict, list)):
            found = self.value(word.key)
            if UNKNOWN not in (found, value) and found is not MISSING and found is not None:
                return HAS_VALUE
        return self._updated(word.key, value, forced=bool(word.sign))

    def _deleted(self, word: ConfigWord) -> str:
        found = self.value(word.key)
        if found is UNKNOWN:
            return ""
        if found is MISSING or found is None:
            return NO_VALUE
        value = _held(word.value)
        if value not in (UNKNOWN, None, "") and "${" not in str(value) and value != found:
            return NO_VALUE
        section, _, name = word.key.rpartition(".")
        holder = self.value(section) if section else self.tree
        if isinstance(holder, dict):
            del holder[name]
        return ""

    def _updated(self, key: str, value: Any, *, forced: bool) -> str:
        """`OmegaConf.update`: sections that the key names become ones, and the value is set or merged."""
        *sections, name = key.split(".")
        here: Any = self.tree
        for part in sections:
            place: Any = _place(here, part)
            if place is None:
                return CLASH
            if isinstance(here, dict) and part not in here and not forced:
                return NO_KEY
            inner = here[place] if isinstance(here, list) else here.get(place)
            if inner is UNKNOWN:
                return ""
            if not isinstance(inner, (dict, list)):
                if not forced:
                    return NO_KEY  # an empty section takes its place, which has no key
                here[place] = inner = {}
            here = inner
        return _set(here, name, value, forced=forced)

    def _cause(self, key: str) -> ConfigWord | None:
        """The last word that changed a key, a section of it, or something below it."""
        for other, word in reversed(self._before.items()):
            if f"{key}.".startswith(f"{other}.") or other.startswith(f"{key}."):
                return word
        return None


def _place(here: Any, part: str) -> str | int | None:
    """The key or index that a part of a key is; None where a list has no such item."""
    if not isinstance(here, list):
        return part
    return int(part) if part.isdecimal() and int(part) < len(here) else None


def _set(here: Any, name: str, value: Any, *, forced: bool) -> str:
    """Set a key of a section, or merge a list or a mapping into it; why not, if it is refused."""
    place = _place(here, name)
    if place is None:
        return CLASH
    if isinstance(here, dict) and name not in here:
        if not forced:
            return NO_KEY
        here[name] = value
        return ""
    old = here[place]
    if isinstance(value, (dict, list)) and isinstance(old, (dict, list)):
        if type(value) is not type(old):
            return CLASH
        if isinstance(value, dict):
            reasons = [_set(old, str(k), one, forced=forced) for k, one in value.items()]
            return next(filter(None, reasons), "")
    if old is not UNKNOWN or not isinstance(value, (dict, list)):
        here[place] = value
    return ""


def _held(value: Any) -> Any:
    """A value as the config has it: an interpolation is a text there, other unknown ones are `UNKNOWN`."""
    if isinstance(value, dict):
        return {key: _held(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_held(one) for one in value]
    if isinstance(value, Unexpanded) and not isinstance(value, Interpolation):
        return UNKNOWN
    return value
