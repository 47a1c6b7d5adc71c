"""A package whose releases are known: how one is read into its tables, and compared with them.

`tools/NAME_release/upkeep.py` has the one of a framework under the name `PACKAGE`. The tools of some
packages add one release to what is there. Those of others write their tables from the archives of
all releases, because a key's history needs what was beside each of them.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import Version

from tools.upkeep.archives import Archives, day_of

#: A tool's command line, which gives 0 when it is done.
Tool = Callable[[Sequence[str]], int]
#: `releases` with the commit and the images of each, and `commits`, a line for each.
History = dict[str, Any]
#: A command of a comparison; the next one needs what it made.
Step = Sequence[str | Path]


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
    #: The commands that compare a release with what was read of it: for a version, how many
    #: configurations to make, and a folder to work in.
    comparison: Callable[[str, int, Path], list[Step]] | None = None
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
            run_tool(tool, clone, path)
        except subprocess.CalledProcessError as error:
            raise ToolFailedError from error
        return before, json.loads(path.read_text(encoding="utf-8"))

    def row(self, rules: Path, version: str) -> dict[str, Any]:
        """What is known of a release: its day, and what it requires of other packages."""
        data = json.loads((self.folder(rules) / "releases.json").read_text(encoding="utf-8"))
        found: dict[str, Any] = data["releases"].get(version, {})
        return found


def run_tool(tool: Tool, *arguments: str | Path) -> None:
    """Run a tool.

    Raises:
        ToolFailedError: its exit code is not 0.
    """
    if tool([str(argument) for argument in arguments]):
        raise ToolFailedError


def one_by_one(tool: Tool, option: str) -> Callable[[Package, str, Archives, Path], None]:
    """For a tool that adds a release to its tables."""

    def absorb(package: Package, version: str, archives: Archives, rules: Path) -> None:
        folder = package.folder(rules)
        archive = archives.fetch(package.name, version)
        source = f"{version}={archive}"
        run_tool(
            tool, "keys", option, source, "--table", folder / "tables" / f"{package.name}.json"
        )
        run_tool(
            tool,
            "pins",
            option,
            source,
            *date_option(version, archive),
            "--table",
            folder / "releases.json",
        )

    return absorb


def date_option(version: str, archive: Path) -> list[str]:
    """The option that gives a tool the day of a release, as far as its archive has it."""
    day = day_of(archive)
    return [] if day is None else ["--date", f"{version}={day}"]
