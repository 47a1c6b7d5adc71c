"""The programs of a project with configs of their own, such as the recipes in a copy of verl."""

from __future__ import annotations

import os

from cfglint.base.logic import MISSING
from cfglint.base.type_names import Any, Final
from cfglint.environment.named_files import named_document
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.verl.hydra_main import main_in
from cfglint.frameworks.verl.merging import found_at
from cfglint.source.languages.named import language
from cfglint.source.values import to_python

_MAX_BYTES: Final = 200_000


def program_with(key: str, around: Surroundings, started: str) -> str:
    """The module of the project whose own config has a key; empty unless there is exactly one.

    Args:
        started: the program that is started, which does not have it.
    """
    found = [
        module
        for module, tree in _programs(around)
        if module != started and found_at(tree, key.split(".")) is not MISSING
    ]
    return found[0] if len(found) == 1 else ""


def _programs(around: Surroundings) -> list[tuple[str, dict[str, Any]]]:
    """(module, what is written in its config) of each program that Hydra starts."""
    folder = around.folder
    if folder is None:
        return []
    root = project_root(around, folder)

    def look() -> list[tuple[str, dict[str, Any]]]:
        found = []
        for path, text in python_sources(around, root).items():
            tree = _config_of(path, text or "", around)
            if tree is not None:
                module = os.path.relpath(path, root).removesuffix(".py").replace(os.sep, ".")
                found.append((module, tree))
        return found

    return around.memory.once(("programs of hydra", root), look)


def _config_of(path: str, text: str, around: Surroundings) -> dict[str, Any] | None:
    main = main_in(text)
    if main is None or not main.folder or not main.name:
        return None
    file = os.path.normpath(os.path.join(os.path.dirname(path), main.folder, f"{main.name}.yaml"))
    found = named_document(file, language("omegaconf"), around, _MAX_BYTES)
    tree = to_python(found.root) if found is not None else None
    return tree if isinstance(tree, dict) else None
