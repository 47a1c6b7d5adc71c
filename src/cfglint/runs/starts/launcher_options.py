"""The options of launchers: which they have, and which one is meant by another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cfglint.base.lazy import lazy_pattern
from cfglint.knowledge.marks import MODULE, Launcher

#: How similar an option is to the one that was meant.
_SIMILAR = 0.85
_OPTION = lazy_pattern(r"--[A-Za-z][\w-]{1,60}(?==|\Z)")


def known_options(launcher: Launcher) -> frozenset[str]:
    """The options that a launcher has in any release, with `_` for `-`; none where they are not known."""
    if not launcher.options:
        return frozenset()
    named = (*launcher.options, *launcher.flags, *launcher.total, *launcher.each)
    return frozenset((*named, *launcher.machines, launcher.settings, "help", "module"))


def unknown_options(words: Sequence[str], launcher: Launcher) -> Iterator[int]:
    """The places of options, among the words behind a launcher, that it does not have; up to the program that it starts."""
    known = known_options(launcher)
    for place in _options(words, launcher):
        name = _name(words[place])
        if known and _OPTION.match(words[place]) and not _has(known, name, launcher):
            yield place


def program_at(words: Sequence[str], launcher: Launcher) -> int:
    """The place of the program, or the module, among the words behind a launcher."""
    place = behind_options(words, launcher)
    return place + (1 if place < len(words) and words[place] in MODULE else 0)


def behind_options(words: Sequence[str], launcher: Launcher) -> int:
    """The place behind a launcher's own options, and their values."""
    return next((_behind(words, at, launcher) for at in reversed([*_options(words, launcher)])), 0)


def _options(words: Sequence[str], launcher: Launcher) -> Iterator[int]:
    place = 0
    while place < len(words) and words[place].startswith("-") and words[place] not in MODULE:
        yield place
        place = _behind(words, place, launcher)


def _behind(words: Sequence[str], place: int, launcher: Launcher) -> int:
    """The place behind an option, and its value."""
    return place + (1 if _is_alone(words[place], launcher) else 2)


def _is_alone(word: str, launcher: Launcher) -> bool:
    """Whether the next word is not the value of an option."""
    return "=" in word or _name(word) in launcher.flags or len(word) == 2


def _name(word: str) -> str:
    return word.partition("=")[0].lstrip("-").replace("-", "_")


def meant_option(option: str, launcher: Launcher) -> str:
    """The option that one which a launcher does not have is probably a slip for; empty if it is like none.

    Args:
        option: its name, with or without `--`.
    """
    from difflib import get_close_matches

    close = get_close_matches(_name(option), sorted(known_options(launcher)), n=1, cutoff=_SIMILAR)
    return next(iter(close), "")


def _has(known: frozenset[str], name: str, launcher: Launcher) -> bool:
    return name in known or (launcher.abbreviates and any(one.startswith(name) for one in known))
