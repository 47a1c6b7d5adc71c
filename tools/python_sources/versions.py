"""The order of releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.version import Version

if TYPE_CHECKING:
    from collections.abc import Iterable


def in_order(releases: Iterable[str]) -> list[str]:
    """Releases from the oldest to the newest, each once."""
    return sorted(set(releases), key=Version)
