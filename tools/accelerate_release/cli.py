"""The command line: ``keys`` writes the table of keys, ``pins`` what releases require."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tools.accelerate_release import pins, table
from tools.accelerate_release.keys import read_keys
from tools.accelerate_release.sources import Release, UnreadableReleaseError, read_release
from tools.python_sources.versions import dated, dump_releases

if TYPE_CHECKING:
    from collections.abc import Sequence

_REVIEWED = Path(__file__).with_name("reviewed.json")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when done, 2 when a release cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        releases = [_open(argument) for argument in options.source]
    except UnreadableReleaseError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    (_keys if options.command == "keys" else _pins)(releases, options)
    return 0


def _keys(releases: list[Release], options: argparse.Namespace) -> None:
    reviewed = json.loads(_REVIEWED.read_text(encoding="utf-8"))
    folded = table.fold([read_keys(release) for release in releases], reviewed)
    options.table.write_text(table.dump(folded), encoding="utf-8")
    sys.stdout.write(f"{len(folded['keys'])} keys, {len(folded['releases'])} releases\n")


def _pins(releases: list[Release], options: argparse.Namespace) -> None:
    known = json.loads(options.table.read_text("utf-8")) if options.table.exists() else {}
    written = pins.updated(known, releases, dict(options.date))
    options.table.write_text(dump_releases(written["releases"]), encoding="utf-8")
    sys.stdout.write(f"{len(written['releases'])} releases, the newest {written['newest']}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.accelerate_release", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (
        ("keys", "write the key history from the sources of all releases that it is to hold"),
        ("pins", "add releases, their dates and what they require of other packages"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument(
            "source",
            nargs="+",
            metavar="[VERSION=]PATH",
            help="a wheel, a source archive or a folder of source",
        )
        command.add_argument("--table", type=Path, required=True, help="the table to write")
        if name == "pins":
            command.add_argument(
                "--date",
                action="append",
                default=[],
                type=dated,
                metavar="VERSION=YYYY-MM-DD",
                help="the day on which a release came out",
            )
    return parser


def _open(argument: str) -> Release:
    version, mark, path = argument.rpartition("=")
    return read_release(Path(path), version if mark else None)
