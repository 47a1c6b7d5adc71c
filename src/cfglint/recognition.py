"""The framework that a file is written for, recognized by its top-level keys."""

from __future__ import annotations

import re
from functools import lru_cache

from cfglint import compiled
from cfglint.lazy import lazy_pattern

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
    """The framework whose file a text looks like; None when it looks like nobody's."""
    return of_keys(frozenset(_KEYS[language].findall(text)))


@lru_cache(maxsize=64)  # a file is asked about as text, and again when it is read
def of_keys(keys: frozenset[str]) -> str | None:
    """The framework that knows most of some keys at the top level; None when nobody does."""
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


def fallback(language: str) -> str | None:
    """The framework for a named file of a language that nobody recognizes; None without one."""
    known: dict[str, str] = compiled.load("frameworks").FALLBACKS
    if language == "shell":
        return known.get(language)  # most scripts have nothing to do with training
    return known.get(language) or next(iter(known.values()), None)


def usual() -> str | None:
    """The framework that stands for all until a file decides; None if there is none.

    It is the one that takes files which nobody recognizes, or else the first.
    """
    return fallback("yaml") or next(iter(compiled.load("frameworks").FRAMEWORKS), None)
