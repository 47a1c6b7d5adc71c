"""The known packages, and how a release of each is read into its tables.

The tools of some packages add one release to what is there. Those of others write their tables from
the archives of all releases, because a key's history needs what was beside each of them.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import Version

from tools.accelerate_release.cli import main as accelerate
from tools.axolotl_release.cli import main as axolotl
from tools.axolotl_release.history import main as history
from tools.deepspeed_release.cli import main as deepspeed
from tools.llamafactory_release.cli import main as llamafactory
from tools.trl_release.cli import main as trl
from tools.upkeep.archives import Archives, day_of

#: A tool's command line, which gives 0 when it is done.
Tool = Callable[[Sequence[str]], int]
#: `releases` with the commit and the images of each, and `commits`, a line for each.
History = dict[str, Any]
#: A release of a package that many tables depend on.
_BESIDE = "transformers"
#: The name under which LLaMA-Factory was published before this release.
_RENAMED = ("llmtuner", "0.8.0")


class ToolFailedError(Exception):
    """A tool could not read a release; it has said why."""


@dataclass(frozen=True)
class Package:
    """A package whose releases are known, and the folder of its framework's rules."""

    name: str
    #: Reads a release into the tables.
    absorb: Callable[[Package, str, Archives, Path], None]
    #: Compares the code that checks configurations in two releases, where there is such a tool.
    validators: Tool | None = None
    #: Where its commits and images are known, too: the tool that reads them, and the repository.
    history: tuple[Tool, str] | None = None

    def folder(self, rules: Path) -> Path:
        """The folder of its framework."""
        return rules / self.name

    def known(self, rules: Path) -> list[str]:
        """The releases in its table, the oldest first."""
        data = json.loads((self.folder(rules) / "releases.json").read_text(encoding="utf-8"))
        return sorted(data["releases"], key=Version)

    def tables(self, rules: Path) -> dict[str, Any]:
        """Its tables of keys by their names."""
        folder = self.folder(rules) / "tables"
        return {
            path.stem: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(folder.glob("*.json"))
        }

    def read_history(self, archives: Archives, rules: Path) -> tuple[History, History]:
        """Read its commits and images into their table; the table before and after.

        Raises:
            NoSuchArchiveError: the repository cannot be had.
            ToolFailedError: the tool could not read it.
        """
        if self.history is None:
            return {}, {}
        tool, address = self.history
        path = self.folder(rules) / "history.json"
        before = json.loads(path.read_text(encoding="utf-8"))
        clone = archives.clone(self.name, address)
        try:
            _run(tool, clone, path)
        except subprocess.CalledProcessError as error:
            raise ToolFailedError from error
        return before, json.loads(path.read_text(encoding="utf-8"))

    def row(self, rules: Path, version: str) -> dict[str, Any]:
        """What is known of a release: its day, and what it requires of other packages."""
        data = json.loads((self.folder(rules) / "releases.json").read_text(encoding="utf-8"))
        found: dict[str, Any] = data["releases"].get(version, {})
        return found


def _run(tool: Tool, *arguments: str | Path) -> None:
    if tool([str(argument) for argument in arguments]):
        raise ToolFailedError


def _one_by_one(tool: Tool, option: str) -> Callable[[Package, str, Archives, Path], None]:
    """For a tool that adds a release to its tables."""

    def absorb(package: Package, version: str, archives: Archives, rules: Path) -> None:
        folder = package.folder(rules)
        archive = archives.fetch(package.name, version)
        source = f"{version}={archive}"
        _run(tool, "keys", option, source, "--table", folder / "tables" / f"{package.name}.json")
        _run(
            tool,
            "pins",
            option,
            source,
            *_day(version, archive),
            "--table",
            folder / "releases.json",
        )

    return absorb


def _accelerate(package: Package, version: str, archives: Archives, rules: Path) -> None:
    folder = package.folder(rules)
    archive = archives.fetch(package.name, version)
    sources = [
        f"{one}={archives.fetch(package.name, one)}" for one in [*package.known(rules), version]
    ]
    table = folder / "tables" / f"{package.name}.json"
    _run(accelerate, "keys", *sources, "--table", table)
    day = _day(version, archive)
    _run(accelerate, "pins", f"{version}={archive}", *day, "--table", folder / "releases.json")


def _llamafactory(package: Package, version: str, archives: Archives, rules: Path) -> None:
    folder = package.folder(rules)
    archive = archives.fetch(package.name, version)
    before, renamed = _RENAMED
    sources = [
        f"{one}={archives.fetch(package.name if Version(one) >= Version(renamed) else before, one)}"
        for one in [*package.known(rules), version]
    ]
    series: dict[tuple[int, ...], str] = {}
    for one in _beside(archives, rules):
        series[Version(one).release[:2]] = one
    beside = [
        part for one in series.values() for part in ("--transformers", _source(archives, one))
    ]
    tables = ("--table", folder / "tables" / f"{package.name}.json")
    releases = ("--releases", folder / "releases.json")
    _run(llamafactory, *sources, *beside, *_day(version, archive), *tables, *releases)


def _trl(package: Package, version: str, archives: Archives, rules: Path) -> None:
    for one in [*package.known(rules), version]:
        archives.fetch(package.name, one)
    for one in _beside(archives, rules):
        archives.fetch(_BESIDE, one)
    folders = ("--trl", archives.folder(package.name), "--transformers", archives.folder(_BESIDE))
    _run(trl, *folders, "--rules", package.folder(rules))


def _beside(archives: Archives, rules: Path) -> list[str]:
    """The releases of transformers that tables have, and the newest one, the oldest first."""
    table = json.loads((rules / "trl" / "tables" / f"{_BESIDE}.json").read_text(encoding="utf-8"))
    found = {*table["releases"], archives.versions(_BESIDE)[-1]}
    return sorted(found, key=Version)


def _source(archives: Archives, version: str) -> str:
    return f"{version}={archives.fetch(_BESIDE, version)}"


def _day(version: str, archive: Path) -> list[str]:
    day = day_of(archive)
    return [] if day is None else ["--date", f"{version}={day}"]


PACKAGES = (
    Package(
        "axolotl",
        _one_by_one(axolotl, "--wheel"),
        validators=axolotl,
        history=(history, "https://github.com/axolotl-ai-cloud/axolotl"),
    ),
    Package("deepspeed", _one_by_one(deepspeed, "--release")),
    Package("accelerate", _accelerate),
    Package("llamafactory", _llamafactory),
    Package("trl", _trl, history=(history, "https://github.com/huggingface/trl")),
)
