"""The generated modules that `rules/` is compiled into, loaded part by part as a run needs them."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module

from cfglint.base.type_names import Any

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(_PACKAGE)))


def checkout_rules() -> str | None:
    """The `rules/` folder when this package runs from a checkout, else None."""
    rules = os.path.join(_CHECKOUT, "rules")
    if os.path.isfile(os.path.join(_CHECKOUT, "pyproject.toml")) and os.path.isdir(rules):
        return rules
    return None


def compiled_folder() -> str:
    """The folder with the generated modules."""
    return os.path.join(_PACKAGE, "_compiled")


@lru_cache(maxsize=1)
def ensure_compiled() -> None:
    """In a checkout, compile the rules again when one of them has changed."""
    rules = checkout_rules()
    if rules is not None:
        # By name: what compiles the rules is on top of what reads them.
        refresh = import_module("cfglint.knowledge.compiling.freshness").refresh
        refresh(rules, compiled_folder())


def load(name: str) -> Any:
    """A generated module: `hardware`, `NAME_keys`, `NAME_words` and so on.

    Raises:
        ModuleNotFoundError: nothing of that name was compiled.
    """
    ensure_compiled()
    return import_module(f"cfglint.knowledge._compiled.{name}")
