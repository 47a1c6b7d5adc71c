"""How new releases of TRL are read into the tables."""

from __future__ import annotations

import json
from pathlib import Path

from packaging.version import Version

from tools.axolotl_release.history import main as history
from tools.trl_release.cli import main
from tools.trl_release.names import main as names
from tools.upkeep.archives import Archives
from tools.upkeep.package import Package, run_tool

#: The package whose classes TRL's are derived from; the table of its releases is beside TRL's own.
BELOW = "transformers"


def releases_below(archives: Archives, rules: Path) -> list[str]:
    """The releases of transformers to read: those in the table and the newest, the oldest first."""
    table = json.loads((rules / "trl" / "tables" / f"{BELOW}.json").read_text(encoding="utf-8"))
    found = {*table["releases"], archives.versions(BELOW)[-1]}
    return sorted(found, key=Version)


def _absorb(package: Package, version: str, archives: Archives, rules: Path) -> None:
    for one in [*package.known(rules), version]:
        archives.fetch(package.name, one)
    for one in releases_below(archives, rules):
        archives.fetch(BELOW, one)
    folders = ("--trl", archives.folder(package.name), "--transformers", archives.folder(BELOW))
    run_tool(main, *folders, "--rules", package.folder(rules))
    for name in (package.name, BELOW):
        table = package.folder(rules) / "names.json"
        run_tool(names, archives.folder(name), table, "--package", name)


PACKAGE = Package("trl", _absorb, history=(history, "https://github.com/huggingface/trl"))
