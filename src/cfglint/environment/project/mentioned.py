"""Whether anything in a project names a file."""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project.file_in_project import FileInProject
from cfglint.environment.project_texts import may_lack_some
from cfglint.environment.python_sources import python_sources
from cfglint.environment.surroundings import Surroundings

#: What imports modules whose names are put together, or all of a folder.
_BY_NAME = lazy_pattern(
    r"\b(?:import_module|__import__)\([ \t\n]{0,99}(?![\"'][^\"'{}\n]{0,200}[\"'][ \t\n]{0,9}[,)])"
    r"|\bpkgutil\.(?:iter|walk)_"
)


def is_mentioned(around: Surroundings) -> bool:
    """Whether another file of the project has the name of a file, with its ending or without.

    Also where nothing is known of a project, one of its files is too large to be read, there are too many, or a program
    imports modules by names that it puts together.
    """
    if around.folder is None or not around.path or around.launches:
        return True
    file = FileInProject(around, around.folder)

    def look() -> bool:
        if may_lack_some(around, file.root):
            return True
        programs = python_sources(around, file.root).values()
        if any(text is not None and _BY_NAME.search(text) for text in programs):
            return True
        names = re.compile(rf"(?<![\w-]){re.escape(file.stem)}(?![\w-])")
        return any(
            text is None or (file.stem in text and names.search(text)) for _, text in file.others()
        )

    return around.memory.once(("mentioned", file.path), look)
