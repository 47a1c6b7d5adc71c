"""Which releases of transformers lack a name that a release of another package imports as its classes are imported.

``python -m tools.trl_release.partners FOLDER_OF_WHEELS rules/trl/partners.json --package trl`` reads every release in the
folder as text. Followed are the imports at the margin of the modules that `from PACKAGE import NAME` runs; those under a
condition, in a `try` or in a function are not, nor what a lazy package offers but the name does not need. Which releases have a
name is in the table of names beside the output.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from packaging.version import Version

from tools.python_sources.sources import Release, read_release

#: Whose names are looked up.
PARTNER = "transformers"
#: What programs import: of TRL, whose root is lazy, a class at a time; PEFT runs as a whole.
ENTRIES: Mapping[str, Sequence[str]] = {
    "trl": (
        *("SFTTrainer", "SFTConfig", "DPOTrainer", "DPOConfig", "GRPOTrainer", "GRPOConfig"),
        *("KTOTrainer", "KTOConfig", "RewardTrainer", "RewardConfig", "RLOOTrainer", "RLOOConfig"),
        *("ORPOTrainer", "ORPOConfig", "CPOTrainer", "CPOConfig"),
    ),
    "peft": ("LoraConfig",),
}
_LAZY = "_LazyModule("


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the releases and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", type=Path, help="a folder of wheels")
    parser.add_argument("table", type=Path)
    parser.add_argument("--package", default="trl")
    options = parser.parse_args(arguments)
    known = json.loads(options.table.read_text("utf-8")) if options.table.exists() else {}
    names = json.loads((options.table.parent / "names.json").read_text("utf-8"))[PARTNER]
    found = {}
    for path in sorted(options.releases.iterdir()):
        release = read_release(path, options.package)
        found[release.version] = broken_by(release, options.package, names)
    # A release without a row would be taken for one that is not known.
    known[options.package] = {version: found[version] for version in sorted(found, key=Version)}
    options.table.write_text(json.dumps(known, indent=1, sort_keys=False) + "\n", encoding="utf-8")
    return 0


def broken_by(
    release: Release, package: str, names: Mapping[str, Sequence[str | None]]
) -> dict[str, list[str]]:
    """Class -> (the first release of the partner with which its import fails, the name that this one lacks)."""
    sources = _Sources(release, package)
    out: dict[str, list[str]] = {}
    for entry in ENTRIES[package]:
        wanted = {one for module in sources.run_by(entry) for one in sources.imports(module)}
        gone = [(last, one) for one in wanted if (last := _gone(one, names)) is not None]
        if gone:
            first, name = min(gone, key=lambda row: (Version(row[0]), row[1]))
            out[entry] = [first, f"{PARTNER}.{name}"]
    return out


def _gone(name: str, names: Mapping[str, Sequence[str | None]]) -> str | None:
    """The first release without a name, or without the module that it is in."""
    while name and name not in names:
        name = name.rpartition(".")[0]
    return names[name][1] if name else None


class _Sources:
    """The modules of a release, and what each runs."""

    def __init__(self, release: Release, package: str) -> None:
        self._modules = release.modules
        self._packages = release.packages
        self._package = package
        self._margins: dict[str, list[ast.ImportFrom | ast.Import]] = {}

    def run_by(self, name: str) -> set[str]:
        """The modules that `from PACKAGE import NAME` runs, as far as plain imports show."""
        seen: set[str] = set()
        waiting = self._of_name(self._package, name)
        while waiting:
            module = waiting.pop()
            if module in seen or module not in self._modules:
                continue
            seen.add(module)
            waiting += _above(module)
            for node in self._margin(module):
                waiting += self._runs(module, node)
        return seen

    def imports(self, module: str) -> Iterator[str]:
        """The names that a module imports from the partner at its margin."""
        for node in self._margin(module):
            if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                first, _, inner = node.module.partition(".")
                if first == PARTNER:
                    for alias in node.names:
                        yield f"{inner}.{alias.name}" if inner else alias.name

    def _runs(self, module: str, node: ast.ImportFrom | ast.Import) -> list[str]:
        """The modules of the package that an import in a module runs."""
        if isinstance(node, ast.Import):
            return [one.name for one in node.names if one.name.startswith(f"{self._package}.")]
        origin = self._absolute(module, node)
        if origin is None or origin.partition(".")[0] != self._package:
            return []
        return [run for alias in node.names for run in self._of_name(origin, alias.name)]

    def _of_name(self, module: str, name: str) -> list[str]:
        """The modules that importing a name from a module runs."""
        if f"{module}.{name}" in self._modules:
            return [f"{module}.{name}"]
        if module not in self._packages or _LAZY not in self._modules.get(module, ""):
            return [module]
        # What a lazy package offers is also written as plain imports, for type checkers.
        for node in ast.walk(ast.parse(self._modules[module])):
            if not isinstance(node, ast.ImportFrom) or not node.level:
                continue
            origin = self._absolute(module, node)
            if origin is None or origin == module:
                continue
            if any((one.asname or one.name) == name for one in node.names):
                return [module, *self._of_name(origin, name)]
        return [module]

    def _absolute(self, module: str, node: ast.ImportFrom) -> str | None:
        if not node.level:
            return node.module
        parts = module.split(".")
        drop = node.level - (module in self._packages)
        base = parts[: len(parts) - drop] if drop else parts
        return ".".join([*base, *(node.module or "").split(".")]).rstrip(".") or None

    def _margin(self, module: str) -> list[ast.ImportFrom | ast.Import]:
        if module not in self._margins:
            body = ast.parse(self._modules[module]).body
            found = [one for one in body if isinstance(one, (ast.ImportFrom, ast.Import))]
            self._margins[module] = found
        return self._margins[module]


def _above(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


if __name__ == "__main__":
    sys.exit(main())
