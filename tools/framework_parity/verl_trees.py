"""Configs of checkouts: whether cfglint composes them as Hydra does.

    python -m tools.framework_parity.verl_trees --python PYTHON CHECKOUT...
    python -m tools.framework_parity.verl_trees --python PYTHON --scripts FOLDER --release RELEASE CHECKOUT

Every YAML file in a folder `config` of a program is composed by both, and so are the words that choose
another option of one of its groups. With scripts, `cfglint effective` is compared with what Hydra composes for
those that it accepts, interpolations included. PYTHON has `hydra-core`.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cfglint.answers.resolved.resolve import resolve
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.frameworks.verl.commands import Config
from cfglint.frameworks.verl.own_configs import own_config
from cfglint.roles.framework import load_framework
from cfglint.source.files.disk import Disk
from cfglint.source.text import SourceText
from tools.framework_parity.verl import row_of
from tools.verl_release.configs import ask


def compared(checkout: Path, python: str) -> Iterator[tuple[str, str, str]]:
    """Each config with its choices, the verdict, and Hydra's error or the first key that differs."""
    files = sorted(
        path
        for top in ("verl", "recipe")
        for path in checkout.glob(f"{top}/**/config/*.yaml")
        if not path.name.startswith("_")
    )
    rows: list[dict[str, Any]] = [
        {"folder": str(one.parent), "name": one.stem, "words": []} for one in files
    ]
    answers = ask(checkout, python, rows)
    more = [
        {**row, "words": [f"{group}={name}"]}
        for row, answer in zip(rows, answers, strict=True)
        for group, used in answer.get("choices", {}).items()
        if ".." not in group and "hydra" not in group
        for name in answer["options"].get(group.partition("@")[0], [])
        if name != used
    ]
    for row, answer in zip([*rows, *more], [*answers, *ask(checkout, python, more)], strict=True):
        shown = Path(row["folder"]).relative_to(checkout).as_posix()
        title = " ".join([f"{shown}/{row['name']}.yaml", *row["words"]])
        ours = _ours(row)
        if "error" in answer:
            yield title, "refused by both" if ours is None else "refused by Hydra", answer["error"]
        elif ours is None:
            yield title, "not followed", ""
        else:
            where = _difference(answer["tree"], ours, "")
            yield title, "differs" if where else "same", where


def scripts(
    folder: Path, release: str, checkout: Path, python: str
) -> Iterator[tuple[str, str, str]]:
    """Each script that Hydra accepts, the verdict, and the first key that differs."""
    rows, names = [], []
    for path in sorted(folder.glob("*.sh")):
        text = path.read_text(encoding="utf-8").replace("\\\n", " ")
        _, _, module, *words = shlex.split(text, comments=True)
        row = row_of(module, words, checkout)
        if row is not None:
            rows.append(row)
            names.append(path)
    framework = load_framework("verl")
    target = build_environment(framework.releases, pins=[f"verl=={release}"])
    for path, answer in zip(names, ask(checkout, python, rows), strict=True):
        if "error" in answer:
            continue
        document = framework.parsing.language.read(SourceText(path.read_text(encoding="utf-8")))
        found = resolve(document, framework, target)
        theirs = answer["tree"]
        for key, value in answer["resolved"].items():
            *sections, name = key.split(".")
            here = theirs
            for section in sections:
                here = here[section]
            here[name] = value
        unknown = {".".join(map(str, one.path)) for one in found.undecided}
        where = _difference(theirs, found.data, "")
        left = where.partition(":")[0].lstrip(".")
        if left in unknown and left not in answer["resolved"]:
            yield path.name, "not known to both", ""
        else:
            yield path.name, "differs" if where else "same", where


def _ours(row: dict[str, Any]) -> dict[str, Any] | None:
    folder = Path(row["folder"])
    around = Surroundings(Memory(), Disk(), folder=str(folder.parent))
    chosen = dict(word.split("=", 1) for word in row["words"])
    config = Config("", folder=folder.name, file=row["name"])
    found = own_config(config, "", around, chosen, lambda _name: None)
    return found.tree if found is not None and not found.unused else None


def _difference(theirs: Any, ours: Any, path: str) -> str:
    """The first key at which two trees differ; empty without one."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in {**theirs, **ours}:
            if key not in theirs or str(key) not in ours:
                return f"{path}.{key}: only one has it"
            found = _difference(theirs[key], ours[str(key)], f"{path}.{key}")
            if found:
                return found
        return ""
    same = theirs == ours and type(theirs) is type(ours)
    return "" if same else f"{path}: {theirs!r}, {ours!r}"


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", type=Path, nargs="+")
    parser.add_argument("--python", required=True)
    parser.add_argument("--scripts", type=Path)
    parser.add_argument("--release")
    given = parser.parse_args(arguments)
    counts: dict[str, int] = {}
    for checkout in given.checkouts:
        place = checkout.resolve()
        rows = (
            scripts(given.scripts, given.release, place, given.python)
            if given.scripts
            else compared(place, given.python)
        )
        for title, verdict, why in rows:
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict not in ("same", "refused by both"):
                print(f"{checkout.name}: {title}: {verdict} {why[:200]}")
    print(counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
