"""The files that the commands of a project give to its programs: `python train.py --config configs/sft.yaml`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.named_files import named_file
from cfglint.environment.project.naming import may_be
from cfglint.environment.project_texts import starting_texts
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.environment.surroundings import Surroundings
from cfglint.runs.starts.commands import called_in
from cfglint.runs.starts.start import Word
from cfglint.runs.starts.variables import variables_of
from cfglint.source.calls import ASKED
from cfglint.source.files.scripts import PAGES

#: Where a command names a program.
_PROGRAM = lazy_pattern(r"[\w/-]\.py(?![\w.])|(?<!\S)-m[ \t]+[A-Za-z_]")
_MODULE = ("-m", "--module")
_FILES = (".yaml", ".yml", ".json")
#: Of a file.
_MAX_COMMANDS = 100


def with_files(path: str, around: Surroundings, max_bytes: int) -> tuple[str, ...]:
    """The paths that a path may be, of which the commands that start the program say a part; itself if it has no such part.

    Args:
        path: as a program has it; a part that its command says is between two `ASKED`.
        max_bytes: larger files are left out.
    """
    before, *asked = path.split(ASKED)
    if not asked:
        return (path,)
    if len(asked) != 2:
        return ()
    texts = around.memory.once(
        ("files of commands", os.path.abspath(around.path), asked[0]),
        lambda: tuple(dict.fromkeys(_named_for(asked[0], around))),
    )
    found: dict[str, str] = {}
    for text in texts:
        whole = text if os.path.isabs(text) else before + text + asked[1]
        there = named_file(whole, around, max_bytes) or named_file(text, around, max_bytes)
        if there is not None:
            found.setdefault(os.path.abspath(there), whole)
    return tuple(found)


def _named_for(option: str, around: Surroundings) -> Iterator[str]:
    """The values that commands give an option of the program, those of scripts first."""
    folder, name = around.folder, os.path.basename(around.path)
    if folder is None or not name:
        return
    path, stem = os.path.abspath(around.path), name.removesuffix(".py")
    root = project_root(around, folder)
    texts = sorted(starting_texts(around, root), key=lambda one: one[0].endswith(PAGES))
    # A program may say itself how it is started.
    for script, text in (*texts, (path, python_sources(around, root).get(path))):
        if text is None or stem not in text or not any(one in text for one in _FILES):
            continue
        matches = islice(_PROGRAM.finditer(text), _MAX_COMMANDS)
        for _, words in called_in(text, matches, variables_of(text)):
            for place in range(len(words)):
                if _is_program(words, place, path, os.path.dirname(script)):
                    given = _given(words[place + 1 :], option)
                    if given is not None and not given.open and given.text.endswith(_FILES):
                        yield given.text
                    break


def _is_program(words: list[Word], place: int, path: str, folder: str) -> bool:
    """Whether a word of a command is the program."""
    text = words[place].text
    if place and words[place - 1].text in _MODULE:
        return path.replace(os.sep, "/").endswith(f"/{text.replace('.', '/')}.py")
    return text.endswith(".py") and may_be(text, path, folder)


def _given(words: list[Word], option: str) -> Word | None:
    """The value of an option, by its spellings, or the argument of a number; None if a command has none."""
    if option.isdigit():
        number = int(option)
        plain = words[: number + 1]
        is_there = len(plain) > number and not any(one.text.startswith("-") for one in plain)
        return plain[number] if is_there else None
    found = None
    for place, word in enumerate(words):
        name, equals, value = word.text.partition("=")
        if name in option.split(","):
            following = words[place + 1] if place + 1 < len(words) else None
            found = Word(value, word.start, word.end, word.open) if equals else following
    return found
