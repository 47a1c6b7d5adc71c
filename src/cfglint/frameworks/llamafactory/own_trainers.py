"""Projects that train with a loop of their own: the Trainer of transformers, and what it compares, is not there."""

from __future__ import annotations

import os

from cfglint.base.lazy import lazy_pattern
from cfglint.environment.python_sources import LOADERS, any_source
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
    name = os.path.basename(around.path)
    if not name or around.launches:
        return False
    return any_source(
        around, ("loads by name", name), lambda text: _loads(text, name)
    ) and not any_source(around, ("has a trainer",), _has_trainer, unread=True)


def _has_trainer(text: str) -> bool:
    imported = (match[1] or match[2] or "" for match in _IMPORTED.finditer(text))
    return any(map(_TRAINER.search, imported)) or _IN_MODULE.search(text) is not None


def _loads(text: str, name: str) -> bool:
    """Whether a source loads files, and has the name of one as the end of a text."""
    if not any(loader in text for loader in _LOADERS):
        return False
    return any(f"{before}{name}{quote}" in text for quote in _QUOTES for before in (quote, "/"))
