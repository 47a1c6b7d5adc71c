"""The LLaMA-Factory that lies in a project: a clone or a fork, with keys and choices of its own."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.folders import climb
from cfglint.source.files.nearby import read, texts_below

if TYPE_CHECKING:
    from cfglint.frameworks.llamafactory.copy_source import OwnField

#: Its package, and the older name.
_PACKAGES = ("llamafactory", "llmtuner")
#: The arguments of both layouts, and the plugins of v1's trainer.
_ARGUMENTS = "hparams"
_OF_ARGUMENTS = ("finetuning_args.py", "model_args.py", "parser.py")
#: Where a project may have them without the package.
_BARE = ("", "src")
_V1_ARGUMENTS = os.path.join("v1", "config")
_V1_PLUGINS = os.path.join("v1", "plugins", "trainer_plugins")
#: Where a fork takes keys of its own away before the arguments are parsed.
_TUNER = os.path.join("train", "tuner.py")
#: What reads the entries of `dataset_info.json`.
_LISTS = os.path.join("data", "parser.py")
#: The trainers of a vendored TRL, which gets some values as they are.
_BELOW = (os.path.join("trl", "trainer"), os.path.join("trl", "trl", "trainer"))
#: A source file of LLaMA-Factory has 110 kB at most; `hparams` has eight.
_MAX_BYTES = 1_000_000
_MAX_FILES = 30
#: A package has 200 of them in all.
_MAX_ALL = 600
#: Copies that are examined.
_MAX_COPIES = 4
_MAX_WORD = 60
_PLUGIN = lazy_pattern(r"""@(\w+Plugin)\(["']([\w.-]{1,60})["']\)\.register""")


class OwnCopy:
    """The copies of LLaMA-Factory near a config; there may be none.

    What any of them has, a config may have.
    """

    def __init__(self, around: Surroundings | None = None, folder: str = "") -> None:
        self._around = around
        levels = climb(folder, around.files)[1] if around is not None else ()
        packages = islice(_packages(around, levels), _MAX_COPIES) if around is not None else ()
        self._packages = list(packages)
        self._levels = levels
        self._known: dict[tuple[str, str], bool] = {}

    @property
    def is_there(self) -> bool:
        return bool(self._packages)

    def has(self, name: str) -> bool:
        """Whether a copy has an argument, or takes a key away before it parses the others."""
        return name in self._arguments or name in self._taken

    def has_in_lists(self, name: str) -> bool:
        """Whether a copy reads a key of the entries of `dataset_info.json`."""
        return name in self._of_lists or name in self._arguments

    def has_plugin(self, name: str) -> bool:
        """Whether a copy has a plugin: `OptimizerPlugin.muon`, the class that it is registered with and its name."""
        return name in self._plugins

    def is_optional(self, name: str) -> bool:
        """Whether the copies have a default for an argument, and nothing that asks for it."""
        if name not in self._arguments or not self._arguments[name].has_default:
            return False
        return not any(f"Please provide `{name}`" in text for text in self._of_arguments)

    def words(self, name: str) -> tuple[str, ...]:
        """The words that the copies list as the type of an argument; empty if they do not."""
        argument = self._arguments.get(name)
        return () if argument is None else tuple(sorted(argument.choices))

    def takes(self, name: str, value: Any, known: Collection[Any] = ()) -> bool:
        """Whether a copy takes a value for an argument.

        Args:
            known: the choices of a release; empty if it has none.
        """
        if not self.is_there:
            return False
        argument = self._arguments.get(name)
        if not isinstance(value, str):
            return argument is not None and type(value) in argument.types
        if argument is not None and (
            value in argument.choices or (not known and str in argument.types)
        ):
            return True
        return self._knows(name, value, known)

    def _knows(self, name: str, word: str, known: Collection[Any]) -> bool:
        """Whether the code of a copy compares an argument with a word, or has it in a table of choices."""
        if not 0 < len(word) <= _MAX_WORD:
            return False
        from cfglint.frameworks.llamafactory.copy_source import knows, other_names

        at = (name, word)
        if at not in self._known:
            names = {name, *(one for text in self._all for one in other_names(text, name))}
            texts = self._deciding.get(name) or [*self._all, *self._below]
            self._known[at] = any(knows(text, word, names, known) for text in texts)
        return self._known[at]

    @property
    def _deciding(self) -> dict[str, list[str]]:
        """OwnField -> the sources of the copies that end a run for any other word, whatever the others compare."""
        tuners = (self._text(os.path.join(package, _TUNER)) for package in self._packages)
        return {"stage": [text for text in tuners if text]}

    @cached_property
    def _of_arguments(self) -> list[str]:
        return [
            text
            for package in self._packages
            for text in self._texts(package, (_ARGUMENTS, _V1_ARGUMENTS))
        ]

    @cached_property
    def _arguments(self) -> dict[str, OwnField]:
        """All fields of the classes, by name. Of several of a name, what one allows is allowed."""
        from cfglint.frameworks.llamafactory.copy_source import arguments, either

        found: dict[str, OwnField] = {}
        for text in self._of_arguments:
            for name, argument in arguments(text):
                found[name] = either(found[name], argument) if name in found else argument
        return found

    @cached_property
    def _taken(self) -> frozenset[str]:
        from cfglint.frameworks.llamafactory.copy_source import taken_away

        texts = [self._text(os.path.join(package, _TUNER)) for package in self._packages]
        return frozenset(
            name for text in (*texts, *self._of_arguments) for name in taken_away(text)
        )

    @cached_property
    def _of_lists(self) -> frozenset[str]:
        from cfglint.frameworks.llamafactory.copy_source import words_of

        texts = (self._text(os.path.join(package, _LISTS)) for package in self._packages)
        return frozenset(word for text in texts for word in words_of(text))

    @cached_property
    def _plugins(self) -> frozenset[str]:
        folders = (_V1_PLUGINS, os.path.join(_V1_PLUGINS, "optimizers"))
        return frozenset(
            f"{kind}.{name}"
            for package in self._packages
            for text in self._texts(package, folders)
            for kind, name in _PLUGIN.findall(text)
        )

    @cached_property
    def _all(self) -> list[str]:
        """The texts of all sources of the copies."""
        if self._around is None:
            return []
        files = self._around.files
        return [
            text
            for package in self._packages
            for text in texts_below([package], ".py", files, most=_MAX_ALL, max_bytes=_MAX_BYTES)
        ]

    @cached_property
    def _below(self) -> list[str]:
        """The texts of the trainers of TRL that lie beside the copies."""
        folders = (os.path.join(level, inner) for level in self._levels for inner in _BELOW)
        return [text for folder in folders for text in self._texts(folder, ("",))]

    def _texts(self, package: str, folders: tuple[str, ...]) -> Iterator[str]:
        """The texts of the Python files that lie directly in folders of a package."""
        assert self._around is not None
        for folder in folders:
            whole = os.path.join(package, folder)
            for name in _names(self._around, whole)[:_MAX_FILES]:
                yield self._text(os.path.join(whole, name))

    def _text(self, path: str) -> str:
        """The text of a Python file; empty when there is none."""
        assert self._around is not None
        contents = read(path, _MAX_BYTES, self._around.files) if path.endswith(".py") else None
        return "" if contents is None else contents.source.text


def copy_around(around: Surroundings | None) -> OwnCopy:
    """The copies of LLaMA-Factory in the project of a config; none for a text without a place."""
    folder = None if around is None else around.folder
    if around is None or folder is None:
        return OwnCopy()
    return around.memory.once(("own llamafactory", folder), lambda: OwnCopy(around, folder))


def _packages(around: Surroundings, levels: tuple[str, ...]) -> list[str]:
    """The folders of the package, the nearest first: in a clone, or in a folder named after it."""
    found = []
    for level in levels:
        named = [
            name
            for name in _names(around, level)
            if "llamafactory" in name.casefold().replace("-", "").replace("_", "")
        ]
        for clone in ("", *named[:_MAX_COPIES]):
            for package in _PACKAGES:
                path = os.path.join(level, clone, "src", package)
                if around.files.is_folder(os.path.join(path, _ARGUMENTS)):
                    found.append(path)
        bare = (os.path.join(level, folder) if folder else level for folder in _BARE)
        found += [path for path in bare if _has_arguments(around, path)]
    return found


def _has_arguments(around: Surroundings, folder: str) -> bool:
    """Whether the parts of the package lie in a folder of another name: at the top of a project."""
    paths = (os.path.join(folder, _ARGUMENTS, name) for name in _OF_ARGUMENTS)
    return all(around.files.has(path) for path in paths)


def _names(around: Surroundings, folder: str) -> list[str]:
    try:
        return sorted(around.files.names(folder))
    except OSError:
        return []
