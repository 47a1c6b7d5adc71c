"""The configs of a release, composed by Hydra, and the programs that read them."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any, Final

from cfglint.base.record import Record

#: The configs of the programs, each a kind of its own; the first one is that of most runs.
CONFIGS: Final = (
    *("ppo_trainer", "ppo_megatron_trainer", "sft_trainer", "sft_trainer_engine", "generation"),
    *("evaluation", "dapo_trainer", "dapo_megatron_trainer", "entropy_trainer", "prime_trainer"),
    *("spin_trainer", "sppo_trainer", "one_step_off_ppo_trainer"),
    *("one_step_off_ppo_megatron_trainer", "fully_async_ppo_trainer"),
    "fully_async_ppo_megatron_trainer",
)
#: The group that decides what several others are, and a choice of it.
_DECIDING, _CHOICE = "model_engine", "megatron"
_COMPOSING = Path(__file__).with_name("composing.py")
_MAIN = re.compile(r"@hydra\.main\(config_path=[\"']config[\"'], config_name=[\"'](\w+)[\"']")


class Composed(Record):
    """A config as a release ships it."""

    tree: dict[str, Any]
    #: Group -> what is chosen from it.
    choices: dict[str, str]
    #: Group -> the configs in its folder.
    options: dict[str, list[str]]
    #: The group that a choice is made from -> the sections that it fills, and what is chosen.
    groups: dict[str, tuple[tuple[str, ...], str]]


def composed(checkout: Path, python: str) -> dict[str, Composed]:
    """The configs of a checkout by name.

    Raises:
        subprocess.CalledProcessError: Hydra cannot be started.
    """
    found = {name: folder for name in CONFIGS if (folder := place_of(checkout, name)) is not None}
    rows = [{"folder": str(folder), "name": name, "words": []} for name, folder in found.items()]
    plain = dict(zip(found, ask(checkout, python, rows), strict=True))
    deciding = [row for row in rows if _DECIDING in plain[str(row["name"])].get("choices", ())]
    chosen = [{**row, "words": [f"{_DECIDING}={_CHOICE}"]} for row in deciding]
    other = {
        row["name"]: one for row, one in zip(chosen, ask(checkout, python, chosen), strict=True)
    }
    made: dict[str, Composed] = {}
    for name, one in plain.items():
        if "error" in one:
            raise ValueError(f"{checkout}: {name}: {one['error']}")
        filled = _groups(one["choices"], other.get(name, {}).get("choices", {}))
        groups = {group: (sections, one["choices"][group]) for group, sections in filled.items()}
        outer = {group: one["choices"][group] for group in filled}
        made[name] = Composed(one["tree"], outer, one["options"], groups)
    return made


def ask(
    checkout: Path, python: str, rows: list[dict[str, Any]], *options: str
) -> list[dict[str, Any]]:
    """What Hydra makes of rows of a folder, a name, and words.

    Args:
        options: `--verdicts` for whether it refuses them, and no more.
    """
    done = subprocess.run(
        [python, str(_COMPOSING), *options],
        input=json.dumps(rows),
        capture_output=True,
        check=True,
        text=True,
        cwd=checkout,
    )
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


def programs(checkout: Path) -> dict[str, str]:
    """Module -> the name of the config that it reads, of those in `CONFIGS`."""
    found: dict[str, str] = {}
    for top in ("verl", "recipe"):
        for path in sorted(checkout.glob(f"{top}/**/*.py")):
            match = _MAIN.search(path.read_text(encoding="utf-8"))
            relative = path.relative_to(checkout).with_suffix("")
            if match is not None and place_of(checkout, match[1]) == path.parent / "config":
                found[".".join(relative.parts)] = match[1]
    return {module: name for module, name in found.items() if name in CONFIGS}


def place_of(checkout: Path, name: str) -> Path | None:
    """The folder of a config: that of the trainers first."""
    own = checkout / "verl" / "trainer" / "config"
    if (own / f"{name}.yaml").is_file():
        return own
    places = sorted(
        path.parent
        for top in ("recipe", "verl")
        for path in checkout.glob(f"{top}/**/config/{name}.yaml")
    )
    return places[0] if places else None


def _groups(choices: dict[str, str], others: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """The groups that words choose from, with the sections that they fill.

    Args:
        others: what the groups are with another choice of the one that decides about several.
    """
    outer = [name for name in choices if not _is_inner(name)]
    groups: dict[str, tuple[str, ...]] = {name: (_package(name),) for name in outer}
    if _DECIDING in groups:
        changed = [name for name in outer if others.get(name, choices[name]) != choices[name]]
        groups[_DECIDING] = tuple(sorted({_package(name) for name in changed} - {_DECIDING}))
    return groups


def _is_inner(name: str) -> bool:
    return "hydra" in name or ".." in name


def _package(name: str) -> str:
    return name.rpartition("@")[2].replace("/", ".")
