"""How paths are shown."""

from __future__ import annotations

import os


def shown_path(path: str, config: str) -> str:
    """An absolute path as reports show it: relative when the config was named so."""
    if os.path.isabs(config):
        return path
    try:
        return os.path.relpath(path)
    except ValueError:  # another drive
        return path
