"""Files of a project that a command looks for in another folder than the one they are in: a config, or the program itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import OtherFile
from cfglint.environment.project_texts import (
    CONFIGS,
    may_lack_some,
    project_texts,
    starting_texts,
)
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.marks import launchers
from cfglint.runs.starts.launchers import read_all
from cfglint.runs.starts.start import Start, Word, option_in
from cfglint.source.files.folders import climb
from cfglint.source.files.nearby import decoded, is_in_clone
from cfglint.source.files.scripts import PAGES
from cfglint.source.text import SourceText, Span

#: Options of launchers, and of programs, with a path that is taken from where the command runs.
_OF_LAUNCHERS: Final = ("config_file", "deepspeed_config_file")
_OF_PROGRAMS: Final = ("deepspeed", "deepspeed_config")
#: What may bring a file to where it is looked for.
_BRINGING = lazy_pattern(
    r"(?m)(?:^|[\s;&|(`])(?:git[ \t]+(?:clone|checkout|submodule|pull|apply)|wget|curl|cp|mv|ln|rsync|scp|tar|unzip|tee"
    r"|patch|gsutil|s3cmd|aws|hf|huggingface-cli|docker|singularity|apptainer|eval)(?=[\s;]|$)|<<"
)
_GOING = lazy_pattern(
    r"(?m)(?:^|[\s;&|(`])(?:cd|pushd|chdir)(?=[\s;]|$)|--(?:chdir|work(?:ing_?)?dir)\b"
)
#: A program of these goes elsewhere itself, or makes files.
_OWN_WAY: Final = ("chdir(", "shutil")
#: Files that name what the repository itself does not have.
_ASIDE: Final = (".gitignore", ".gitmodules")
_MAX_BYTES: Final = 200_000
_CLOSED: Final = frozenset("$*?{}~:`\\\0")
_LONGEST: Final = 200
#: With as many files of a name it is not clear which one is meant.
_MAX_SAME: Final = 3
_MAX_FOUND: Final = 5


class _Missing(NamedTuple):
    """What a command names, where, and where it is instead."""

    written: str
    span: Span
    there: str


def file_in_other_folder(ctx: CheckContext) -> Iterator[Hit]:
    """`accelerate launch --config_file train/zero3.yaml train/sft.py`, and the file is `train/configs/zero3.yaml`."""
    around = ctx.around
    if around.folder is None or around.left:
        return
    root = project_root(around, around.folder)
    if not around.files.has(os.path.join(root, ".git")) or may_lack_some(around, root):
        return
    yield from islice(_found(ctx, root), _MAX_FOUND)


def _found(ctx: CheckContext, root: str) -> Iterator[Hit]:
    around, path = ctx.around, os.path.abspath(ctx.around.path)
    project, name = around.project, os.path.basename(path)
    if any(word in ctx.document.text for word in _OWN_WAY):
        return
    for script, text in starting_texts(around, root):
        if text is None or script.endswith(PAGES) or name not in text:
            continue
        if _BRINGING.search(text) or _GOING.search(text):
            continue
        if project is not None and not project.may_start(script):
            continue
        for launcher in launchers():
            for line in read_all(script, text, launcher):
                for one in _missing(line, path, root, text, around):
                    params = {"written": one.written, "program": name, "there": one.there}
                    yield Hit((), one.span, params, file=OtherFile(script, SourceText(text)))


def _missing(
    line: Start, path: str, root: str, text: str, around: Surroundings
) -> Iterator[_Missing]:
    """The files that a command of a script names, and that are in another folder, if it starts the program of a path."""
    parts = _parts(line.program)
    if not parts or parts[-1] != os.path.basename(path):
        return
    sources = {*python_sources(around, root), path}
    same = [one for one in sources if _ends(one, parts)]
    if not same and sum(os.path.basename(one) == parts[-1] for one in sources) == 1:
        yield from _program_elsewhere(line, parts, path, root, text, around)
    is_beside = os.path.dirname(path) == line.folder
    if same != [path] or not (len(parts) > 1 or is_beside):
        return
    base = path[: -len(os.sep.join(parts)) - 1]
    for word in _configs(line):
        wanted = _parts(word.text)
        if not wanted or is_in_clone(os.path.join(base, *wanted), base, around.files):
            continue
        there = _elsewhere(wanted, root, around)
        if there and not _may_be_brought(wanted, root, around):
            yield _Missing(word.text, word.span, os.path.relpath(there[0], base))


def _program_elsewhere(
    line: Start, parts: list[str], path: str, root: str, text: str, around: Surroundings
) -> Iterator[_Missing]:
    """The program of a command that is not where another file is that the same command names."""
    start = text.find(line.program, line.at)
    if len(parts) == 1 or start < 0:
        return
    span = Span(start, start + len(line.program))
    configs = [_parts(word.text) for word in _configs(line)]
    for base in climb(line.folder, around.files)[1]:
        named = [os.path.join(base, *one) for one in configs if len(one) > 1]
        if not any(map(around.files.is_file, named)):
            continue
        is_there = is_in_clone(os.path.join(base, *parts), base, around.files)
        if not is_there and not _may_be_brought(parts, root, around):
            yield _Missing(line.program, span, os.path.relpath(path, base))
        return


def _configs(line: Start) -> Iterator[Word]:
    """The files that a command names for options which take their paths from where it runs."""
    words = [line.config] if line.config.end else []
    found = [option_in(line.before, (one,)) for one in _OF_LAUNCHERS]
    found += [option_in(line.words, (one,)) for one in _OF_PROGRAMS]
    words += [one for one in found if one is not None and one.span != line.config.span]
    yield from (one for one in words if not one.open and one.text.endswith(CONFIGS))


def _parts(written: str) -> list[str]:
    """The parts of a relative path below where a command runs; none of any other text."""
    if len(written) > _LONGEST or written.startswith(("/", "-")) or _CLOSED & set(written):
        return []
    parts = [one for one in written.split("/") if one not in ("", ".")]
    return [] if ".." in parts else parts


def _ends(path: str, parts: list[str]) -> bool:
    return path.endswith(os.sep + os.sep.join(parts))


def _elsewhere(wanted: list[str], root: str, around: Surroundings) -> list[str]:
    """The few files of the project with the name of a config; none if one of them may be what is meant."""
    found = [
        path
        for path, _ in project_texts(around, root, CONFIGS)
        if os.path.basename(path) == wanted[-1]
    ]
    if len(found) > _MAX_SAME or (len(wanted) > 1 and any(_ends(one, wanted) for one in found)):
        return []
    return found


def _may_be_brought(parts: list[str], root: str, around: Surroundings) -> bool:
    """Whether a file of the project tells of one that it does not have itself, or brings it."""
    name = parts[-1]
    for text in python_sources(around, root).values():
        if text is None or any(f"{name}{quote}" in text for quote in "\"'"):
            return True
    for _, text in project_texts(around, root):
        if text is None:
            return True
        if name in text and any(
            name in line and _BRINGING.search(line) for line in text.splitlines()
        ):
            return True
    for one in _ASIDE:
        ignored = decoded(os.path.join(root, one), _MAX_BYTES, around.files)
        lines = [line.strip().strip("/") for line in ignored.splitlines()]
        if name in ignored or f"*{os.path.splitext(name)[1]}" in lines or parts[0] in lines:
            return True
    return False


CHECKS = {"file-in-other-folder": file_in_other_folder}
