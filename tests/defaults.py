"""What the records of a package have where nothing is said: nothing, but for what a test names."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from cfglint.base.record import Record


def defaults_that_say_something(package: str) -> set[str]:
    """Fields of the records of a part of cfglint whose defaults are not false, 0, empty or None."""
    whole = f"cfglint.{package}"
    for module in pkgutil.walk_packages(importlib.import_module(whole).__path__, f"{whole}."):
        if "._compiled" not in module.name:
            importlib.import_module(module.name)
    return {
        f"{record.__name__}.{name}"
        for record in _below(Record)
        if record.__module__.startswith(f"{whole}.")
        for name, value in record._defaults.items()
        if value
    }


def _below(record: type[Record]) -> Iterator[type[Record]]:
    for inner in record.__subclasses__():
        yield inner
        yield from _below(inner)
