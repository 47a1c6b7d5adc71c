"""Whether anything in a project names a file."""

from __future__ import annotations

import os
import re

from cfglint.environment.project_texts import CONFIGS, project_texts
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.environment.surroundings import Surroundings

_OTHERS = (*CONFIGS, ".toml", ".ipynb")


def is_mentioned(around: Surroundings) -> bool:
    """Whether another file of the project has the name of a file, with its ending or without.

    Also where nothing is known of a project, or one of its files is too large to be read.
    """
    if around.folder is None or not around.path or around.launches:
        return True
    root = project_root(around, around.folder)
    own = os.path.abspath(around.path)
    stem = os.path.splitext(os.path.basename(own))[0]
    names = re.compile(rf"(?<![\w-]){re.escape(stem)}(?![\w-])")

    def look() -> bool:
        texts = (*project_texts(around, root), *project_texts(around, root, _OTHERS))
        return any(
            path != own and (text is None or (stem in text and names.search(text)))
            for path, text in (*texts, *python_sources(around, root).items())
        )

    return around.memory.once(("mentioned", own), look)
