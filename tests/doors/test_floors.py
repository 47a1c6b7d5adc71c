"""`tools/floors.txt` says what `pyproject.toml` says."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]


def test_the_floors_are_the_lower_bounds() -> None:
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    project = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = []
    extras = project["optional-dependencies"]
    for text in [*project["dependencies"], *extras["scan"], *extras["server"]]:
        requirement = Requirement(text)
        (bound,) = [part for part in requirement.specifier if part.operator == ">="]
        wanted.append((requirement.name.lower(), f"=={bound.version}", str(requirement.marker)))
    lines = (ROOT / "tools" / "floors.txt").read_text(encoding="utf-8").splitlines()
    pinned = [Requirement(line) for line in lines if line and not line.startswith("#")]
    found = [(p.name.lower(), str(p.specifier), str(p.marker)) for p in pinned]
    assert sorted(found) == sorted(wanted)
