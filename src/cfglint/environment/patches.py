"""What the patches of a project add to an installed package, so that it is no longer the release that it was."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.environment.project_texts import project_texts
from cfglint.environment.python_sources import places, project_root

if TYPE_CHECKING:
    from cfglint.environment.surroundings import Surroundings

_SUFFIXES: Final = (".patch", ".diff")
#: What begins the part of a patch about one file, and how it names the new one.
_FILE, _NEW = "--- ", "+++ "


def is_patched_in(name: str, module: str, around: Surroundings) -> bool:
    """Whether a patch of the project adds lines with a name, such as that of an option, to a package."""
    folder = around.folder
    if folder is None:
        return False
    root = project_root(around, folder)
    added = around.memory.once(
        ("patches of", root, module), lambda: "\n".join(_added(module, around, root))
    )
    return next(iter(places(added, name)), None) is not None


def _added(module: str, around: Surroundings, root: str) -> Iterator[str]:
    """The lines that patches add to the files of a package."""
    for _, text in project_texts(around, root, _SUFFIXES):
        is_in_package = False
        for line in (text or "").splitlines():
            if line.startswith(_NEW):
                is_in_package = f"/{module}/" in f"/{line[len(_NEW) :].strip()}"
            elif line.startswith(_FILE):
                is_in_package = False
            elif is_in_package and line.startswith("+"):
                yield line[1:]
