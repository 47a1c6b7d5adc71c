"""The projects of a run, one a folder and framework."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.project.finder import Finder
from cfglint.files.base import Files

if TYPE_CHECKING:
    from cfglint.environment.project.project import Project


class Projects:
    """The projects around the files of a run; every file of theirs is read once."""

    def __init__(self, files: Files) -> None:
        self._finder = Finder(files)
        self._known: dict[tuple[str, str], Project | None] = {}

    def for_file(self, path: str, framework: str) -> Project | None:
        """The project around a config; None when its files state nothing of interest."""
        folder = os.path.dirname(os.path.abspath(path))
        key = (folder, framework)
        if key not in self._known:
            sources = self._finder.sources(folder)
            project = None
            if sources:
                # Most configs have no such files around them.
                from cfglint.environment.project.project import Project

                project = Project(sources, self._finder, framework)
            self._known[key] = project
        return self._known[key]
