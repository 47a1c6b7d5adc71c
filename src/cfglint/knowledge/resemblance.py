"""What a named file resembles that has too few keys to be recognized: a framework's, or another program's.

Only asked for files that a user names. A search in folders leaves such files alone.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.knowledge import compiled, recognition

#: Strings and brackets of JSON; a string is a key if a colon follows it.
_JSON_PARTS = lazy_pattern(r'"((?:[^"\\\n]|\\.)*)"([ \t\r\n]*:)?|[{}\[\]]')
#: A mapping key of any spelling at the top level of YAML.
_YAML_KEY = lazy_pattern(r"(?m)^[\"']?([A-Za-z_][\w.-]*)[\"']?[ ]*:(?=\s|$)")
#: So many keys are shown.
_SHOWN = 3
#: The largest part of a file's keys that its framework may not know, as a fraction.
_UNKNOWN = 2


class Resemblance(Record):
    """What a file resembles, judged by its top-level keys."""

    #: The framework whose keys it has most of; None if it has no framework's.
    framework: str | None
    #: The keys among them that few others have.
    keys: tuple[str, ...]
    #: It certainly is a file of this framework, though it has few keys, or is broken.
    is_certain: bool
    #: The title of another program that it is certainly for.
    program: str | None
    #: What it holds in place of keys; empty if it is text.
    instead: str = ""


def resemblance(text: str, language: str) -> Resemblance:
    """What a text resembles that `recognition.of_text` finds no framework for."""
    keys = _top_level(text, language)
    program = recognition.program_of_keys(keys) or recognition.program_of_text(text)
    rows = sorted(
        (_compared(name, keys) for name in _candidates(language)),
        key=lambda row: (row[1], row[0]),
        reverse=True,
    )
    if not rows or not rows[0][0]:
        return Resemblance(None, (), False, program, _instead_of_keys(text))
    _, is_certain, name = rows[0]
    shown = _telling(name, keys)
    # Keys that two frameworks have alike decide between neither.
    is_tied = len(rows) > 1 and rows[1][:2] == rows[0][:2]
    return Resemblance(name, shown, is_certain and not is_tied and program is None, program)


def reason(path: str, seen: Resemblance) -> str:
    """Why a named file is not checked."""
    if seen.program is not None:
        what = f"looks like {'' if ' ' in seen.program else 'a file of '}{seen.program}, which cfglint does not check"
    elif seen.framework is not None:
        title = compiled.load("frameworks").FRAMEWORKS[seen.framework]["title"]
        keys = ", ".join(f"`{key}`" for key in seen.keys)
        what = f"not recognized; the closest framework is {title} ({keys})"
    else:
        what = (
            f"not recognized: {seen.instead or 'it has no key of a framework that cfglint knows'}"
        )
    return f"{path}: {what}; not checked"


def question(path: str, seen: Resemblance) -> str:
    """Why a named file is not checked, and which option of the command has it checked."""
    advice = f"--framework {seen.framework or 'NAME'} checks it as one of that framework's"
    return f"{reason(path, seen)} ({advice})"


def _instead_of_keys(text: str) -> str:
    """What a text without a known key holds, where that explains it."""
    if not text.strip():
        return "it is empty"
    if "\0" in text:
        return "it contains NUL characters, as UTF-16 and binary files do"
    return ""


def _candidates(language: str) -> list[str]:
    """The frameworks that read files of a language."""
    languages = {"yaml": ("yaml", "omegaconf"), "json": ("json", "omegaconf")}
    table = compiled.load("frameworks")
    return [
        name
        for name in table.RECOGNIZED
        if table.FRAMEWORKS[name]["language"] in languages.get(language, (language,))
    ]


def _compared(name: str, keys: frozenset[str]) -> tuple[int, bool, str]:
    """(how many of the keys a framework knows, whether they are a sign of it, its name)."""
    own, known, _, never, named = compiled.load("frameworks").RECOGNIZED[name]
    found = len(keys & (known | _all_keys(name)))
    if not found or not never.isdisjoint(keys):
        return 0, False, name
    is_sign = any(
        has <= keys and len(keys & own) >= of_own and found >= of_all
        for has, of_own, of_all in named
    )
    return found, is_sign and found * _UNKNOWN >= len(keys), name


@lru_cache(maxsize=8)
def _all_keys(name: str) -> frozenset[str]:
    """The keys at the top level of a framework's files, of all kinds and releases."""
    kinds = compiled.load("frameworks").FRAMEWORKS[name]["kinds"]
    tables = [f"{name}_keys", *(f"{name}_{kind}_keys" for kind in kinds)]
    return frozenset(
        chain.from_iterable(compiled.load(table).SECTIONS.get("", ()) for table in tables)
    )


def _telling(name: str, keys: frozenset[str]) -> tuple[str, ...]:
    """Some of the keys by which a framework is recognized, its own first."""
    own, known, *_ = compiled.load("frameworks").RECOGNIZED[name]
    found = [*sorted(keys & own), *sorted((keys & known) - own), *sorted(keys & _all_keys(name))]
    return tuple(dict.fromkeys(found))[:_SHOWN]


def _top_level(text: str, language: str) -> frozenset[str]:
    """The keys at the top level of a text, whether or not it can be read."""
    if language == "yaml":
        return frozenset(_YAML_KEY.findall(text)) or recognition.keys_of(text, language)
    if language != "json":
        return recognition.keys_of(text, language)
    keys, depth = [], 0
    for match in _JSON_PARTS.finditer(text):
        part = match.group()
        if part[0] == '"':
            if match.group(2) is not None and depth <= 1:
                keys.append(match.group(1))
        else:
            depth += 1 if part in "{[" else -1
    return frozenset(keys)
