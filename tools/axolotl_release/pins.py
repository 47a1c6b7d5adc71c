"""Which versions of other packages a release asks for.

A wheel states them in its core metadata.  A source archive does not: its ``setup.py`` fits them
to whatever torch it meets while building, so there the requirement list and the extras written in
``setup.py`` count, and torch is pinned only where they pin it.
"""

from __future__ import annotations

import ast
import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tools.python_sources.sources import Release, metadata_values
from tools.python_sources.versions import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

#: The packages whose versions decide what a configuration may say.
PACKAGES = (
    "torch",
    "transformers",
    "trl",
    "peft",
    "accelerate",
    "datasets",
    "deepspeed",
    "flash-attn",
    "bitsandbytes",
    "triton",
    "tokenizers",
    "torchao",
    "liger-kernel",
    "vllm",
    "pydantic",
    "numpy",
)

#: Where a package that only an extra brings is looked for first.
_PREFERRED_EXTRAS = {
    "deepspeed": "deepspeed",
    "flash-attn": "flash-attn",
    "vllm": "vllm",
}

_LINUX = {
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_machine": "x86_64",
    "os_name": "posix",
    "python_version": "3.12",
    "python_full_version": "3.12.0",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}


def read_pins(release: Release) -> dict[str, Any]:
    """Python range and pins on 64-bit Linux; packages without any specifier are left out."""
    requires = list(_requirements(_stated(release)))
    pins: dict[str, str] = {}
    for package in PACKAGES:
        specifier = _specifier(package, requires)
        if specifier:
            pins[package] = specifier
    entry: dict[str, Any] = {}
    python = _python(release)
    if python:
        entry["python"] = str(SpecifierSet(python))
    entry["pins"] = pins
    return entry


def _stated(release: Release) -> list[str]:
    """Requirement lines in the spelling of core metadata."""
    if "requirements.txt" not in release.packaging:
        return metadata_values(release.packaging, "Requires-Dist")
    lines = [line.partition("#")[0].strip() for line in _requirement_lines(release)]
    core = [line for line in lines if line and not _only_in_extras(line)]
    extras = _extras(release.packaging.get("setup.py", ""))
    return core + [
        f"{line.partition(';')[0].strip()}; extra == '{extra}'"
        for extra, items in extras.items()
        for line in items
    ]


def _requirement_lines(release: Release) -> list[str]:
    return release.packaging["requirements.txt"].splitlines()


def _only_in_extras(line: str) -> bool:
    """Axolotl's ``setup.py`` passes over these lines: the packages come with an extra only."""
    return any(canonicalize_name(line).startswith(name) for name in _PREFERRED_EXTRAS)


def _extras(setup: str) -> dict[str, list[str]]:
    """The extras that ``setup.py`` spells out as a dict of lists.

    An extra that it assigns again further down depends on the torch it meets and is left out.
    """
    extras: dict[str, list[str]] = {}
    tree = ast.parse(setup)
    again = {
        target.slice.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Dict):
            continue
        for key, value in zip(node.keys, node.values, strict=True):
            if (
                isinstance(key, ast.Constant)
                and isinstance(key.value, str)
                and isinstance(value, ast.List)
                and key.value not in extras
                and key.value not in again
            ):
                extras[key.value] = [
                    item.value
                    for item in value.elts
                    if isinstance(item, ast.Constant) and isinstance(item.value, str)
                ]
    return extras


def _python(release: Release) -> str | None:
    stated = next(iter(metadata_values(release.packaging, "Requires-Python")), None)
    if stated:
        return stated
    found = re.search(
        r"^requires-python\s*=\s*[\"']([^\"']+)",
        release.packaging.get("pyproject.toml", ""),
        re.MULTILINE,
    )
    return found.group(1) if found else None


def _requirements(lines: Iterable[str]) -> Iterable[Requirement]:
    for line in lines:
        with suppress(InvalidRequirement):  # options such as an index to look into
            yield Requirement(line)


def _specifier(package: str, requires: list[Requirement]) -> str:
    extras = ["", _PREFERRED_EXTRAS[package]] if package in _PREFERRED_EXTRAS else [""]
    for extra in extras:
        found = SpecifierSet()
        for requirement in requires:
            if canonicalize_name(requirement.name) != canonicalize_name(package):
                continue
            if _applies(requirement, extra):
                found &= requirement.specifier
        if str(found):
            return ",".join(sorted(str(found).split(","), key=_lower_bound_first))
    return ""


def _lower_bound_first(specifier: str) -> tuple[int, str]:
    order = (">=", ">", "==", "~=", "!=", "<=", "<")
    return (next(i for i, sign in enumerate(order) if specifier.startswith(sign)), specifier)


def _applies(requirement: Requirement, extra: str) -> bool:
    if requirement.marker is None:
        return not extra
    wanted = requirement.marker.evaluate({**_LINUX, "extra": extra})
    if extra:
        return wanted and not requirement.marker.evaluate({**_LINUX, "extra": ""})
    return wanted


def load(path: Path) -> dict[str, Any]:
    """The releases table of a file; a missing file is an empty table."""
    if not path.exists():
        return {"newest": "", "releases": {}}
    table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return table


def merge(table: dict[str, Any], version: str, entry: dict[str, Any]) -> None:
    """Put one release's pins into the table; a date that is already known stays."""
    known = table["releases"].get(version, {})
    table["releases"][version] = {**{k: v for k, v in known.items() if k == "date"}, **entry}
    table["newest"] = in_order(table["releases"])[-1]
