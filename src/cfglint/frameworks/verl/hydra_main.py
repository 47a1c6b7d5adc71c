"""The config that a program of the project names in its `hydra.main`."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.base.type_names import Final
from cfglint.environment.surroundings import Surroundings
from cfglint.source.files.nearby import read, search

_MAX_BYTES: Final = 200_000
_PROGRAM: Final = lazy_pattern(r"hydra\.main\(([^()]{0,400})\)")
_FOLDER: Final = lazy_pattern(r"config_path\s*=\s*[\"']((?:pkg://)?[\w./-]{1,100})[\"']")
_NAME: Final = lazy_pattern(r"config_name\s*=\s*[\"']([\w-]{1,100})[\"']")
_PACKAGE: Final = "pkg://"


class Main(Record):
    """What `hydra.main` is called with; empty where it does not say it in words."""

    folder: str
    name: str


def main_in(text: str) -> Main | None:
    """The call in a program; None without one, or with several, of which one cannot know which runs."""
    found = list(_PROGRAM.finditer(text))
    if len(found) != 1:
        return None
    folder, name = _FOLDER.search(found[0][1]), _NAME.search(found[0][1])
    return Main(folder[1] if folder is not None else "", name[1] if name is not None else "")


def config_of_program(
    program: str, folder: str, name: str, around: Surroundings
) -> tuple[str, str] | None:
    """The folder and the name of the config that a program of the project reads; None unless both are known.

    Args:
        folder: that which the command names; empty when it leaves it to the program.
        name: the same of the name.
    """
    if around.folder is None:
        return None
    path = program if program.endswith(".py") else f"{program.replace('.', '/')}.py"
    places = search(path, around.folder, around.files).found
    contents = read(places[0], _MAX_BYTES, around.files) if len(places) == 1 else None
    main = main_in(contents.source.text) if contents is not None else None
    if main is None:
        return None
    folder, name = folder or main.folder, name or main.name
    if not folder or not name:
        return None
    if folder.startswith(_PACKAGE):
        package = folder.removeprefix(_PACKAGE).replace(".", "/")
        there = search(package, os.path.dirname(places[0]), around.files).found
        return (there[0], name) if len(there) == 1 else None
    return os.path.normpath(os.path.join(os.path.dirname(places[0]), folder)), name
