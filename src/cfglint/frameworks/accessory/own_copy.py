"""The options of a project's own copy of a program, which may have more than the last commit's."""

from __future__ import annotations

import re

from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.accessory.options import KINDS
from cfglint.source.files.nearby import read, search

_MAX_BYTES = 200_000
_OPTION = re.compile(r"add_argument\(\s*[\"']--([\w-]+)[\"']")


def options_around(kind: str, around: Surroundings) -> frozenset[str]:
    """The options that the copies of a program near a script have, as keys."""
    folder = around.folder
    if folder is None:
        return frozenset()
    return around.memory.once(
        ("own accessory", kind, folder), lambda: _options(kind, folder, around)
    )


def _options(kind: str, folder: str, around: Surroundings) -> frozenset[str]:
    program = next(name for name, of in KINDS.items() if of == kind)
    found: set[str] = set()
    for name in (program, f"accessory/{program}"):
        for path in search(name, folder, around.files).found:
            contents = read(path, _MAX_BYTES, around.files)
            if contents is not None:
                found.update(_OPTION.findall(contents.source.text))
    return frozenset(found | {name.replace("-", "_") for name in found})
