"""The commands that start a program of the project with a file and with options that replace what the file says."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Final
from cfglint.environment.project.naming import may_be
from cfglint.environment.project_texts import starting_texts
from cfglint.environment.python_sources import named_by, project_root, python_sources
from cfglint.environment.surroundings import Surroundings
from cfglint.runs.starts.commands import called_in
from cfglint.runs.starts.start import Start, Word, option_in
from cfglint.runs.starts.variables import variables_of

_MODULE: Final = ("-m", "--module")
#: Name of a parser that lets options replace what a file says -> the option that names the file; empty where the file is
#: the first argument.
Parsers = Mapping[str, str]
#: Where a command names a program.
_PROGRAM: Final = lazy_pattern(r"[\w/-]\.py(?![\w.])|(?<!\S)-m[ \t]+[A-Za-z_]")
_MAX_PROGRAMS: Final = 100


def own_starts(parsers: Parsers, around: Surroundings) -> tuple[Start, ...]:
    """The commands of the project's scripts and pages that start a program of its own, with such a parser, with the file."""
    folder = around.folder
    if folder is None or not around.path:
        return ()
    path = os.path.abspath(around.path)

    def look() -> tuple[Start, ...]:
        root = project_root(around, folder)
        sources = {
            source.replace(os.sep, "/"): text
            for source, text in python_sources(around, root).items()
            if text is not None and any(one in text for one in parsers)
        }
        if not sources:
            return ()
        return tuple(
            start
            for script, text in starting_texts(around, root)
            if text is not None
            and os.path.basename(path) in text
            and (around.project is None or around.project.may_start(script))
            for start in _starts(script, text, path, sources, parsers)
        )

    return around.memory.once(("own starts", path, *parsers), look)


def _starts(
    script: str, text: str, path: str, sources: dict[str, str], parsers: Parsers
) -> Iterator[Start]:
    """The commands of one script."""
    variables = variables_of(text)
    matches = islice(_PROGRAM.finditer(text), _MAX_PROGRAMS)
    for _, words in called_in(text, matches, variables):
        found = _start(script, words, sources, parsers)
        if found is not None and may_be(
            found.config.text, path, os.path.dirname(script), is_open=found.config.open
        ):
            yield found


def _start(
    script: str, words: list[Word], sources: dict[str, str], parsers: Parsers
) -> Start | None:
    """The start that a command is; None when it starts no program that reads a file and options."""
    for place, word in enumerate(words):
        source = _source(words, place, sources)
        if source is None:
            continue
        following = tuple(words[place + 1 :])
        config = None
        options = tuple(option for name, option in parsers.items() if option and name in source)
        if options:
            config = option_in(following, options)
        elif following and not following[0].text.startswith("-"):
            config = following[0]
        if config is None:
            return None
        return Start(
            path=script,
            program=word.text,
            at=word.start,
            command="",
            trains=True,
            own=False,
            launcher="",
            before=(),
            words=tuple(one for one in following if one is not config),
            handed=(),
            config=config,
            environment=(),
            copied=False,
        )
    return None


def _source(words: list[Word], place: int, sources: dict[str, str]) -> str | None:
    """The text of the program that a word of a command names; None if that is not exactly one with such a parser."""
    written = words[place].text
    if place and words[place - 1].text in _MODULE:
        written = f"{written.replace('.', '/')}.py"
    elif not written.endswith(".py"):
        return None
    if "$" in written:
        written = written.rpartition("/")[2]  # `$ROOT/src/grpo.py`
    found = named_by(written, sources)
    return sources[found[0]] if len(found) == 1 else None
