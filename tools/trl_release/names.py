"""The names that a package exports, and in which releases.

``python -m tools.trl_release.names CLONE rules/trl/names.json`` reads `PACKAGE/__init__.py` at every tag. A
name that all known releases export says nothing and is left out.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from packaging.version import Version

from tools.git import git

_TAG = re.compile(r"v(\d+(?:\.\d+)+)")
_NAME = re.compile(r"[A-Za-z_]\w*")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the releases and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path, help="a clone with tags, bare or not")
    parser.add_argument("table", type=Path)
    parser.add_argument("--package", default="trl")
    parser.add_argument("--first", default="0.8.0", help="the oldest release of interest")
    options = parser.parse_args(arguments)
    exported = {
        version: names
        for version, names in _of_tags(options.clone, options.package)
        if Version(version) >= Version(options.first)
    }
    known = json.loads(options.table.read_text("utf-8")) if options.table.exists() else {}
    known[options.package] = table(exported)
    options.table.write_text(dump(known), encoding="utf-8")
    return 0


def table(exported: dict[str, set[str]]) -> dict[str, list[str | None]]:
    """Name -> (its first release, the first one without it); None for an end that is open.

    A name that came twice is left out: it does not tell between when and when a release is.
    """
    versions = sorted(exported, key=Version)
    out: dict[str, list[str | None]] = {}
    for name in sorted(set().union(*exported.values())):
        having = [number for number, one in enumerate(versions) if name in exported[one]]
        first, last = having[0], having[-1]
        if len(having) != last - first + 1 or len(having) == len(versions):
            continue
        gone = versions[last + 1] if last + 1 < len(versions) else None
        out[name] = [versions[first] if first else None, gone]
    return out


def dump(known: dict[str, dict[str, list[str | None]]]) -> str:
    """The table as JSON, a line per name."""
    packages = []
    for package, names in sorted(known.items()):
        rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in names.items())
        packages.append(f" {json.dumps(package)}: {{\n{rows}\n }}")
    return "{\n" + ",\n".join(packages) + "\n}\n"


def exports(text: str) -> set[str]:
    """The names that the `__init__.py` of a package imports from its modules, now or when asked for."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            found.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.List):
            found.update(_strings(node.elts))
    return {name for name in found if _NAME.fullmatch(name) and name != "annotations"}


def _strings(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _of_tags(clone: Path, package: str) -> Iterator[tuple[str, set[str]]]:
    tags = git(clone, "tag").split()
    for tag in sorted(filter(_TAG.fullmatch, tags), key=Version):
        try:
            text = git(clone, "show", f"{tag}:{package}/__init__.py")
        except subprocess.CalledProcessError:
            continue
        yield tag.removeprefix("v"), exports(text)


if __name__ == "__main__":
    sys.exit(main())
