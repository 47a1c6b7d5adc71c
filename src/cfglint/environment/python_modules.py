"""The file of a module that a program of a project imports."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator


def module_file(
    module: str, home: str, start: str, root: str, is_file: Callable[[str], bool]
) -> str | None:
    """The file of a module of the project; None for any other module.

    Args:
        module: as it is imported, with its dots in front.
        home: the folder of the program that imports it.
        start: that of the program which is started: Python looks there first, whichever module imports.
        root: that of the project.
        is_file: whether a file of the project is at a path.
    """
    name = module.lstrip(".")
    dots = len(module) - len(name)
    parts = name.split(".") if name else []
    if dots:
        for _ in range(dots - 1):
            home = os.path.dirname(home)
        bases = [home]
    else:
        bases = list(dict.fromkeys([start, *_up_to(start, root), os.path.join(root, "src"), home]))
    for base in bases:
        stem = os.path.join(base, *parts)
        for path in (f"{stem}.py", os.path.join(stem, "__init__.py")):
            if is_file(path):
                return path
    return None


def _up_to(folder: str, root: str) -> Iterator[str]:
    while folder != root and folder.startswith(root.rstrip(os.sep) + os.sep):
        folder = os.path.dirname(folder)
        yield folder
