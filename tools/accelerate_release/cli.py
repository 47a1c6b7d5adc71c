"""The command line: ``keys`` writes the table of keys, ``pins`` what releases require."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tools.accelerate_release import table
from tools.accelerate_release.keys import read_keys
from tools.accelerate_release.sources import Release, UnreadableReleaseError, read_release

if TYPE_CHECKING:
    from collections.abc import Sequence

_REVIEWED = Path(__file__).with_name("reviewed.json")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 0 when done, 2 when a release cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        releases = [_open(argument) for argument in options.source]
    except UnreadableReleaseError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    reviewed = json.loads(_REVIEWED.read_text(encoding="utf-8"))
    folded = table.fold([read_keys(release) for release in releases], reviewed)
    options.table.write_text(table.dump(folded), encoding="utf-8")
    sys.stdout.write(f"{len(folded['keys'])} keys, {len(folded['releases'])} releases\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.accelerate_release",
        description="Write the table of the keys of accelerate's config files from the sources of"
        " all releases that it is to hold.",
    )
    parser.add_argument(
        "source",
        nargs="+",
        metavar="[VERSION=]PATH",
        help="a wheel, a source archive or a folder of source",
    )
    parser.add_argument("--table", type=Path, required=True, help="the table to write")
    return parser


def _open(argument: str) -> Release:
    version, mark, path = argument.rpartition("=")
    return read_release(Path(path), version if mark else None)
