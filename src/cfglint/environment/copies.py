"""Whether a project has a package itself, as it is or installed beside its programs."""

from __future__ import annotations

import os
from collections.abc import Iterable

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.files.folders import climb

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings


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
    homes = [
        os.path.join(above, home)
        for above in climb(folder, around.files)[1]
        for home in (module, os.path.join("src", module))
    ]
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


def is_copied(module: str, around: Surroundings) -> bool:
    """The same for the folder of the file that is checked, asked once."""
    folder = around.folder
    return folder is not None and around.memory.once(
        ("copy of a package", module, folder), lambda: has_copy(module, folder, around)
    )
