"""Whether a project has a package itself, as it is or installed beside its programs."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.source.files.folders import climb

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings

_NAMES_FOLDERS = ("PYTHONPATH", "cd ")
#: `PYTHONPATH=rl:$PYTHONPATH`, `cd rl`.
_FOLDERS = lazy_pattern(
    r"(?m)^[ \t]*(?:(?:export[ \t]+)?PYTHONPATH=([^\s#;&]{1,400})|cd[ \t]+([^\s#;&]{1,200}))"
)
_MAX_NAMED = 20
#: How deep copies below a folder are looked for, and in how many of the folders of one.
_DEPTH, _MAX_FOLDERS = 2, 40


def is_in_part(
    module: str, wholes: Iterable[str], parts: Iterable[str], around: Surroundings
) -> bool:
    """Whether the project has a package of whose folders some are missing, so that nothing shows what they say.

    Of a script that goes elsewhere first, no copy shows it: what is there need not be a release either.

    Args:
        wholes: the folders and files, below that of the package, of which the package has one where it is whole.
        parts: the folders of which one shows that a folder has a part of the package, though it is none itself.
    """
    folder = around.folder or around.left
    if not folder:
        return False
    root, levels = climb(folder, around.files)
    homes = [
        os.path.join(above, home)
        for above in levels
        for home in (module, os.path.join("src", module))
    ]
    # What starts a copy need not lie in it.
    homes += [os.path.join(inner, module) for inner in _folders_in(root, around)]
    copies = [
        home
        for home in homes
        if around.files.is_file(os.path.join(home, "__init__.py"))
        or is_laid_over(home, parts, around)
    ]
    paths = (os.path.join(home, *one.split("/")) for home in copies for one in wholes)
    return bool(copies) and (bool(around.left) or not any(map(around.files.exists, paths)))


def is_laid_over(home: str, parts: Iterable[str], around: Surroundings) -> bool:
    """Whether a folder has a part of a package, to be copied over another one: it cannot be imported as it is."""
    files = around.files
    return not files.is_file(os.path.join(home, "__init__.py")) and any(
        files.is_folder(os.path.join(home, *one.split("/"))) for one in parts
    )


def has_copy(module: str, folder: str, around: Surroundings) -> bool:
    """Whether a folder, or one above it, has a package itself, by the name that it is imported by."""
    homes = [os.path.join(module, "__init__.py"), os.path.join("src", module, "__init__.py")]
    return any(
        around.files.is_file(os.path.join(above, home))
        for above in climb(folder, around.files)[1]
        for home in homes
    )


def around_copy(module: str, text: str, around: Surroundings) -> Surroundings:
    """The surroundings of a script, from the folder of the project whose copy of a package it starts.

    It puts that folder on `PYTHONPATH`, or goes to it. Otherwise a single copy below its own folder, or below
    one above that, is what is installed.
    """
    folder = around.folder
    if folder is None or is_copied(module, around):
        return around
    levels = climb(folder, around.files)[1]
    if not any(word in text for word in _NAMES_FOLDERS):
        below = around.memory.once(
            ("copy below", module, folder), lambda: _copy_below(module, levels, around)
        )
        return around if below is None else around.replaced(folder=below)
    for match in islice(_FOLDERS.finditer(text), _MAX_NAMED):
        for written in (match[1] or match[2]).split(":")[:_MAX_NAMED]:
            parts = [one for one in written.strip("\"'").split("/") if one not in ("", ".")]
            if not parts or any("$" in one or one == ".." for one in parts[1:]):
                continue
            # `$ROOT/rl`, `$PWD/rl`, `../rl`
            parts = parts[1:] if "$" in parts[0] or parts[0] == ".." else parts
            for level in levels if parts else ():
                home = os.path.join(level, *parts)
                if around.files.is_file(os.path.join(home, module, "__init__.py")):
                    return around.replaced(folder=home)
    return around


def _copy_below(module: str, levels: Iterable[str], around: Surroundings) -> str | None:
    """The folder with the only copy of a package below the nearest level that has any: `deep/project/NAME`."""
    for level in levels:
        found, folders = [], [level]
        for _ in range(_DEPTH):
            folders = [below for one in folders for below in _folders_in(one, around)]
            found += [
                one
                for one in folders
                if around.files.is_file(os.path.join(one, module, "__init__.py"))
            ]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _folders_in(folder: str, around: Surroundings) -> list[str]:
    try:
        entries = around.files.entries(folder)
    except OSError:
        return []
    names = sorted(one.name for one in entries if one.kind == "folder" and one.name[0] != ".")
    return [os.path.join(folder, name) for name in names[:_MAX_FOLDERS]]


def is_copied(module: str, around: Surroundings) -> bool:
    """The same for the folder of the file that is checked, asked once."""
    folder = around.folder
    return folder is not None and around.memory.once(
        ("copy of a package", module, folder), lambda: has_copy(module, folder, around)
    )
