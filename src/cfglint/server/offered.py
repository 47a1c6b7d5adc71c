"""Values that no schema lists: plugins, modules of the model, models and files of the project."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from cfglint.knowledge import recognition
from cfglint.server.keys import KeyReader
from cfglint.source.document import Path, Scalar
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb, is_inside
from cfglint.source.files.nearby import read

#: Folders of a project that are looked into, and how deep.
_MOST_FOLDERS = 300
_DEEPEST = 5
_MOST_FILES = 200
#: How many files are read to recognize their framework, and up to which size in bytes.
_MOST_READ = 60
_LONGEST = 100_000
#: Folders that hold nothing that a config names.
_LEFT_OUT = frozenset({"node_modules", "__pycache__", "site-packages", "venv", "wandb"})


class Offered(NamedTuple):
    """A value, and a few words on what it is."""

    value: str
    detail: str


def offered(reader: KeyReader, path: Path) -> Iterator[Offered]:
    """The values for the key at a path, or for an item of its list."""
    framework = reader.framework
    offers, key = framework.row["offers"], _place(path[len(reader.at) :])
    if not key:
        return
    if key == framework.row["plugins_key"]:
        yield from _plugins(reader)
    if key in offers["modules"]:
        yield from _modules(reader, offers["models"])
    if key in offers["models"]:
        yield from _models(reader)
    wanted = offers["files"].get(key)
    if wanted:
        yield from _files(reader, tuple(wanted))
    for name in offers["names"].get(key, ()):
        yield Offered(name, f"from {framework.title}")


def _place(path: Path) -> str:
    """The name of a place, without the number of an item at its end: `datasets[].path`."""
    while path and isinstance(path[-1], int):
        path = path[:-1]
    return "".join("[]" if isinstance(part, int) else f".{part}" for part in path)[1:]


def _plugins(reader: KeyReader) -> Iterator[Offered]:
    """The plugins that come with the release, without those that are always on."""
    keys, released = reader.framework.keys, reader.keys.released
    for name in keys.plugins:
        releases, builtin = keys.releases_of_plugin(name), keys.builtin_since(name)
        has = not releases or any(map(released, releases))
        if has and not (builtin and released(builtin)):
            yield Offered(name, "plugin")


def _modules(reader: KeyReader, model_keys: tuple[str, ...]) -> Iterator[Offered]:
    """The modules of the trained model that hold matrices, where its sizes are known."""
    from cfglint.runs.memory.adapters import linear_names
    from cfglint.runs.memory.base import stated_base
    from cfglint.runs.memory.planning import NotCertainError

    run = reader.run
    key = next(iter(model_keys), "")
    node = run.document.node((key,))
    name = node.value if isinstance(node, Scalar) else None
    try:
        shape = stated_base(key, name, None, run.around).shape
    except NotCertainError:
        return
    for module in sorted(linear_names(shape)):
        yield Offered(module, "module of the model")


def _models(reader: KeyReader) -> Iterator[Offered]:
    """The folders of the project that hold a model."""
    for folder, shown, names in _folders(reader):
        if "config.json" in names and _is_model(os.path.join(folder, "config.json"), reader):
            yield Offered(shown, "model in the project")


def _is_model(path: str, reader: KeyReader) -> bool:
    found = read(path, _LONGEST, reader.run.around.files)
    return found is not None and '"model_type"' in found.source.text


def _files(reader: KeyReader, wanted: tuple[str, ...]) -> Iterator[Offered]:
    """The files of the project with one of some suffixes, or of some frameworks."""
    suffixes = tuple(one for one in wanted if one.startswith("."))
    whose = frozenset(wanted) - frozenset(suffixes)
    given = looked = 0
    for folder, shown, names in _folders(reader):
        for name in sorted(names):
            path = os.path.join(folder, name)
            fits = bool(suffixes) and name.lower().endswith(suffixes)
            if not fits and whose and name.endswith(".json") and looked < _MOST_READ:
                looked += 1
                found = read(path, _LONGEST, reader.run.around.files)
                text = found.source.text if found is not None else ""
                fits = recognition.of_file(path, text, "json") in whose
            if fits:
                given += 1
                yield Offered(_joined(shown, name), "file of the project")
            if given == _MOST_FILES:
                return


def _joined(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder}/{name}"


def _folders(reader: KeyReader) -> Iterator[tuple[str, str, frozenset[str]]]:
    """The folders of the project, the nearest first: path, as a config names it, and its files."""
    around = reader.run.around
    if around.folder is None:
        return
    root, _ = climb(around.folder, around.files)
    waiting = deque((start, 0) for start in dict.fromkeys((around.folder, root)))
    seen: set[str] = set()
    while waiting and len(seen) < _MOST_FOLDERS:
        folder, depth = waiting.popleft()
        if folder in seen:
            continue
        seen.add(folder)
        files, below = _entries(folder, root, around.files)
        yield folder, _named(folder, around.folder, root), files
        if depth < _DEEPEST:
            waiting += [(os.path.join(folder, name), depth + 1) for name in sorted(below)]


def _named(folder: str, own: str, root: str) -> str:
    """A folder as a config names it: from its own folder, or from where the project begins."""
    inside = folder == own or folder.startswith(own.rstrip(os.sep) + os.sep)
    return os.path.relpath(folder, own if inside else root).replace(os.sep, "/")


def _entries(folder: str, root: str, files: Files) -> tuple[frozenset[str], list[str]]:
    """The files of a folder, and the folders in it that are worth a look; links are left out."""
    try:
        if folder != root and not is_inside(folder, root, files):
            return frozenset(), []
        entries = files.entries(folder)
    except OSError:
        return frozenset(), []
    named = [entry for entry in entries if not entry.name.startswith(".")]
    return (
        frozenset(entry.name for entry in named if entry.kind == "file"),
        [one.name for one in named if one.kind == "folder" and one.name not in _LEFT_OUT],
    )
