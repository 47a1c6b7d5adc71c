"""How paths are shown."""

from __future__ import annotations

import os

from cfglint.base.paths import relative_path


def shown_path(path: str, config: str) -> str:
    """An absolute path as reports show it: relative when the config was named so."""
    if os.path.isabs(config):
        return path
    return relative_path(path)
