"""When releases came out, and which versions of other packages they ask for."""

from __future__ import annotations

import ast
from email.parser import HeaderParser
from typing import TYPE_CHECKING, Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

if TYPE_CHECKING:
    from tools.accelerate_release.sources import Release

#: The packages whose versions matter for a config.
_PACKAGES = ("torch", "numpy")


def read_pins(release: Release) -> dict[str, Any]:
    """The range of Python, and the pins of packages that matter."""
    python, requirements = _stated(release)
    pins: dict[str, str] = {}
    for line in requirements:
        requirement = Requirement(line)
        name = canonicalize_name(requirement.name)
        if name in _PACKAGES and requirement.marker is None and requirement.specifier:
            pins[name] = str(requirement.specifier)
    entry: dict[str, Any] = {"pins": {name: pins[name] for name in _PACKAGES if name in pins}}
    return {"python": str(SpecifierSet(python)), **entry} if python else entry


def _stated(release: Release) -> tuple[str, list[str]]:
    for name in ("METADATA", "PKG-INFO"):
        if name in release.packaging:
            headers = HeaderParser().parsestr(release.packaging[name])
            lines = [str(line) for line in headers.get_all("Requires-Dist") or []]
            return str(headers.get("Requires-Python") or ""), lines
    found: dict[str, Any] = {"python_requires": "", "install_requires": []}
    for node in ast.walk(ast.parse(release.packaging.get("setup.py", ""))):
        if isinstance(node, ast.keyword) and node.arg in found:
            found[node.arg] = ast.literal_eval(node.value)
    return found["python_requires"], found["install_requires"]


def updated(
    table: dict[str, Any], releases: list[Release], dates: dict[str, str]
) -> dict[str, Any]:
    """The table of releases with these in it; a date that is not given stays as it is."""
    entries = dict(table.get("releases", {}))
    for release in releases:
        known = entries.get(release.version, {})
        date = dates.get(release.version) or known.get("date")
        entries[release.version] = {**({"date": date} if date else {}), **read_pins(release)}
    order = sorted(entries, key=Version)
    return {"newest": order[-1], "releases": {one: entries[one] for one in order}}
