"""Whether anything in a project names a file."""

from __future__ import annotations

import os
import re

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.project_texts import MANY, OTHERS, is_data, project_texts
from cfglint.environment.python_sources import project_root, python_sources
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
    root = project_root(around, around.folder)
    own = os.path.abspath(around.path)
    stem = os.path.splitext(os.path.basename(own))[0]
    names = re.compile(rf"(?<![\w-]){re.escape(stem)}(?![\w-])")

    def look() -> bool:
        scripts, others = project_texts(around, root), project_texts(around, root, OTHERS)
        if max(len(scripts), len(others)) >= MANY:
            return True
        programs = python_sources(around, root)
        if any(text is not None and _BY_NAME.search(text) for text in programs.values()):
            return True
        return any(
            path != own and (text is None or (stem in text and names.search(text)))
            for path, text in (*scripts, *others, *programs.items())
            if not is_data(path, text)
        )

    return around.memory.once(("mentioned", own), look)
