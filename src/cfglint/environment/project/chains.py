"""From a folder up to the top of its project, or to that of a project of others which it lies in."""

from __future__ import annotations

import os

from cfglint.source.files.base import Files
from cfglint.source.files.folders import Chain, climb
from cfglint.source.files.retired import holds_others


def chain_of(folder: str, files: Files, known: dict[str, Chain]) -> Chain:
    """(root of a folder's project, the folders from that one up).

    Args:
        known: what was found of other folders; more may be added.
    """
    root, levels = climb(folder, files)
    if not any(holds_others(os.path.basename(one)) for one in levels[1:-1]):
        return root, levels
    from cfglint.environment.project.foreign_projects import own_levels

    return root, own_levels(root, levels, files, known)
