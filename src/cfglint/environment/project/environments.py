"""Folders such as `docker/` and `requirements/`, whose files say what is installed for a project, and exported environments."""

from __future__ import annotations

import os

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.environment.project.file_kinds import (
    OF_ENVIRONMENTS,
    exported_in,
    is_of_any_name,
    kind_of,
)
from cfglint.source.files.base import Files

if TYPE_CHECKING:
    from cfglint.environment.project.stated_versions import Source

_KINDS = frozenset({"conda", "images", "requirements"})
_RANK = 10
_TRAINING = ("train", "finetun", "fine-tun", "fine_tun")


def files_in(folder: str, files: Files) -> list[tuple[str, str, int]]:
    """(path, kind, rank) of the files in such a folder.

    Of several lists of requirements those for training count: others are for serving or for tests.
    """
    try:
        names = files.names(folder)
    except OSError:
        return []
    kinds = {name: kind[0] for name in names if (kind := kind_of(name)) is not None}
    kinds |= {os.path.basename(path): kind for path, kind, _ in exported_in(folder, names, files)}
    if os.path.basename(folder) == "requirements":
        kinds.update({name: "requirements" for name in names if name.endswith(".txt")})
    lists = [name for name, kind in kinds.items() if kind == "requirements"]
    others = {
        name
        for name in lists
        if len(lists) > 1 and not any(word in name.lower() for word in _TRAINING)
    }
    return [
        (os.path.join(folder, name), kind, _RANK)
        for name, kind in kinds.items()
        if kind in _KINDS and name not in others
    ]


def undisputed(sources: list[Source]) -> list[Source]:
    """The sources without the versions and builds on which files of one such folder, or exports in one, disagree.

    They belong to several environments, and which of them a config is for is not known.
    """
    versions: dict[tuple[str, str], set[str]] = {}
    for source in sources:
        folder = os.path.dirname(source.path)
        if _is_one_of_several(source):
            for one in source.statements:
                stated = one.version or one.day
                if stated:
                    versions.setdefault((folder, one.package), set()).add(stated)
    disputed = {place for place, found in versions.items() if len(found) > 1}
    if not disputed:
        return sources
    kept = []
    for source in sources:
        if not _is_one_of_several(source):
            kept.append(source)
            continue
        folder = os.path.dirname(source.path)
        statements = tuple(
            one for one in source.statements if (folder, one.package) not in disputed
        )
        kept.append(source.replaced(statements=statements))
    return kept


def _is_one_of_several(source: Source) -> bool:
    """Whether a file may be of one of several environments."""
    in_folder = os.path.basename(os.path.dirname(source.path)) in OF_ENVIRONMENTS
    return in_folder or is_of_any_name(source.path, source.kind)
