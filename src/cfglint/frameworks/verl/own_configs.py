"""The configs of a project: those that its commands name, and its own copy of verl's."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from itertools import chain

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.base.type_names import Any, Final
from cfglint.environment.named_files import named_document
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.verl.commands import MAIN, Config, programs
from cfglint.frameworks.verl.defaults_lists import (
    Composition,
    ConfigFile,
    NotComposed,
    ParentMissing,
)
from cfglint.frameworks.verl.hydra_main import config_of_program
from cfglint.source.files.base import Files
from cfglint.source.files.folders import climb
from cfglint.source.files.nearby import read, search, texts_below
from cfglint.source.languages.named import language
from cfglint.source.values import to_python

_MAX_BYTES: Final = 200_000
_NAME: Final = "verl"
_COPY: Final = "verl/trainer/config"
_MAX_FILES: Final = 200
_FILE, _PACKAGE = "file://", "pkg://"
#: verl 0.9 has 500 sources.
_MAX_SOURCES: Final = 800
#: `config.data.name`, `getattr(self.config.data, "name"`, `config.data.get("name"`, `config["data"]["name"]`.
_READ = lazy_pattern(
    r"config((?:\.[A-Za-z_]\w{0,80}){0,8})"
    r"(?:(?:[ \t]*,|\(|(?:\[[\"']\w{1,80}[\"']\]){0,8}\[)\s{0,40}[\"'](\w{1,80})[\"'])?"
)
_MAIN = lazy_pattern(r"config_name\s*=\s*[\"']([\w-]+)")


class OwnConfig(Record):
    """A config that files of the project are, with all its parents."""

    tree: dict[str, Any]
    #: The path of its file, with slashes, as the script could name it.
    file: str
    #: Group -> what is chosen from it.
    choices: dict[str, Any]
    #: Choices of the command that it does not ask for.
    unused: frozenset[str]
    #: The config of verl's that it extends; empty if all of it is the project's.
    base: str = ""
    #: The parent, with its group, that is not beside it, so that no tree is known.
    missing: str = ""


#: The name of a config of verl's -> its tree in a release; None without one.
Released = Callable[[str], "dict[str, Any] | None"]


def own_config(
    config: Config,
    program: str,
    around: Surroundings,
    chosen: Mapping[str, Any],
    released: Released,
) -> OwnConfig | None:
    """The config of the project that a command reads; None without one that can be followed.

    Args:
        chosen: what the command chooses from groups.
        released: the configs that an installed verl has.
    """
    if config.program:
        place = config_of_program(config.program, config.folder, config.file, around)
    elif config.name:
        place = _copied(config.name, program, around)
    else:
        place = _named(config, around)
    if place is None:
        return None
    key = ("own config of verl", place, tuple(sorted((k, str(v)) for k, v in chosen.items())))
    folder, name = place

    def make() -> OwnConfig | None:
        followed = _Followed(folder, around, released)
        composition = Composition(followed.load, chosen)
        shown = os.path.relpath(os.path.join(folder, f"{name}.yaml"), around.folder or folder)
        file = shown.replace(os.sep, "/")
        try:
            tree = composition.composed(name)
        except ParentMissing as error:
            # Of a config that is not verl's own, and of one with other places to look, it may be anywhere.
            surely = bool(config.name) and followed.is_alone and error.name != name
            surely = surely and _is_whole(folder, program, around.files)
            missing = error.name if surely else ""
            return OwnConfig({}, file, {}, frozenset(), missing=missing) if missing else None
        except NotComposed:
            return None
        tree.pop("hydra", None)
        unused = frozenset(composition.unused)
        return OwnConfig(tree, file, composition.choices, unused, followed.base)

    if config.name:
        return around.memory.once(key, make)
    return make()  # what it extends depends on the release


class _Followed:
    """The folders in which the parents of a config are."""

    def __init__(self, folder: str, around: Surroundings, released: Released) -> None:
        self._folders: list[str] | None = None
        self._folder = folder
        self._around = around
        self._released = released
        self.base = ""
        self._searches = False

    @property
    def is_alone(self) -> bool:
        """Whether the parents are nowhere but in one folder: no config names others."""
        return self._folders == [self._folder] and not self._searches

    def load(self, name: str) -> ConfigFile | None:
        """A config by its name; the first one decides where else Hydra looks."""
        is_first = self._folders is None
        folders = self._folders or [self._folder]
        for folder in folders:
            path = os.path.join(folder, *f"{name}.yaml".split("/"))
            contents = read(path, _MAX_BYTES, self._around.files)
            if contents is None:
                continue
            found = named_document(path, language("omegaconf"), self._around, _MAX_BYTES)
            if found is None:
                raise NotComposed(f"{name} cannot be read")
            loaded = ConfigFile(to_python(found.root), contents.source.text)
            if is_first:
                self._folders = [folder, *self._searched(loaded.data)]
            return loaded
        tree = self._released(name)
        if tree is None:
            return None
        self.base = name
        return ConfigFile(tree)

    def _searched(self, data: Any) -> list[str]:
        """The folders of the project that a config names in `hydra.searchpath`."""
        hydra = data.get("hydra") if isinstance(data, dict) else None
        listed = hydra.get("searchpath") if isinstance(hydra, dict) else None
        found: list[str] = []
        self._searches = bool(listed)
        for one in listed if isinstance(listed, list) else ():
            written = str(one)
            if written.startswith(_PACKAGE):
                written = written.removeprefix(_PACKAGE).replace(".", "/")
            written = written.removeprefix(_FILE)
            places = search(written, self._folder, self._around.files).found
            if len(places) > 1:
                raise NotComposed(f"several folders {written}")
            found += places
        return found


def _named(config: Config, around: Surroundings) -> tuple[str, str] | None:
    """The folder and the name of a config that a command names; None when it is not one file."""
    folder = config.folder.removeprefix("./").rstrip("/")
    if around.folder is None or not folder or not config.file:
        return None
    places = search(f"{folder}/{config.file}.yaml", around.folder, around.files).found
    return (os.path.dirname(places[0]), config.file) if len(places) == 1 else None


def _copied(name: str, program: str, around: Surroundings) -> tuple[str, str] | None:
    """The folder and the name of the config in the project's own copy of a program."""
    if around.folder is None:
        return None
    package = program.rpartition(".")[0].replace(".", "/")
    places = places_of(f"{package}/config/{name}.yaml", around.folder, around.files)
    if len(places) != 1:
        return None
    code = os.path.join(os.path.dirname(places[0]), "..", f"{program.rpartition('.')[2]}.py")
    contents = read(os.path.normpath(code), _MAX_BYTES, around.files)
    named = _MAIN.search(contents.source.text) if contents is not None else None
    if named is not None and programs().get(program) == name:
        name = named[1]
    return os.path.dirname(places[0]), name


def places_of(written: str, folder: str, files: Files) -> tuple[str, ...]:
    """Where a file of verl's sources is: next to a script or above it, or in the nearest clone in one of these folders."""
    found = search(written, folder, files).found
    if found:
        return found
    root, levels = climb(folder, files)
    if not files.has(os.path.join(root, ".git")):
        levels = levels[:1]  # what is next to a folder above it need not belong to the project
    for level in levels:
        clones = (os.path.join(level, one) for one in _clones(level, files))
        inner = [os.path.join(one, *written.split("/")) for one in clones]
        there = tuple(path for path in inner if files.exists(path))
        if there:
            return there
    return ()


def _clones(folder: str, files: Files) -> list[str]:
    """The names of the folders in a folder that are named after verl."""
    try:
        entries = files.entries(folder)
    except OSError:
        return []
    named = [one.name for one in entries if one.kind == "folder" and _NAME in one.name.lower()]
    return sorted(named)[:_MAX_FILES]


def _is_whole(folder: str, program: str, files: Files) -> bool:
    """Whether a folder of configs is that of a copy which runs: with the program, in a package."""
    home = os.path.dirname(folder)
    names = (f"{program.rpartition('.')[2]}.py", os.path.join("..", "__init__.py"))
    return all(files.is_file(os.path.normpath(os.path.join(home, name))) for name in names)


def names_of_copy(around: Surroundings) -> frozenset[str]:
    """The names of all keys in the project's own copies of verl's configs; none without one."""
    folder = around.folder
    if folder is None:
        return frozenset()
    return around.memory.once(
        ("copy of verl", folder), lambda: _names(around, [folder, *_copies(folder, around.files)])
    )


def _copies(folder: str, files: Files) -> list[str]:
    """The folders of a project named after verl, at most two below its root: what starts a copy need not lie in it."""
    root, _ = climb(folder, files)
    inner = [one.name for one in files.entries(root) if one.kind == "folder"]
    places = [root, *(os.path.join(root, name) for name in inner[:_MAX_FILES])]
    return [found for place in places if files.is_folder(found := os.path.join(place, _NAME))]


def _names(around: Surroundings, beside: list[str]) -> frozenset[str]:
    return frozenset(
        name
        for folder in _config_folders(around, beside)
        for text in texts_below(
            [folder], ".yaml", around.files, most=_MAX_FILES, max_bytes=_MAX_BYTES
        )
        for name in _keys_of(text)
    )


def _config_folders(around: Surroundings, beside: list[str]) -> list[str]:
    places = [search(f"{_COPY}/{MAIN}.yaml", one, around.files).found for one in beside]
    return [os.path.dirname(path) for path in dict.fromkeys(chain.from_iterable(places))]


def names_read_by_copy(around: Surroundings) -> frozenset[str]:
    """The names that the code of the project's own copies of verl reads from their configs; none without one.

    The part of a config that has them may be missing: `data/` in a `.gitignore` means `config/data`, too.
    """
    folder = around.folder
    if folder is None:
        return frozenset()

    def look() -> frozenset[str]:
        configs = _config_folders(around, [folder, *_copies(folder, around.files)])
        copies = [os.path.dirname(os.path.dirname(one)) for one in configs]
        return frozenset(
            name
            for text in texts_below(
                copies, ".py", around.files, most=_MAX_SOURCES, max_bytes=_MAX_BYTES
            )
            for read in _READ.finditer(text)
            for name in (*read[1].split("."), read[2])
            if name
        )

    return around.memory.once(("read by a copy of verl", folder), look)


def _keys_of(text: str) -> set[str]:
    """What is before the first colon of each line."""
    lines = (line.strip() for line in text.splitlines())
    return {line.partition(":")[0].strip("\"' -") for line in lines if ":" in line}
