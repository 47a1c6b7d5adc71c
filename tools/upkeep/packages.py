"""The packages whose new releases are read: a `tools/NAME_release/upkeep.py` for each."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from tools.upkeep.package import Package

_TOOLS = Path(__file__).resolve().parents[1]


@cache
def packages() -> tuple[Package, ...]:
    """The package of every framework that has such a module, by name."""
    folders = sorted(path.parent.name for path in _TOOLS.glob("*_release/upkeep.py"))
    return tuple(import_module(f"tools.{folder}.upkeep").PACKAGE for folder in folders)
