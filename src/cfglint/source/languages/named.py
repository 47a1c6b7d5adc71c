"""Languages by name, each imported when one of its files is met."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from cfglint.source.languages.base import Language

#: Name -> the module and the constant in it.
_HOMES = {
    "yaml": ("yaml", "PYYAML"),
    "omegaconf": ("omegaconf", "OMEGACONF"),
    "json": ("json", "JSON"),
    "shell": ("shell", "SHELL"),
    "python": ("python", "PYTHON"),
}


@lru_cache(maxsize=len(_HOMES))
def language(name: str) -> Language:
    """A language.

    Raises:
        KeyError: there is none with this name.
    """
    module, constant = _HOMES[name]
    found: Language = getattr(import_module(f"cfglint.source.languages.{module}"), constant)
    return found
