"""The framework that a file is written for, recognized by its top-level keys."""

from __future__ import annotations

import re
from functools import lru_cache

from cfglint.base.lazy import lazy_pattern
from cfglint.knowledge import compiled

#: Keys at the top level of YAML, and all keys of JSON (a text that cannot be read has no levels); in
#: a script the options of commands, with their dashes, and the Python programs.
_KEYS = {
    "yaml": lazy_pattern(r"^([A-Za-z_][A-Za-z0-9_]*)[ ]*:", re.MULTILINE),
    "json": lazy_pattern(r'"([A-Za-z_][A-Za-z0-9_]{0,80})"[ \t\r\n]*:'),
    "shell": lazy_pattern(r"(--[A-Za-z_]\w*|\b\w+\.py\b)"),
}
_SUFFIXES = {".json": "json", ".jsonc": "json", ".sh": "shell"}


def language_of(path: str) -> str:
    """The language that a file's name says it is written in."""
    name = path.lower()
    return next((found for suffix, found in _SUFFIXES.items() if name.endswith(suffix)), "yaml")


def of_text(text: str, language: str) -> str | None:
    """The framework whose file a text looks like; None when it looks like no framework's."""
    return of_keys(frozenset(_KEYS[language].findall(text)))


def is_other_programs(name: str, language: str) -> bool:
    """Whether a text in YAML has the keys of a framework that reads JSON: a program makes a dict of it."""
    return language == "yaml" and compiled.load("frameworks").FRAMEWORKS[name]["language"] == "json"


@lru_cache(maxsize=64)  # a file is asked about as text, and again when it is read
def of_keys(keys: frozenset[str]) -> str | None:
    """The framework that knows most of some keys at the top level; None when no framework knows any."""
    best: tuple[int, str] | None = None
    for name, (own, known, signs, never) in compiled.load("frameworks").RECOGNIZED.items():
        found = len(keys & known)
        if not found or not never.isdisjoint(keys):
            continue
        own_found = len(keys & own)
        if any(
            has <= keys and own_found >= of_own and found >= of_all for has, of_own, of_all in signs
        ):
            score = found + own_found
            if best is None or score > best[0]:
                best = score, name
    return best[1] if best is not None else None


def fallback(language: str, text: str = "") -> str | None:
    """The framework for a named file of a language that no framework recognizes; None without one.

    Args:
        text: the file's. One framework may have keys of it that are a sign, though too few.
    """
    known: dict[str, str] = compiled.load("frameworks").FALLBACKS
    if language == "shell":
        return known.get(language)  # most scripts have nothing to do with training
    usual = known.get(language) or next(iter(known.values()), None)
    if not text:
        return usual
    return _nearest(frozenset(_KEYS[language].findall(text)), language, usual) or usual


def _nearest(keys: frozenset[str], language: str, usual: str | None) -> str | None:
    """The framework of a language that has most signs among some keys, if the usual one has none."""
    table = compiled.load("frameworks")
    best, found = (0, 0), None
    for name, (own, known, _, never) in table.RECOGNIZED.items():
        signs = len(keys & own), len(keys & known)
        if not signs[0] or table.FRAMEWORKS[name]["language"] != language:
            continue
        if name == usual:
            return None
        if signs > best and never.isdisjoint(keys):
            best, found = signs, name
    return found


def usual() -> str | None:
    """The framework that is assumed until a file decides; None if there is none.

    It is the one that takes files which no framework recognizes, or else the first.
    """
    return fallback("yaml") or next(iter(compiled.load("frameworks").FRAMEWORKS), None)
