"""The framework that a file is written for, recognized by its top-level keys."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from cfglint.base.held_commands import held_commands
from cfglint.base.lazy import lazy_pattern
from cfglint.base.package_folders import with_package_names
from cfglint.base.paths import SCRIPT_SUFFIXES
from cfglint.knowledge import compiled

#: Keys at the top level of YAML, and all keys of JSON (a text that cannot be read has no levels); in
#: a script the options of commands, with their dashes, the Python programs and modules, which may also be the
#: first words of a here-document, or of a variable, and keys with two dots that words set; in a program, and in the lines of a notebook's cells, what it imports.
_KEYS = {
    "yaml": lazy_pattern(r"^([A-Za-z_][A-Za-z0-9_]*)[ ]*:", re.MULTILINE),
    "json": lazy_pattern(r'"([A-Za-z_][A-Za-z0-9_]{0,80})"[ \t\r\n]*:'),
    "shell": lazy_pattern(
        r"(--[A-Za-z_]\w*|\b\w+\.py\b|(?:(?<=-m )|(?<=--module ))[A-Za-z_][\w.]*"
        r"|(?:^|(?<==\")|(?<=='))[A-Za-z_]\w*\.\w+\.[\w.]+"
        r"|(?<![\w.])[A-Za-z_]\w{0,80}\.\w{1,80}\.\w{1,80}(?==))",
        re.MULTILINE,
    ),
    "python": lazy_pattern(
        r"(?:^[ \t]*(?:\"[ \t]*)?|[\[,:][ ]?\"|\\n)((?:from|import) [A-Za-z_]\w*)", re.MULTILINE
    ),
}
#: What a program imports by a text.
_LOADED = lazy_pattern(r"\bimport_module\([\"']([A-Za-z_]\w{0,60})[\"'.]")
#: The file of a module, in a checkout of its package: it is known by the name of the module, too.
_MODULE_FILE = lazy_pattern(r"\b([A-Za-z_]\w{0,60})/(\w{1,60})/(\w{1,60})\.py\b")
#: YAML whose top level is written otherwise: within braces, or indented as a whole.
_IN_BRACES = lazy_pattern(r"[{,][ \t\r\n]*[\"']?([A-Za-z_][A-Za-z0-9_]{0,80})[\"']?[ \t]*:(?=\s)")
_INDENTED = lazy_pattern(r"^([ ]+)([A-Za-z_][A-Za-z0-9_]*)[ ]*:", re.MULTILINE)
_SUFFIXES = {
    ".json": "json",
    ".jsonc": "json",
    ".py": "python",
    ".ipynb": "python",
    **dict.fromkeys(SCRIPT_SUFFIXES, "shell"),
}
#: Languages whose files are recognized by their text, not by the keys of a document; most of
#: them have nothing to do with training.
OF_TEXTS = frozenset({"shell", "python"})


def language_of(path: str) -> str:
    """The language that a file's name says it is written in."""
    name = path.lower()
    return next((found for suffix, found in _SUFFIXES.items() if name.endswith(suffix)), "yaml")


def keys_of(text: str, language: str) -> frozenset[str]:
    """The keys of a text by which its framework is recognized."""
    found = _KEYS[language].findall(text)
    if language == "shell":
        # A module is also one of its package, whatever its own name.
        found += [one[: one.rindex(".") + 1] for one in found if "." in one.removesuffix(".py")]
        found += [".".join(parts) for parts in _MODULE_FILE.findall(text)]
    elif language == "python":
        found += [f"import {one}" for one in _LOADED.findall(text)]
    if found or language != "yaml":
        return frozenset(found)
    if text.lstrip("\ufeff \t\r\n").startswith(("{", "#", "-")) and "{" in text:
        return frozenset(_IN_BRACES.findall(text))
    rows = _INDENTED.findall(text)
    least = min((len(spaces) for spaces, _ in rows), default=0)
    return frozenset(key for spaces, key in rows if len(spaces) == least)


def of_text(text: str, language: str) -> str | None:
    """The framework whose file a text looks like; None when it looks like no framework's."""
    # What a script starts tells more than its options, which several programs may have.
    name = of_script(text) if language == "shell" else None
    if name is not None:
        return name
    name = of_keys(keys_of(text, language))
    return None if name is not None and program_of_text(text) is not None else name


def of_file(path: str, text: str, language: str) -> str | None:
    """The framework that a file is for, by its name if that is one's own, or else by its text."""
    named = compiled.load("frameworks").NAMED_FILES.get(os.path.basename(path))
    if named is not None and text[:99].lstrip("\ufeff \t\r\n")[:1] == "[":
        named = None  # another tool's list under the same name
    if named is not None and named[1].isdisjoint(_KEYS[language].findall(text)):
        return str(named[0])
    return of_text(text, language)


def of_script(text: str) -> str | None:
    """The framework that a script may start with options: the one whose command comes first."""
    first: tuple[int, str] | None = None
    text = with_package_names(text)
    for name, pattern, signs in _script_patterns():
        match = pattern.search(text)
        if match is None or not (match["name"] or any(sign in text for sign in signs)):
            continue
        if first is None or match.start() < first[0]:
            first = match.start(), name
    return first[1] if first is not None else _of_variable(text)


def _of_variable(text: str) -> str | None:
    """The framework whose own command a variable of a script has, which is started with options: `$TOOL train`."""
    table = _script_commands()
    for variable, script in held_commands(text, table).items():
        name, commands = table[script]
        used = rf"\$(?:{variable}|\{{{variable}\}})[\"']?(?:[ \t]|\\\r?\n){{1,40}}(?:{commands})\b"
        if re.search(used, text):
            return name
    return None


@lru_cache(maxsize=1)
def _script_commands() -> dict[str, tuple[str, str]]:
    """Own command of a framework -> the framework, and a pattern of its sub-commands."""
    table = compiled.load("frameworks")
    found = {}
    for name, row in table.FRAMEWORKS.items():
        started = table.MARKS[name].get("started_by")
        if row["scripts"] and started is not None:
            called = (*started["commands"], *started.get("commands_beside", ()))
            commands = "|".join(map(re.escape, called))
            for script in (started["script"], *started.get("script_is_also", ())):
                found[script] = (name, commands)
    return found


@lru_cache(maxsize=1)
def _script_patterns() -> tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...]:
    """(framework, what its commands are recognized by, the options that go with files) of those that scripts start with options."""
    table = compiled.load("frameworks")
    found = []
    for name, row in table.FRAMEWORKS.items():
        started = table.MARKS[name].get("started_by")
        if not row["scripts"] or started is None:
            continue
        called = (*started["commands"], *started.get("commands_beside", ()))
        commands = "|".join(map(re.escape, called))
        names = (started["script"], *started.get("script_is_also", ()), f"{started['modules']}.")
        files, signs = started.get("files", ()), started.get("file_options", ())
        if not signs:
            names, files = (*names, *files), ()
        # A word that is nothing but a name may be a value, or a part of a comment.
        behind = rf"(?=[\s\\\"'}}]{{1,40}}(?:\$|(?:{commands})\b))"
        either = "|".join(re.escape(one) + (behind if one.isalpha() else "") for one in names)
        either = f"(?P<name>{either})" + "".join(f"|{re.escape(file)}" for file in files)
        found.append((name, lazy_pattern(rf"(?:(?<![\w.=-])|(?<=:-))(?:{either})"), tuple(signs)))
    return tuple(found)


def is_other_programs(name: str, language: str) -> bool:
    """Whether a text in YAML has the keys of a framework that reads JSON: a program makes a dict of it."""
    return language == "yaml" and compiled.load("frameworks").FRAMEWORKS[name]["language"] == "json"


@lru_cache(maxsize=64)  # a file is asked about as text, and again when it is read
def of_keys(keys: frozenset[str]) -> str | None:
    """The framework that knows most of some keys at the top level; None when no framework knows any."""
    best: tuple[int, str] | None = None
    for name, (own, known, signs, never, _) in compiled.load("frameworks").RECOGNIZED.items():
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
    return best[1] if best is not None and program_of_keys(keys) is None else None


def program_of_keys(keys: frozenset[str]) -> str | None:
    """The title of another program that has files with such keys; None when no such program is known."""
    for title, signs, _ in compiled.load("frameworks").PROGRAMS:
        if any(sign <= keys for sign in signs):
            return str(title)
    return None


def program_of_text(text: str) -> str | None:
    """The title of another program that a text is certainly for, as far as that is known."""
    for title, _, pattern in compiled.load("frameworks").PROGRAMS:
        if pattern and re.search(pattern, text):
            return str(title)
    return None


def fallback(language: str) -> str | None:
    """The framework that is assumed for a language until a file decides; None without one."""
    known: dict[str, str] = compiled.load("frameworks").FALLBACKS
    if language in OF_TEXTS:
        return known.get(language)
    return known.get(language) or next(iter(known.values()), None)


def reader_of_scripts() -> str | None:
    """A framework whose files are scripts, for one that starts none; None without such a framework."""
    rows = compiled.load("frameworks").FRAMEWORKS.items()
    return next((name for name, row in rows if row["language"] == "shell"), None)


def usual() -> str | None:
    """The framework that is assumed until a file decides; None if there is none.

    It is the one that is assumed for YAML, or else the first.
    """
    return fallback("yaml") or next(iter(compiled.load("frameworks").FRAMEWORKS), None)
