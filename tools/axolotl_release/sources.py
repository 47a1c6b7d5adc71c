"""Opens a release of Axolotl: a wheel, a source archive or an unpacked folder."""

from __future__ import annotations

from pathlib import Path

from tools.python_sources import sources
from tools.python_sources.sources import Release, UnreadableReleaseError, metadata_values

__all__ = ["PACKAGE", "Release", "UnreadableReleaseError", "metadata_values", "read_release"]

PACKAGE = "axolotl"


def read_release(path: Path, version: str | None = None) -> Release:
    """What `tools.python_sources.sources.read_release` finds of Axolotl."""
    return sources.read_release(path, PACKAGE, version)
