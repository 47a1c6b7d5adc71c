"""When a release came out, and what it requires of other packages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from packaging.requirements import InvalidRequirement, Requirement

from tools.python_sources.sources import Release, metadata_values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: The packages whose versions decide what a configuration may say.
_PACKAGES = ("pydantic", "torch", "numpy", "triton")
_COMMENT = re.compile(r"(^|\s)#.*$")


def entry(release: Release, date: str | None) -> dict[str, Any]:
    """What the table says about a release; requirements without a version are left out."""
    pins: dict[str, str] = {}
    for one in _requirements(release):
        if one.name in _PACKAGES and str(one.specifier) and one.marker is None:
            pins[one.name] = str(one.specifier)
    row: dict[str, Any] = {"date": date} if date else {}
    return {**row, "pins": {name: pins[name] for name in _PACKAGES if name in pins}}


def _requirements(release: Release) -> Iterator[Requirement]:
    lines = metadata_values(release.packaging, "Requires-Dist")
    if not lines:
        lines = release.packaging.get("requirements.txt", "").splitlines()
    for line in lines:
        try:
            yield Requirement(_COMMENT.sub("", line).strip())
        except InvalidRequirement:
            continue  # an empty line, an option of pip


def load(path: Path) -> dict[str, Any]:
    """The table of a file; a missing file is an empty table."""
    if not path.exists():
        return {"newest": "", "releases": {}}
    table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return table
