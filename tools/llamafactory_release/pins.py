"""When releases came out, and which versions of other packages they ask for."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.python_sources.sources import Release

#: The packages whose versions matter for a config, in the order in which they are written.
_PACKAGES = ("torch", "transformers", "accelerate", "peft", "trl", "datasets", "deepspeed")
#: The list of `pyproject.toml`; Python 3.10 cannot read the file as a whole.
_DEPENDENCIES = re.compile(r"^dependencies = \[$(.*?)^\]$", re.MULTILINE | re.DOTALL)
_MARKED_OUT = re.compile(r"python_version\s*<|sys_platform\s*==\s*['\"]darwin")


def read_pins(release: Release) -> dict[str, str]:
    """Package -> the versions that a release asks for, on Linux with a current Python."""
    pins: dict[str, str] = {}
    for line in _requirements(release):
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue
        name = canonicalize_name(requirement.name)
        if name not in _PACKAGES or not requirement.specifier:
            continue
        if requirement.marker is not None and _MARKED_OUT.search(str(requirement.marker)):
            continue
        pins.setdefault(name, ",".join(str(one) for one in requirement.specifier))
    return {name: _in_order(pins[name]) for name in _PACKAGES if name in pins}


def _requirements(release: Release) -> Iterable[str]:
    """The lines of every file that states requirements, those of extras (DeepSpeed) last."""
    for line in release.packaging.get("METADATA", "").splitlines():
        if line.startswith("Requires-Dist:"):
            yield re.sub(r";?\s*(and\s+)?extra\s*==\s*['\"][^'\"]*['\"]", "", line[14:]).strip()
    yield from release.packaging.get("requirements.txt", "").splitlines()
    listed = _DEPENDENCIES.search(release.packaging.get("pyproject.toml", ""))
    if listed is not None:
        yield from re.findall(r'"([^"\n]+)"', listed[1])
    for node in ast.walk(ast.parse(release.packaging.get("setup.py", ""))):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in ("torch", "deepspeed"):
                    yield from (str(one) for one in ast.literal_eval(value))


def _in_order(spec: str) -> str:
    """A specifier with its lower limit first."""
    rank = {">": 0, "<": 1, "=": 1, "!": 2}
    return ",".join(sorted(spec.split(","), key=lambda one: (rank[one[0]], one)))


def updated(
    table: dict[str, Any], releases: list[Release], dates: dict[str, str]
) -> dict[str, Any]:
    """The table of releases with these in it; a date that is not given stays as it is."""
    entries = dict(table.get("releases", {}))
    for release in releases:
        date = dates.get(release.version) or entries.get(release.version, {}).get("date")
        entries[release.version] = {
            **({"date": date} if date else {}),
            "pins": read_pins(release),
        }
    order = sorted(entries, key=Version)
    return {"newest": order[-1], "releases": {one: entries[one] for one in order}}
