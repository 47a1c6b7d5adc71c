"""How new releases of accelerate are read into the tables."""

from __future__ import annotations

from pathlib import Path

from tools.accelerate_release.cli import main
from tools.upkeep.archives import Archives
from tools.upkeep.package import Package, date_option, run_tool


def _absorb(package: Package, version: str, archives: Archives, rules: Path) -> None:
    folder = package.folder(rules)
    archive = archives.fetch(package.name, version)
    sources = [
        f"{one}={archives.fetch(package.name, one)}" for one in [*package.known(rules), version]
    ]
    run_tool(main, "keys", *sources, "--table", folder / "tables" / f"{package.name}.json")
    day = date_option(version, archive)
    run_tool(main, "pins", f"{version}={archive}", *day, "--table", folder / "releases.json")


PACKAGE = Package("accelerate", _absorb)
