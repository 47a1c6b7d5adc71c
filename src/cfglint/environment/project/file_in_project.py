"""One file of a project, and what the project's other files say that may name or start it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.environment.project.naming import composed_names, may_compose, text_in_force
from cfglint.environment.project_texts import every_text
from cfglint.environment.python_sources import places, project_root
from cfglint.environment.surroundings import Surroundings


class FileInProject:
    """A file by its path, and the texts of its project.

    Args:
        around: the file's surroundings.
        folder: the file's, which may be examined.
    """

    def __init__(self, around: Surroundings, folder: str) -> None:
        self.around = around
        self.root = project_root(around, folder)
        self.path = os.path.abspath(around.path)
        self.folder, self.name = os.path.split(self.path)
        self.stem, self.ending = os.path.splitext(self.name)

    def others(self) -> Iterator[tuple[str, str | None]]:
        """(path, text) of all other files that may name it; the text is None for what is not read."""
        return (one for one in every_text(self.around, self.root) if one[0] != self.path)

    def beside(self) -> list[str]:
        """The names of the files of its folder with the same ending, its own among them."""
        try:
            return [
                one for one in self.around.files.names(self.folder) if one.endswith(self.ending)
            ]
        except OSError:
            return []

    def inside(self, path: str) -> str:
        """A path as the project writes it: from its top."""
        return os.path.relpath(path, self.root).replace(os.sep, "/")

    def in_force(self, path: str, text: str) -> str:
        """The text of a file of the project without its comments, which are looked for once a run."""
        return self.around.memory.once(("text in force", path), lambda: text_in_force(path, text))

    def may_be_composed_in(self, text: str) -> bool:
        """Whether a text puts a name together that may be its; the names of a text are looked for once a run."""
        names = self.around.memory.once(("composed names", text), lambda: composed_names(text))
        return may_compose(names, self.path)

    def is_named_in(self, text: str) -> bool:
        """Whether a text has its name, or that of the module that it is."""
        return self.name in text or self.is_imported_in(text)

    def is_imported_in(self, text: str) -> bool:
        """Whether a text has the name of the module that it is, as a whole word."""
        return next(places(text, self.stem), None) is not None
