"""The command line: writes the table of keys, and what releases require."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.version import Version

from tools.llamafactory_release.dataset_keys import read_dataset_keys
from tools.llamafactory_release.keys import (
    PACKAGES,
    TRAINING,
    UnreadableClassError,
    came_with,
    fitting,
    generating_fields,
    keys_of_classes,
    read_keys,
    spans,
    training_fields,
)
from tools.llamafactory_release.pins import updated
from tools.llamafactory_release.v1_keys import read_v1_keys
from tools.python_sources import table
from tools.python_sources.sources import Release, UnreadableReleaseError, read_release
from tools.python_sources.versions import dated, dump_releases

if TYPE_CHECKING:
    from collections.abc import Sequence

_REVIEWED = Path(__file__).with_name("reviewed.json")
#: Up to 0.8.3 no newest transformers was stated; 0.9.0 was the first to say which one works.
_NEWEST_WITHOUT_LIMIT = "4.45.2"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write both files; 0 when done, 2 when a release cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        releases = [_open(one) for one in options.source]
        below = {
            version: read_release(Path(path), "transformers", version)
            for version, _, path in (one.partition("=") for one in options.transformers)
        }
        training = {version: training_fields(one) for version, one in below.items()}
        known = json.loads(options.releases.read_text("utf-8")) if options.releases.exists() else {}
        written = updated(known, releases, dict(options.date))
        options.releases.write_text(dump_releases(written["releases"]), encoding="utf-8")
        history, of_v1, of_lists = table.Table(), table.Table(), table.Table()
        beside: dict[str, str] = {}
        generating = set().union(*map(generating_fields, below.values()))
        classes: dict[str, dict[str, list[str]]] = {}
        for release in sorted(releases, key=lambda one: Version(one.version)):
            pin = written["releases"][release.version]["pins"]["transformers"]
            fit = fitting(pin, training, _NEWEST_WITHOUT_LIMIT)
            sys.stdout.write(f"{release.version}: transformers {fit[0]} to {fit[-1]}\n")
            beside[release.version] = came_with(pin, fit)
            for name, keys in keys_of_classes(release).items():
                for key in keys | (generating if name == TRAINING else set()):
                    classes.setdefault(name, {}).setdefault(key, []).append(release.version)
            table.merge(history, read_keys(release, [training[one] for one in fit]))
            if (lists := read_dataset_keys(release)) is not None:
                table.merge(of_lists, lists)
            if (v1 := read_v1_keys(release)) is not None:
                table.merge(of_v1, v1)
    except (UnreadableReleaseError, UnreadableClassError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    reviewed = json.loads(_REVIEWED.read_text("utf-8"))
    folded = table.fold(history, reviewed, "llamafactory")
    folded["beside"] = beside
    folded["classes"] = {
        name: spans(having, folded["releases"]) for name, having in classes.items()
    }
    options.table.write_text(table.dump(folded), encoding="utf-8")
    if of_v1.releases:
        folded_v1 = table.fold(of_v1, reviewed["v1"], "v1")
        options.table.with_name("v1.json").write_text(table.dump(folded_v1), encoding="utf-8")
    if of_lists.releases:
        folded_lists = table.fold(of_lists, {"keys": {}}, "dataset_info")
        path = options.table.with_name("dataset_info.json")
        path.write_text(table.dump(folded_lists), encoding="utf-8")
    sys.stdout.write(f"{len(folded['keys'])} keys, {len(folded['releases'])} releases\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.llamafactory_release", description=__doc__
    )
    parser.add_argument(
        "source",
        nargs="+",
        metavar="VERSION=PATH",
        help="a wheel, a source archive or a folder of source, of every release in the table",
    )
    parser.add_argument(
        "--transformers",
        action="append",
        required=True,
        metavar="VERSION=PATH",
        help="the same for one release of each series of transformers",
    )
    parser.add_argument(
        "--table",
        type=Path,
        required=True,
        help="the key table to write; that of the v1 layout is put beside it",
    )
    parser.add_argument("--releases", type=Path, required=True, help="the table of releases")
    parser.add_argument(
        "--date", action="append", default=[], type=dated, metavar="VERSION=YYYY-MM-DD"
    )
    return parser


def _open(argument: str) -> Release:
    version, _, path = argument.partition("=")
    package = PACKAGES[Version(version) >= Version("0.8.0")]
    return read_release(Path(path), package, version)
