"""Whether anything in a project installs a package: in whatever release, and however it is written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project_texts import project_texts
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge import compiled
from cfglint.knowledge.marks import all_marks
from cfglint.knowledge.releases.table import releases_of
from cfglint.source.files.scripts import SCRIPTS

#: Files that may have commands in them, and files that may list packages.
WITH_COMMANDS = (*SCRIPTS, ".rst", ".ipynb", ".yml", ".yaml", ".def", "Dockerfile")
LISTS = (".txt", ".in", ".toml", ".cfg", ".lock", "setup.py", "Pipfile", ".yml", ".yaml")
#: Of texts and YAML files only those whose names, or folders, have one of these words list packages.
_OF_PACKAGES = ("req", "pip", "package", "env", "conda", "install", "constraint")
_COMMAND = lazy_pattern(
    r"\b(?:pip3?|uv|conda|mamba|poetry|pixi|pdm)[ \t]{1,9}(?:pip[ \t]{1,9})?(?:install|add)\b"
    r"|\bgit[ \t]{1,9}clone\b|\bdocker[ \t]{1,9}(?:run|pull)\b|^FROM\b",
    re.MULTILINE,
)
#: The rest of a command, with the lines that a backslash continues.
_REST = lazy_pattern(r"(?:[^\n\\]|\\[\s\S])*")
_LONGEST = 2_000
#: The same in a program of Modal's: `image.pip_install("torch")`.
_CALL = lazy_pattern(r"\.(?:uv_)?pip_install\(([^()]{0,2000})")
#: How a notebook writes such a backslash at the end of a line.
_CONTINUED = '\\\\\\n",\n'


def is_installed_by_project(around: Surroundings, package: str) -> bool:
    """Whether a file of a project installs a package, or another one that depends on it; also if nothing is known."""
    if around.folder is None:
        return True
    root = project_root(around, around.folder)

    def look() -> bool:
        names = "|".join(sorted(_names(package)))
        word = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])", re.IGNORECASE)
        entry = re.compile(
            rf"(?:^[ \t]*(?:-[ \t]+)?|[\"']|github\.com[/:](?:[\w.-]{{1,60}}/)?)(?:{names})(?![\w-])",
            re.M | re.I,
        )
        scripts = project_texts(around, root, WITH_COMMANDS)
        lists = project_texts(around, root, LISTS)
        for path, text in scripts:
            if text is not None and any(word.search(one) for one in _commands(path, text)):
                return True
        for path, text in lists:
            if lists_packages(path) and (text is None or entry.search(text)):
                return True
        return any(
            text is not None and any(word.search(match[1]) for match in _CALL.finditer(text))
            for text in python_sources(around, root).values()
        )

    return around.memory.once(("installs", root, package), look)


def _commands(path: str, text: str) -> Iterator[str]:
    """The arguments of the commands that install something."""
    if path.endswith(".ipynb"):
        text = text.replace(_CONTINUED, " ")
    for _, _, rest in commands_with_rest(text):
        yield rest


def commands_with_rest(text: str) -> Iterator[tuple[str, int, str]]:
    """(a command that installs something, where its arguments begin, these up to the next command)."""
    match = _COMMAND.search(text)
    while match is not None:
        start, following = match.end(), _COMMAND.search(text, match.end())
        # Each is read once, however many a line has.
        end = start + _LONGEST if following is None else min(start + _LONGEST, following.start())
        rest = _REST.match(text, start, end)
        if rest is not None:
            yield match[0], start, rest[0]
        match = following


def lists_packages(path: str) -> bool:
    """Whether a file with the ending of a list may be one."""
    folder, name = os.path.split(path.lower())
    return not name.endswith((".txt", ".yml", ".yaml")) or any(
        word in part for word in _OF_PACKAGES for part in (name, os.path.basename(folder))
    )


def _names(package: str) -> set[str]:
    """Patterns for the names of a package, of its repository, and of what depends on it."""
    brought = (one.split() for one in compiled.load("frameworks").BROUGHT_BY)
    found = {package, *(by for name, by in brought if name == package)}
    for marks in all_marks():
        releases = releases_of(marks.package)
        if marks.package == package or package in releases.pins.get(releases.newest, {}):
            found |= {marks.package, marks.repository}
    return {pattern_of(name) for name in found if name}


def pattern_of(name: str) -> str:
    """A name of a package, however its parts are joined."""
    return re.escape(name).replace(r"\-", "[-_]?")
