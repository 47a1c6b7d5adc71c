"""The command line: reads releases of OpenRLHF, and writes its tables anew.

    python -m tools.openrlhf_release --openrlhf FOLDER --rules rules

The folder has a folder for each release, named after it, with `openrlhf/`, what states its requirements, and a
file `DATE`.
"""

from __future__ import annotations

import argparse
import json
import sys
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.llamafactory_release.pins import read_pins
from tools.openrlhf_release.keys import (
    PACKAGE,
    NoProgramError,
    read_programs,
    sections_of,
    with_sections,
)
from tools.python_sources import table
from tools.python_sources.sources import UnreadableReleaseError, read_release
from tools.python_sources.versions import dump_releases, in_order
from tools.trl_release.tables import of_any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.python_sources.facts import ReleaseKeys

_REVIEWED = Path(__file__).with_name("reviewed.json")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables; 0 when done, 2 when a release cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m tools.openrlhf_release", description=__doc__)
    parser.add_argument("--openrlhf", type=Path, required=True)
    parser.add_argument("--rules", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        _write_all(options.openrlhf, options.rules / "openrlhf")
    except (UnreadableReleaseError, NoProgramError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _write_all(folder: Path, home: Path) -> None:
    rows: dict[str, dict[str, Any]] = {}
    found: dict[str, Mapping[str, ReleaseKeys]] = {}
    for path in sorted(folder.iterdir()):
        release = read_release(path, PACKAGE, path.name)
        date = (path / "DATE").read_text(encoding="utf-8").strip()
        rows[release.version] = {"date": date, "pins": read_pins(release)}
        programs = read_programs(release)
        of_all = deepcopy(of_any(programs))
        for facts in of_all.keys.values():
            facts.required = False  # by one program, not by all of them
        found[release.version] = {**programs, PACKAGE: of_all}
        counts = ", ".join(f"{name} {len(one.keys)}" for name, one in programs.items())
        sys.stdout.write(f"{release.version}: {counts}\n")
    releases = in_order(rows)
    reviewed = json.loads(_REVIEWED.read_text(encoding="utf-8"))
    (home / "tables").mkdir(parents=True, exist_ok=True)
    for name in sorted({name for programs in found.values() for name in programs}):
        history = table.Table()
        having = [programs[name] for programs in found.values() if name in programs]
        sections = sections_of(key for one in having for key in one.keys)
        for version in releases:
            own = found[version].get(name)
            # Where a release has no such program, nothing is known about its options.
            if own is not None:
                table.merge(history, with_sections(own, sections))
        # A program may be younger than the package, or older.
        history.releases = releases
        folded = table.fold(history, {"keys": reviewed.get(name, {})}, name)
        (home / "tables" / f"{name}.json").write_text(table.dump(folded), encoding="utf-8")
    (home / "releases.json").write_text(dump_releases(rows), encoding="utf-8")
