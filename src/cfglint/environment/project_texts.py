"""The scripts, pages and configs of a project: the one reader for all that ask what these say."""

from __future__ import annotations

import os
from itertools import islice

from cfglint.environment.python_sources import project_root, python_sources, sources_naming
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.nearby import text_of
from cfglint.source.files.scripts import SCRIPTS, scripts_below
from cfglint.source.starting_programs import starts_others

#: The ends of the names of configs.
CONFIGS = (".yaml", ".yml", ".json")
#: Those of what else may name a file, beside scripts, pages and programs.
OTHERS = (*CONFIGS, ".ipynb", ".toml")
#: With as many files of some kinds some may have been left out.
MANY = 300
_DATA = ".json"
#: How a program adds options.
_OPTIONS = ("add_argument(", "add_config_arguments(")
_MAX_PROGRAMS = 40
#: A larger file is not read.
_MAX_BYTES = 1_000_000


def project_texts(
    around: Surroundings, root: str, suffixes: tuple[str, ...] = SCRIPTS
) -> list[tuple[str, str | None]]:
    """(path, text) of a project's scripts and pages with commands, or of its other files of some kinds.

    The text is None for what is not read: it is too large, or no UTF-8.
    """

    def look() -> list[tuple[str, str | None]]:
        paths = scripts_below(root, around.files, suffixes)
        return [(path, _text_of(path, around)) for path in paths]

    return around.memory.once(("project texts", root, suffixes), look)


def starting_texts(around: Surroundings, root: str) -> list[tuple[str, str | None]]:
    """(path, text) of all files of a project that may start its programs: scripts, pages, and programs that start others."""

    def look() -> list[tuple[str, str | None]]:
        programs = python_sources(around, root).items()
        starting = [one for one in programs if one[1] is not None and starts_others(one[1])]
        return [*project_texts(around, root), *starting]

    return around.memory.once(("starting texts", root), look)


def every_text(around: Surroundings, root: str) -> tuple[tuple[str, str | None], ...]:
    """(path, text) of all files of a project that may name or start another one: its programs, too.

    A JSON that is too large to be read is data, such as a vocabulary, and left out.
    """

    def look() -> tuple[tuple[str, str | None], ...]:
        scripts, others = project_texts(around, root), project_texts(around, root, OTHERS)
        known = (row for row in others if row[1] is not None or not row[0].endswith(_DATA))
        return (*scripts, *known, *python_sources(around, root).items())

    return around.memory.once(("every text", root), look)


def may_lack_some(around: Surroundings, root: str) -> bool:
    """Whether a project has so many scripts, or so many other files, that some may have been left out."""
    scripts, others = project_texts(around, root), project_texts(around, root, OTHERS)
    return max(len(scripts), len(others)) >= MANY


def scripts_and_programs(around: Surroundings) -> tuple[tuple[str, str | None], ...]:
    """(path, text) of the scripts and programs of a file's project, which may make other files; none of no folder."""
    if around.folder is None:
        return ()
    root = project_root(around, around.folder)
    return (*project_texts(around, root), *python_sources(around, root).items())


def _text_of(path: str, around: Surroundings) -> str | None:
    """The text of a file, which several kinds of files may have it among them, read once."""
    return around.memory.once(
        ("project text", path), lambda: text_of(path, _MAX_BYTES, around.files)
    )


def programs_with(path: str, around: Surroundings) -> list[tuple[str, str]]:
    """The Python files of a file's project that may load it, with their texts: they name it, or are started with it."""
    found = dict(sources_naming(path, around))
    if around.folder is None:
        return []
    root, name = project_root(around, around.folder), os.path.basename(path)
    scripts = [text for _, text in project_texts(around, root) if text is not None and name in text]
    for program, text in python_sources(around, root).items() if scripts else ():
        if text is None or not any(one in text for one in _OPTIONS):
            continue
        stem = os.path.basename(program).removesuffix(".py")
        if any(stem in script for script in scripts):
            found.setdefault(program, text)
    return list(islice(found.items(), _MAX_PROGRAMS))


def text_of_script(path: str, around: Surroundings) -> str:
    """The text of a script in which a command was found; empty if it cannot be read."""
    project = around.project
    text = project.text(path) if project is not None else ""
    if not text and around.folder is not None:
        # A start of the project's own is looked for in further scripts.
        texts = project_texts(around, project_root(around, around.folder))
        text = dict(texts).get(path) or ""
    return text
