"""The command line: reads releases of TRL and transformers, and writes TRL's tables anew.

    python -m tools.trl_release --trl FOLDER_OF_WHEELS --transformers FOLDER --rules rules/trl

The second folder has a folder for each release, with what its wheel has below `transformers/`, or
its wheel. `--peft FOLDER_OF_WHEELS` reads the classes of PEFT, too, which programs call, and `--accelerate` those of
accelerate, of wheels or of folders with what the wheels have. The day of a release is that of the files in its archive; `DATE` in a folder states it.
"""

from __future__ import annotations

import argparse
import json
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.python_sources import table
from tools.python_sources.sources import UnreadableReleaseError, read_release
from tools.python_sources.versions import dump_releases, in_order
from tools.trl_release import pins
from tools.trl_release.classes import Histories
from tools.trl_release.keys import (
    BELOW,
    COMMANDS,
    PACKAGE,
    NoCommandError,
    read_commands,
    read_training_arguments,
)
from tools.trl_release.moved import Moved
from tools.trl_release.tables import of_any

if TYPE_CHECKING:
    from collections.abc import Sequence

_REVIEWED = Path(__file__).with_name("reviewed.json")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables; 0 when done, 2 when a release cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m tools.trl_release", description=__doc__)
    parser.add_argument("--trl", type=Path, required=True)
    parser.add_argument("--transformers", type=Path, required=True)
    parser.add_argument("--peft", type=Path)
    parser.add_argument("--accelerate", type=Path)
    parser.add_argument("--rules", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        dates = _transformers(options.transformers, options.rules)
        _trl(options.trl, options.rules, dates)
        for package in ("peft", "accelerate"):
            folder = getattr(options, package)
            if folder is not None:
                _called(package, folder, options.rules)
    except (UnreadableReleaseError, NoCommandError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _transformers(folder: Path, rules: Path) -> dict[str, str]:
    """Write the table of TrainingArguments; gives release -> the day on which it came out."""
    history, rows, classes = table.Table(), {}, Histories(BELOW)
    for path in sorted(folder.iterdir()):
        release = read_release(path, BELOW, path.name if path.is_dir() else None)
        table.merge(history, read_training_arguments(release))
        classes.add(release)
        rows[release.version] = pins.entry(release, _date(path), pins.BELOW)
    _write(rules, BELOW, table.fold(history, _reviewed(BELOW), BELOW))
    classes.write(rules / "classes")
    _programs(rules.parent / "trl_programs", rows)
    return {version: row["date"] for version, row in rows.items()}


def _programs(home: Path, rows: dict[str, dict[str, Any]]) -> None:
    """Write the releases of transformers where programs are described, which have no keys of their own."""
    if not home.is_dir():
        return
    path = home / "releases.json"
    known = json.loads(path.read_text(encoding="utf-8"))["releases"] if path.is_file() else {}
    for version, row in rows.items():
        # A folder of sources has no metadata that could be read.
        row["pins"] = row["pins"] or known.get(version, {}).get("pins", {})
    path.write_text(dump_releases(rows), encoding="utf-8")
    bare: dict[str, Any] = {"framework": home.name, "releases": in_order(rows)}
    bare.update(plugins={}, sections={}, keys={})
    (home / "tables" / f"{BELOW}.json").write_text(table.dump(bare), encoding="utf-8")


def _called(package: str, folder: Path, rules: Path) -> None:
    """Write the tables of the classes of a package that has no other table here."""
    classes = Histories(package)
    for path in sorted(folder.iterdir()):
        classes.add(read_release(path, package, path.name if path.is_dir() else None))
    classes.write(rules / "classes")


def _trl(folder: Path, rules: Path, dates: dict[str, str]) -> None:
    histories = {name: table.Table() for name in (*COMMANDS, PACKAGE)}
    classes, moved = Histories(PACKAGE), Moved()
    rows: dict[str, dict[str, Any]] = {}
    launcher = json.loads(_REVIEWED.read_text(encoding="utf-8"))["launcher"]
    for path in sorted(folder.iterdir()):
        release = read_release(path, PACKAGE)
        try:
            commands = read_commands(release, launcher)
        except NoCommandError as error:
            _say(f"{error}; it is left out")
            continue
        for name, found in {**commands, PACKAGE: of_any(commands)}.items():
            table.merge(histories[name], found)
        classes.add(release)
        moved.add(release)
        rows[release.version] = pins.entry(release, _date(path))
        _say(f"{release.version}: {', '.join(f'{n} {len(k.keys)}' for n, k in commands.items())}")
    classes.write(rules / "classes")
    moved.write(rules.parent / "trl_programs" / "data" / "moved.json")
    newest = in_order(rows)[-1]
    beside = {
        version: pins.newest_by(row, dates, version == newest) for version, row in rows.items()
    }
    for name, history in histories.items():
        # A command is younger than the package: before it, none of its keys is read.
        history.releases = in_order(rows)
        folded = table.fold(history, _reviewed(name), name)
        if name == PACKAGE:
            folded["beside"] = {version: beside[version] for version in in_order(rows)}
        _write(rules, name, folded)
    (rules / "releases.json").write_text(dump_releases(rows), encoding="utf-8")


def _reviewed(name: str) -> dict[str, Any]:
    """What people added by hand: for all tables, and for the one of this name."""
    data = json.loads(_REVIEWED.read_text(encoding="utf-8"))
    return {"keys": {**data["all"], **data.get(name, {})}}


def _write(rules: Path, name: str, folded: dict[str, Any]) -> None:
    path = rules / "tables" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(table.dump(folded), encoding="utf-8")
    _say(f"{path.name}: {len(folded['keys'])} keys")


def _date(path: Path) -> str:
    if path.is_dir():
        return (path / "DATE").read_text(encoding="utf-8").strip()
    with zipfile.ZipFile(path) as archive:
        # Some of the files may be older than the archive.
        year, month, day = max(one.date_time for one in archive.infolist())[:3]
    return f"{year:04}-{month:02}-{day:02}"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
