"""The files of a project that may start its programs and configs."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.source.starting_programs import starts_others

if TYPE_CHECKING:
    from cfglint.environment.project.finder import Finder

_PROGRAMS = (".py",)


def starting_files(finder: Finder, folder: str) -> list[str]:
    """The scripts and pages with commands around a folder, and the programs that start others."""
    scripts = finder.scripts_of(folder)
    programs = finder.scripts_of(folder, _PROGRAMS) if finder.script is None else ()
    return [*scripts, *(path for path in programs if finder.is_so(starts_others, path))]
