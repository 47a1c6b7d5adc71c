"""The command line: ``keys`` and ``pins`` read releases, ``compare`` holds the table against one."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.deepspeed_release import compare, pins
from tools.deepspeed_release.keys import PACKAGE, NoRootClassError, read_keys, refused_keys
from tools.deepspeed_release.reviewed import complete
from tools.python_sources import table
from tools.python_sources.sources import Release, UnreadableReleaseError, read_release
from tools.python_sources.versions import dump_releases

if TYPE_CHECKING:
    from collections.abc import Sequence

_REVIEWED = Path(__file__).with_name("reviewed.json")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when done, 2 when a release cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "compare":
            return _compare(options.models, options.table)
        releases = [_open(argument) for argument in options.release]
        if options.command == "keys":
            _keys(releases, options.table)
        else:
            _pins(releases, options.table, dict(options.date))
    except (UnreadableReleaseError, NoRootClassError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.deepspeed_release", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("keys", "add the keys of releases to the key history"),
        ("pins", "add dates and what releases require of other packages"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument(
            "--release",
            action="append",
            required=True,
            metavar="[VERSION=]PATH",
            help="a wheel, a source archive or a folder of source; may be given several times",
        )
        command.add_argument("--table", type=Path, required=True, help="the table to update")
        if name == "pins":
            command.add_argument(
                "--date", action="append", default=[], type=_date, metavar="VERSION=YYYY-MM-DD"
            )
    check = commands.add_parser("compare", help="compare the table with what a release imports as")
    check.add_argument("models", nargs="+", type=Path, help="the file of real_models.py")
    check.add_argument("--table", type=Path, required=True, help="the table to check")
    return parser


def _compare(models: Sequence[Path], path: Path) -> int:
    history = table.load(path)
    reviewed = json.loads(_REVIEWED.read_text(encoding="utf-8"))["models"]
    failed = False
    for file in models:
        real = json.loads(file.read_text(encoding="utf-8"))
        found = list(compare.differences(history, real, reviewed))
        for line in found:
            _say(line)
        failed = failed or bool(found)
        number = compare.count(history, real)
        _say(f"{real['version']}: {number} fields compared, {len(found)} differences")
    return int(failed)


def _date(argument: str) -> tuple[str, str]:
    version, _, date = argument.partition("=")
    return version, date


def _open(argument: str) -> Release:
    version, sign, path = argument.partition("=")
    where = Path(path if sign else argument)
    return read_release(where, PACKAGE, version if sign else None)


def _keys(releases: list[Release], path: Path) -> None:
    reviewed = json.loads(_REVIEWED.read_text(encoding="utf-8"))
    history = table.load(path)
    before: dict[str, Any] = {}
    if history.releases:
        before = table.fold(history, reviewed, PACKAGE)["keys"]
    for release in releases:
        found = complete(read_keys(release), reviewed)
        table.merge(history, found)
        _say(f"{found.version}: {len(found.keys)} keys in {len(found.forbidding)} sections")
        known = set(reviewed.get("refused", {}))
        for key in sorted(refused_keys(release).keys() - known):
            _say(f"  refused by name, no entry in {_REVIEWED.name}: {key}")
    after = table.fold(history, reviewed, PACKAGE)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(table.dump(after), encoding="utf-8")
    _report(before, after["keys"])


def _report(before: dict[str, Any], after: dict[str, Any]) -> None:
    added = sorted(after.keys() - before.keys())
    changed = sorted(key for key in before if after.get(key) != before[key])
    _say(f"{len(after)} keys in all; {len(added)} new, {len(changed)} changed")
    for label, keys in (("new", added), ("changed", changed)):
        if len(keys) <= 200:
            for key in keys:
                _say(f"  {label}: {key}")


def _pins(releases: list[Release], path: Path, dates: dict[str, str]) -> None:
    known = pins.load(path)
    for release in releases:
        known["releases"][release.version] = pins.entry(release, dates.get(release.version))
        _say(f"{release.version}: {len(known['releases'][release.version]['pins'])} pins")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dump_releases(known["releases"]), encoding="utf-8")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
