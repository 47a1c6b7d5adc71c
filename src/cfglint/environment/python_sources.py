"""The Python sources of a project, and where they use a name. Nothing of them is run."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.folders import climb
from cfglint.source.files.nearby import text_of
from cfglint.source.files.scripts import SKIPPED

#: What one loads a file with that hands the values on by itself.
LOADERS = ("yaml.safe_load", "yaml.load", "OmegaConf.load")
#: What fills classes of its own with them.
PARSERS = ("HfArgumentParser", "OmegaConf.structured", *LOADERS)
#: What is before an argument that a program reads: `training_args.NAME`, `config["NAME"`, `loaded.get("NAME"`,
#: `get_or(config, "NAME"`.
_READ = lazy_pattern(
    r"""(?:(?:args|arguments|config|cfg)\.|(?:\[|\.(?:get|pop)\(|get\w{0,9}\(\s{0,9}\w{1,30},\s{0,9})["'])$"""
)
#: How much of a text before a name is looked at.
_NEAR = 64
_MAX_BYTES = 1_000_000
#: Of all files together; further ones are not read.
_MAX_CHARACTERS = 10_000_000
#: The largest of the public forks of open-r1 and the alignment-handbook has 150 of each.
_MAX_FILES = 400
_MAX_FOLDERS = 400
#: Of the files that name another one, so many are looked at.
_MAX_NAMING = 8


def project_root(around: Surroundings, folder: str) -> str:
    """The repository of a folder. Outside one it is the folder alone: those above may contain anything."""

    def look() -> str:
        root = climb(folder, around.files)[0]
        return root if around.files.has(os.path.join(root, ".git")) else folder

    return around.memory.once(("project of", folder), look)


def python_sources(around: Surroundings, root: str) -> dict[str, str | None]:
    """The texts of the Python files of a project by path, those of the upper folders first; None for what is not read."""
    return around.memory.once(("python sources", root), lambda: dict(_sources(around, root)))


def sources_around(around: Surroundings) -> dict[str, str | None]:
    """The same of the project of a file; none of a file in no folder."""
    if around.folder is None:
        return {}
    return python_sources(around, project_root(around, around.folder))


def named_by(written: str, paths: Iterable[str]) -> list[str]:
    """The files that a command may mean by a path, in whichever folder it starts: those whose paths end like it."""
    parts = [part for part in written.split("/") if part not in ("", ".", "..")]
    end = os.sep + os.sep.join(parts)
    return [path for path in paths if path.endswith(end)]


def any_source(
    around: Surroundings,
    question: tuple[Hashable, ...],
    test: Callable[[str], object],
    *,
    unread: bool = False,
) -> bool:
    """Whether a Python file of a file's project is of some kind, which is looked for once a run.

    Args:
        question: what is asked for; it tells the answers of a run apart.
        test: whether the text of a file is of that kind.
        unread: whether a file that is not read counts as one.
    """
    if around.folder is None:
        return False

    def look() -> bool:
        texts = sources_around(around).values()
        return any(unread if text is None else test(text) for text in texts)

    return around.memory.once((project_root(around, around.folder), *question), look)


def sources_naming(path: str, around: Surroundings) -> list[tuple[str, str]]:
    """The Python files of a file's project that name it, with their texts; the first few of many."""
    if around.folder is None:
        return []
    root, name = project_root(around, around.folder), os.path.basename(path)

    def look() -> list[tuple[str, str]]:
        stem = os.path.splitext(name)[0]
        words = (name, f'"{stem}"', f"'{stem}'")
        naming = (
            (program, text)
            for program, text in python_sources(around, root).items()
            if text is not None and any(word in text for word in words)
        )
        return list(islice(naming, _MAX_NAMING))

    return around.memory.once(("sources naming", root, name), look)


def is_read_by_project(name: str, around: Surroundings) -> bool:
    """Whether a program of a file's project may read a name as an argument, or as a key of a mapping."""
    if around.folder is None:
        return True
    return any_source(around, ("reads", name), lambda text: is_read_in(text, name), unread=True)


def _sources(around: Surroundings, root: str) -> Iterator[tuple[str, str | None]]:
    folders = [root]
    files = characters = 0
    for folder in folders:
        try:
            entries = sorted(around.files.entries(folder), key=lambda entry: entry.name)
        except OSError:
            yield folder, None
            continue
        for entry in entries:
            path = os.path.join(folder, entry.name)
            if entry.kind == "folder":
                if entry.name[0] != "." and entry.name not in SKIPPED:
                    folders.append(path)
            elif entry.name.endswith(".py"):
                files += 1
                is_read = entry.kind == "file" and files <= _MAX_FILES
                text = text_of(path, _MAX_BYTES, around.files) if is_read else None
                yield path, None if text is None else text.replace("\r\n", "\n")
                characters += len(text or "")
                if characters > _MAX_CHARACTERS:
                    yield root, None
                    return
        if len(folders) > _MAX_FOLDERS:
            yield root, None
            del folders[_MAX_FOLDERS:]


def places(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where a name is that is not a part of a longer one."""
    if not name.isidentifier():
        return
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        around = text[start - 1 : start] + text[end : end + 1]
        if not any(character.isalnum() or character == "_" for character in around):
            yield start, end
        start = text.find(name, end)


def is_read_at(text: str, start: int, end: int) -> bool:
    """Whether a name at a place of a text is read as an argument, or as a key of a mapping."""
    before = _READ.search(text[max(0, start - _NEAR) : start])
    if before is None:
        return False
    # A quoted name ends with a quote.
    return before[0].endswith(".") or text[end : end + 1] in ("'", '"')


def is_declared_in(text: str, name: str) -> bool:
    """Whether a line of a text declares a name with its type, as the field of a class."""
    return any(
        not text[text.rfind("\n", 0, start) + 1 : start].strip(" \t")
        and text[end : end + 20].lstrip(" \t").startswith(":")
        for start, end in places(text, name)
    )


def is_read_in(text: str, name: str) -> bool:
    """Whether a text reads a name anywhere as an argument, or as a key of a mapping."""
    return any(is_read_at(text, start, end) for start, end in places(text, name))
