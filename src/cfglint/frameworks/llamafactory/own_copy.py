"""The LLaMA-Factory that lies in a project: a clone or a fork, with keys and choices of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.surroundings import Surroundings
from cfglint.files.folders import climb, is_inside
from cfglint.files.nearby import read

#: Its package, and the older name.
_PACKAGES = ("llamafactory", "llmtuner")
#: The arguments of both layouts, and the plugins of v1's trainer.
_ARGUMENTS = "hparams"
_V1_ARGUMENTS = os.path.join("v1", "config")
_V1_PLUGINS = os.path.join("v1", "plugins", "trainer_plugins")
#: Where a fork takes keys of its own away before the arguments are parsed.
_TUNER = os.path.join("train", "tuner.py")
_TEMPLATES = os.path.join("data", "template.py")
#: A source file of LLaMA-Factory has 110 kB at most; `hparams` has eight.
_MAX_BYTES = 1_000_000
_MAX_FILES = 30
#: Copies that are examined.
_MAX_COPIES = 4
_FIELD = lazy_pattern(r"(?m)^    ([A-Za-z_]\w*)[ \t]*:")
_PLUGIN = lazy_pattern(r"""@(\w+Plugin)\(["']([\w.-]{1,60})["']\)\.register""")
_TAKEN = lazy_pattern(r"""\bargs\.pop\(\s*["'](\w{1,60})["']""")
_WORD = lazy_pattern(r"[\"']([\w.-]{1,60})[\"']")


def words_around(around: Surroundings) -> frozenset[str]:
    """The arguments of the copies of LLaMA-Factory near a config, their choices, templates and plugins.

    A plugin is `OptimizerPlugin.muon`: the class that it is registered with, and its name.
    """
    folder = around.folder
    if folder is None:
        return frozenset()
    return around.memory.once(("own llamafactory", folder), lambda: _words(around, folder))


def _words(around: Surroundings, folder: str) -> frozenset[str]:
    found: set[str] = set()
    root, levels = climb(folder, around.files)
    for package in islice(_packages(around, levels), _MAX_COPIES):
        for text in _texts(around, package, (_ARGUMENTS, _V1_ARGUMENTS), root):
            found.update(_FIELD.findall(text))
            found.update(_WORD.findall(text))
        found.update(_TAKEN.findall(_text(around, os.path.join(package, _TUNER), root)))
        plugins = (_V1_PLUGINS, os.path.join(_V1_PLUGINS, "optimizers"))
        for text in _texts(around, package, plugins, root):
            found.update(f"{kind}.{name}" for kind, name in _PLUGIN.findall(text))
        found.update(_WORD.findall(_text(around, os.path.join(package, _TEMPLATES), root)))
    return frozenset(found)


def _texts(
    around: Surroundings, package: str, folders: tuple[str, ...], root: str
) -> Iterator[str]:
    """The texts of the Python files that lie directly in folders of a package."""
    for folder in folders:
        whole = os.path.join(package, folder)
        for name in _names(around, whole)[:_MAX_FILES]:
            yield _text(around, os.path.join(whole, name), root)


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
    return found


def _names(around: Surroundings, folder: str) -> list[str]:
    try:
        return sorted(around.files.names(folder))
    except OSError:
        return []


def _text(around: Surroundings, path: str, root: str) -> str:
    """The text of a Python file inside the project; empty when there is none."""
    try:
        if not path.endswith(".py") or not is_inside(path, root, around.files):
            return ""
    except OSError:
        return ""
    contents = read(path, _MAX_BYTES, around.files)
    return "" if contents is None else contents.source.text
