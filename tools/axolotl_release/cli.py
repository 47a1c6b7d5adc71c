"""The command line: ``keys`` and ``pins`` read releases and update a table, ``validators`` compares."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.axolotl_release import pins, validators
from tools.axolotl_release.keys import NoRootModelError, read_keys
from tools.axolotl_release.sources import PACKAGE, Release, UnreadableReleaseError, read_release
from tools.python_sources import table
from tools.python_sources.versions import dump_releases

if TYPE_CHECKING:
    from collections.abc import Sequence

_REVIEWED = Path(__file__).with_name("reviewed.json")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when done, 2 when a release cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "validators":
            _validators(_open(options.old), _open(options.new), code=options.code)
            return 0
        releases = [_open(argument) for argument in options.wheel]
        if options.command == "keys":
            _keys(releases, options.table)
        else:
            _pins(releases, options.table, dict(options.date))
    except (UnreadableReleaseError, NoRootModelError) as error:
        sys.stderr.write(f"error: {error}" + "\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.axolotl_release", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("keys", "add the keys of releases to the key history"),
        ("pins", "add what releases require of other packages"),
    ):
        command = commands.add_parser(name, help=text)
        command.add_argument(
            "--wheel",
            action="append",
            required=True,
            metavar="[VERSION=]PATH",
            help="a wheel, a source archive or a folder of source; may be given several times",
        )
        command.add_argument("--table", type=Path, required=True, help="the table to update")
        if name == "pins":
            command.add_argument(
                "--date",
                action="append",
                default=[],
                type=_date,
                metavar="VERSION=YYYY-MM-DD",
                help="the day on which a release came out",
            )
    compare = commands.add_parser("validators", help="new, changed, moved and removed validators")
    compare.add_argument(
        "--old", required=True, metavar="[VERSION=]PATH", help="the previous release"
    )
    compare.add_argument("--new", required=True, metavar="[VERSION=]PATH", help="the new release")
    compare.add_argument("--code", action="store_true", help="show the lines that differ")
    return parser


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


def _validators(old: Release, new: Release, *, code: bool) -> None:
    before, now = validators.read_validators(old), validators.read_validators(new)
    changes = validators.compare(before, now)
    for line in validators.describe(changes, code=code):
        _say(line)
    counts = f"{len(changes.new)} new, {len(changes.changed)} changed, {len(changes.gone)} gone"
    _say(
        f"{old.version} -> {new.version}: {len(now)} validators, {counts}, {len(changes.moved)} moved"
    )


def _date(argument: str) -> tuple[str, str]:
    version, _, date = argument.partition("=")
    return version, date


def _open(argument: str) -> Release:
    version, sign, path = argument.partition("=")
    return read_release(Path(path), version) if sign else read_release(Path(argument))


def _keys(releases: list[Release], path: Path) -> None:
    reviewed = json.loads(_REVIEWED.read_text(encoding="utf-8"))
    history = table.load(path)
    before = table.fold(history, reviewed, PACKAGE) if history.releases else {"keys": {}}
    unreviewed: dict[str, list[str]] = {}
    for release in releases:
        found = read_keys(release)
        table.merge(history, found)
        _say(f"{found.version}: {len(found.keys)} keys, {len(found.plugins)} plugins")
        unreviewed = {
            key: facts.mentions
            for key, facts in found.keys.items()
            if facts.deprecated and key not in reviewed["keys"]
        }
    after = table.fold(history, reviewed, PACKAGE)
    path.write_text(table.dump(after), encoding="utf-8")
    _report_changes(before["keys"], after["keys"], unreviewed)


def _report_changes(
    before: dict[str, Any], after: dict[str, Any], unreviewed: dict[str, list[str]]
) -> None:
    added = sorted(after.keys() - before.keys())
    changed = sorted(key for key in before if after.get(key) != before[key])
    _say(f"{len(after)} keys in all; {len(added)} new, {len(changed)} changed")
    for label, keys in (("new", added), ("changed", changed)):
        if len(keys) <= 200:
            for key in keys:
                _say(f"  {label}: {key}")
    for key, mentions in sorted(unreviewed.items()):
        names = ", ".join(mentions) or "nothing"
        _say(f"  deprecated, no entry in {_REVIEWED.name}: {key} (the release names {names})")


def _pins(releases: list[Release], path: Path, dates: dict[str, str]) -> None:
    known = pins.load(path)
    for release in releases:
        entry = pins.read_pins(release)
        if release.version in dates:
            entry = {"date": dates[release.version], **entry}
        pins.merge(known, release.version, entry)
        _say(f"{release.version}: {len(entry['pins'])} pins")
    path.write_text(dump_releases(known["releases"]), encoding="utf-8")
