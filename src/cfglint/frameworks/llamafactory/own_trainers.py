"""Projects that train with a loop of their own: the Trainer of transformers, and what it compares, is not there."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.python_sources import LOADERS, project_root, python_sources
from cfglint.environment.surroundings import Surroundings

_LOADERS = (*LOADERS, "json.load")
#: What is imported from a package with trainers, and the end of the name of one.
_IMPORTED = lazy_pattern(
    r"\bfrom[ \t]{1,9}(?:transformers|trl)\b[\w.]{0,100}[ \t]{1,9}import[ \t]{0,9}(?:\(([^)]{0,3000})|([^\n()]{0,500}))"
)
_TRAINER = lazy_pattern(r"Trainer\b")
#: One that is not imported by its name.
_IN_MODULE = lazy_pattern(r"\b(?:transformers|trl)\.\w{0,60}Trainer\b")
_QUOTES = ('"', "'")


def trains_by_itself(around: Surroundings) -> bool:
    """Whether a program of the project loads a file that it names, and no source has a trainer of transformers or TRL."""
    folder, name = around.folder, os.path.basename(around.path)
    if folder is None or not name or around.launches:
        return False
    root = project_root(around, folder)

    def look() -> bool:
        texts = list(python_sources(around, root).values())
        return not any(text is None or _has_trainer(text) for text in texts) and any(
            text is not None and _names(text, name) for text in texts
        )

    return around.memory.once(("trains by itself", root, name), look)


def _has_trainer(text: str) -> bool:
    imported = (match[1] or match[2] or "" for match in _IMPORTED.finditer(text))
    return any(map(_TRAINER.search, imported)) or _IN_MODULE.search(text) is not None


def _names(text: str, name: str) -> bool:
    """Whether a source loads files, and has the name of one as the end of a text."""
    if not any(loader in text for loader in _LOADERS):
        return False
    return any(f"{before}{name}{quote}" in text for quote in _QUOTES for before in (quote, "/"))
