"""`python -m tools.verl_release`: the tables of verl's keys from checkouts of its releases."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from packaging.version import Version

from tools.verl_release import classes
from tools.verl_release.configs import CONFIGS, Composed, composed, programs
from tools.verl_release.tables import history

_HOME = Path("rules/verl")
#: The class of a model, which the rollout names itself.
_OF_MODEL = "HFModelConfig"
_REVIEWED = Path(__file__).with_name("reviewed.json")


def main(arguments: list[str] | None = None) -> int:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--checkouts",
        type=Path,
        required=True,
        help="a folder with one checkout per release, vX.Y.Z",
    )
    parser.add_argument("--python", required=True, help="a Python that has hydra-core")
    options = parser.parse_args(arguments)
    folders = {folder.name[1:]: folder for folder in options.checkouts.glob("v*")}
    releases = sorted(folders, key=Version)
    made = {release: composed(folders[release], options.python) for release in releases}
    moved = json.loads(_REVIEWED.read_text(encoding="utf-8"))["moved"]
    (_HOME / "tables").mkdir(exist_ok=True)
    (_HOME / "data").mkdir(exist_ok=True)
    for name in CONFIGS:
        own = {release: one[name] for release, one in made.items() if name in one}
        moves = {row["from"]: row["to"] for row in moved if name in row["configs"]}
        table = history(name, releases, own, moves)
        file = "verl" if name == CONFIGS[0] else name
        write(_HOME / "tables" / f"{file}.json", table)
    known = {name: one for release in releases for name, one in programs(folders[release]).items()}
    write(_HOME / "data" / "programs.json", known)
    write(_HOME / "data" / "groups.json", _groups(made))
    write(_HOME / "data" / "choices.json", _choices(made))
    write(_HOME / "data" / "classes.json", _classes(folders, releases, made))
    return 0


def _classes(
    folders: dict[str, Path], releases: list[str], made: dict[str, dict[str, Composed]]
) -> dict[str, Any]:
    """Class -> field -> the releases that have it, of the classes that sections name."""
    trees = [one.tree for configs in made.values() for one in configs.values()]
    names = {name for tree in trees for name in classes.targets_of(tree)} | {_OF_MODEL}
    fields = {release: classes.fields_of(folders[release]) for release in releases}
    return classes.history(releases, fields, names)


def _groups(made: dict[str, dict[str, Composed]]) -> dict[str, dict[str, dict[str, list[str]]]]:
    """Config -> group that words choose from -> its sections, and what is chosen, in any release."""
    found: dict[str, dict[str, dict[str, set[str]]]] = {}
    for configs in made.values():
        for name, one in configs.items():
            for group, (sections, chosen) in one.groups.items():
                row = found.setdefault(name, {}).setdefault(
                    group, {"sections": set(), "usual": set()}
                )
                row["sections"].update(sections)
                row["usual"].add(chosen)
    return {
        name: {
            group: {part: sorted(values) for part, values in row.items()}
            for group, row in sorted(groups.items())
        }
        for name, groups in sorted(found.items())
    }


def _choices(made: dict[str, dict[str, Composed]]) -> dict[str, dict[str, Any]]:
    """Config -> release -> what is `chosen` of each group, and the `options` of each folder.

    Releases in which it is as in the one before are left out.
    """
    found: dict[str, dict[str, Any]] = {}
    for release, configs in made.items():
        for name, one in configs.items():
            row = {"chosen": one.choices, "options": one.options}
            rows = found.setdefault(name, {})
            if not rows or rows[next(reversed(rows))] != row:
                rows[release] = row
    return dict(sorted(found.items()))


def write(path: Path, data: dict[str, Any]) -> None:
    """JSON with one line for each entry of a table."""
    rows = []
    for name, value in data.items():
        if isinstance(value, dict) and value:
            inner = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            rows.append(f" {json.dumps(name)}: {{\n{inner}\n }}")
        else:
            rows.append(f" {json.dumps(name)}: {json.dumps(value)}")
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
