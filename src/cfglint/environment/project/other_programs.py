"""Programs of a project that read a config in place of the framework whose keys it has.

One is named with the file in a command: in a comment of the file, or in a script or a page of the project. Another
shows by its source that it reads such files: it loads YAML by itself, and asks for most of the file's keys.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.environment.project.naming import may_be
from cfglint.environment.project_texts import CONFIGS, project_texts
from cfglint.environment.python_sources import (
    LOADERS,
    PARSERS,
    any_source,
    is_declared_in,
    is_read_in,
    places,
    project_root,
    python_sources,
    sources_around,
)
from cfglint.environment.surroundings import Surroundings
from cfglint.source.document import Document

#: What a command starts: a module, or a file.
_PROGRAM = lazy_pattern(
    r"(?<!\S)(?:(?:-m|--module)[ \t]+([A-Za-z_][\w.]{0,100})|([\w./-]{1,200}\.py))(?!\S)"
)
#: How long a command is, up to the name of the file.
_LONGEST = 600
_MAX_NAMED = 20
#: Of the name of the file in one text.
_MAX_PLACES = 500
#: What surrounds a path in a command.
_AROUND = " \t\r\n\"'`=,;()[]<>&|"
#: So many of the keys of a file, as a fraction, are asked for by a program that reads it.
_MOST = 2
#: So many at least, where some are not.
_SEVERAL = 3


class NamedProgram(Record):
    """A program of the project, and what lies beside it in its package."""

    #: The file that is started.
    path: str
    text: str
    #: All sources of its folder, its own among them.
    beside: tuple[str, ...]

    def names(self, key: str) -> bool:
        """Whether it has a key of a config, as a text or as an argument that it reads."""
        quoted = f'"{key}"', f"'{key}'"
        return any(
            any(one in text for one in quoted) or is_read_in(text, key) for text in self.beside
        )


def programs_named_with(document: Document, around: Surroundings) -> tuple[NamedProgram, ...]:
    """The programs of the project that a command starts with a config."""
    folder = around.folder
    if folder is None or not around.path:
        return ()

    def look() -> tuple[NamedProgram, ...]:
        root = project_root(around, folder)
        written = dict.fromkeys(
            program
            for at, text in _texts(document, around, root)
            for program in islice(_programs(text, around.path, at), _MAX_NAMED)
        )
        sources = python_sources(around, root) if written else {}
        found = (_resolved(one, sources) for one in written)
        return tuple(program for program in found if program is not None)

    return around.memory.once(("programs named with", around.path), look)


def reads_such_files(names: Collection[str], all_of: Collection[str], around: Surroundings) -> bool:
    """Whether a program of the project loads YAML, and asks for most keys of a file.

    Args:
        names: the keys of the file.
        all_of: those of them that it has to ask for.
    """
    return bool(names) and any(
        _loads(text)
        and all(is_read_in(text, name) for name in all_of)
        and _asks_for_most(text, names)
        for text in sources_around(around).values()
        if text
    )


def are_declared(names: Collection[str], around: Surroundings) -> bool:
    """Whether classes of a project that fills such classes from files or options declare some keys.

    Of three and more most are enough: old ones are left in files.
    """
    texts = [text for text in sources_around(around).values() if text]
    if not names or not any(word in text for text in texts for word in PARSERS):
        return False
    declared = sum(any(is_declared_in(text, name) for text in texts) for name in names)
    return declared == len(names) or (declared >= _SEVERAL and declared * _MOST >= len(names))


def is_read_by_one(
    names: Collection[str],
    strange: Collection[str],
    several: int,
    but: tuple[str, ...],
    around: Surroundings,
) -> bool:
    """Whether the project loads YAML, and a program asks for most keys of a file, with several strange ones among them.

    One program has to ask for them: in a large project any name is read somewhere.

    Args:
        names: the keys of the file.
        strange: those of them that the framework has in no release.
        several: so many of these it has to ask for.
        but: words, in lower case, of programs that do not count.
    """
    return any_source(around, ("loads YAML",), _loads) and any(
        sum(is_read_in(text, one) for one in strange) >= several
        and _asks_for_most(text, names)
        and not any(word in text.lower() for word in but)
        for text in sources_around(around).values()
        if text
    )


def _loads(text: str) -> bool:
    return any(word in text for word in LOADERS)


def _asks_for_most(text: str, names: Collection[str]) -> bool:
    return sum(is_read_in(text, name) for name in names) * _MOST >= len(names)


def are_in_sources(words: tuple[str, ...], around: Surroundings) -> bool:
    """Whether a Python source of the project has one of some words, in any case; also where one is not read."""
    return any_source(
        around,
        ("has words", words),
        lambda text: any(word in text.casefold() for word in words),
        unread=True,
    )


def is_written_beside(name: str, around: Surroundings, root: str, *, but: str) -> bool:
    """Whether a program, a script, a page or a config of a project has a name, such as that of an option.

    Args:
        but: a word of the files in which it does not count.
    """

    def look() -> bool:
        programs = python_sources(around, root).items()
        texts = (*project_texts(around, root), *project_texts(around, root, CONFIGS))
        return any(
            text is not None and but not in text and next(places(text, name), None) is not None
            for _, text in (*programs, *texts)
        )

    return around.memory.once(("written beside", root, name, but), look)


def _texts(document: Document, around: Surroundings, root: str) -> Iterator[tuple[str, str]]:
    """The texts with commands, each with its folder: the file's own comments, and the scripts that name it."""
    lines = (line.strip() for line in document.text.splitlines())
    yield os.path.dirname(around.path), "\n".join(line for line in lines if line.startswith("#"))
    name = os.path.basename(around.path)
    for path, text in project_texts(around, root):
        if text is not None and name in text:
            yield os.path.dirname(path), text


def _programs(text: str, path: str, folder: str) -> Iterator[str]:
    """What is started with a file: `tools/run.py` of `python tools/run.py --config FILE`, `tools/run` of a module."""
    name = os.path.basename(path)
    at, seen = text.find(name), 0
    while at >= 0 and seen < _MAX_PLACES:
        end, seen = at + len(name), seen + 1
        begin = at
        while begin and at - begin < _LONGEST and text[begin - 1] not in _AROUND:
            begin -= 1
        if may_be(text[begin:end], os.path.abspath(path), folder):
            found = list(_PROGRAM.finditer(_command_before(text, begin)))
            if found:
                yield found[-1][2] or found[-1][1].replace(".", "/")
        at = text.find(name, end)


def _command_before(text: str, end: int) -> str:
    """The part of a command before a place: its line, and those that go on with a backslash."""
    begin = end
    while True:
        begin = text.rfind("\n", 0, begin) + 1
        goes_on = text.endswith(("\\\n", "\\\r\n"), 0, begin)
        if not goes_on or end - begin > _LONGEST:
            break
        begin -= 1
    return text[max(begin, end - _LONGEST) : end]


def _resolved(written: str, sources: dict[str, str | None]) -> NamedProgram | None:
    """The file of the project that a command starts; None if there is not exactly one."""
    written = written.removeprefix("./")
    ends = (written,) if written.endswith(".py") else (f"{written}.py", f"{written}/__main__.py")
    found = [
        path
        for path in sources
        if path.replace(os.sep, "/").endswith(tuple(f"/{end}" for end in ends))
    ]
    text = sources[found[0]] if len(found) == 1 else None
    if text is None:
        return None
    folder = os.path.dirname(found[0])
    beside = (text for path, text in sources.items() if os.path.dirname(path) == folder)
    return NamedProgram(found[0], text, tuple(filter(None, beside)))
