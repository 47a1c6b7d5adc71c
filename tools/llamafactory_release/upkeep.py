"""How new releases of LLaMA-Factory are read into the tables."""

from __future__ import annotations

from pathlib import Path

from packaging.version import Version

from tools.llamafactory_release.cli import main
from tools.trl_release.upkeep import BELOW, releases_below
from tools.upkeep.archives import Archives
from tools.upkeep.package import Package, date_option, run_tool

#: The name under which it was published before this release.
_RENAMED = ("llmtuner", "0.8.0")


def _absorb(package: Package, version: str, archives: Archives, rules: Path) -> None:
    folder = package.folder(rules)
    archive = archives.fetch(package.name, version)
    before, renamed = _RENAMED
    sources = [
        f"{one}={archives.fetch(package.name if Version(one) >= Version(renamed) else before, one)}"
        for one in [*package.known(rules), version]
    ]
    series: dict[tuple[int, ...], str] = {}
    for one in releases_below(archives, rules):
        series[Version(one).release[:2]] = one
    beside = [
        part
        for one in series.values()
        for part in ("--transformers", f"{one}={archives.fetch(BELOW, one)}")
    ]
    tables = ("--table", folder / "tables" / f"{package.name}.json")
    releases = ("--releases", folder / "releases.json")
    run_tool(main, *sources, *beside, *date_option(version, archive), *tables, *releases)


PACKAGE = Package("llamafactory", _absorb)
