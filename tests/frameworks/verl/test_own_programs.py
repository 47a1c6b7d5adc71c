"""Programs of a project that are given verl's keys: what their `hydra.main` names is the config."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from tests.cli.running import run

OWN = """\
data: {train_batch_size: 8}
agent: {turns: 3}
actor_rollout_ref:
  model: {path: m}
  rollout: {n: 1, own_setting: 2}
"""
MAIN = '@hydra.main(config_path="{folder}", config_name="agent", version_base=None)\ndef main(config): ...\n'
WORDS = "actor_rollout_ref.model.path=x actor_rollout_ref.rollout.own_setting=4 agent.turns=5"


def linted(root: Path, start: str, files: dict[str, str]) -> list[tuple[str, str]]:
    """(code, path) of the findings about a script of a project."""
    (root / ".git").mkdir(exist_ok=True)
    for name, text in {**files, "scripts/run.sh": f"{start}\n"}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = lint_file(root / "scripts" / "run.sh").diagnostics
    return [(one.code, ".".join(map(str, one.path))) for one in found]


@pytest.mark.parametrize(
    ("program", "place", "written", "folder"),
    [
        ("-m mine.trainer.train_agent", "mine/trainer/train_agent.py", "config", "mine/trainer/config"),
        ("-m mine.train", "mine/train.py", "../configs", "configs"),
        ("-m mine.train", "mine/train.py", "pkg://mine.config", "mine/config"),
        ("train.py", "train.py", "config", "config"),
        ("-m verl.trainer.main_agent", "verl/trainer/main_agent.py", "config", "verl/trainer/config"),
    ],
)  # fmt: skip
def test_its_own_config_has_the_keys(
    tmp_path: Path, program: str, place: str, written: str, folder: str
) -> None:
    files = {place: MAIN.format(folder=written), f"{folder}/agent.yaml": OWN}
    start = f"python3 {program} {WORDS} agent.turn=4 +data.train_batch_size=4"
    assert linted(tmp_path, start, files) == [
        ("VRL018", "agent.turn"),
        ("VRL004", "data.train_batch_size"),
    ]


def test_a_section_of_another_name_is_one_finding(tmp_path: Path) -> None:
    files = {
        "mine/train.py": MAIN.format(folder="config"),
        "mine/config/agent.yaml": OWN + "\nplayer: {turns: 1, seed: 2, task: a}\n",
    }
    names = ("mate.turns=1", "mate.seed=3", "mate.inner.size=4")
    start = f"python3 -m mine.train {WORDS} {' '.join(names)}"
    assert linted(tmp_path, start, files) == [("VRL018", "mate.turns")]
    said = run("--format", "concise", str(tmp_path / "scripts" / "run.sh")).out
    assert "`mate` is not in" in said
    assert "3 words name keys below it. Did you mean `player`?" in said
    # One alone is called by its own name, and so are those whose section is there.
    assert linted(tmp_path, f"python3 -m mine.train {WORDS} {names[0]}", files) == [
        ("VRL018", "mate.turns")
    ]
    start = f"python3 -m mine.train {WORDS} player.a=1 player.b=2"
    assert linted(tmp_path, start, files) == [("VRL018", "player.a"), ("VRL018", "player.b")]


def test_the_command_may_name_another_config(tmp_path: Path) -> None:
    files = {
        "mine/train.py": MAIN.format(folder="config"),
        "mine/config/other.yaml": OWN.replace("turns", "steps"),
    }
    start = f"python3 -m mine.train --config-name=other {WORDS}"
    assert linted(tmp_path, start, files) == [("VRL018", "agent.turns")]


@pytest.mark.parametrize(
    "main", ["", MAIN.format(folder="config") * 2, "@hydra.main(config_path=HERE)\n"]
)
def test_nothing_is_said_of_keys_without_a_config(tmp_path: Path, main: str) -> None:
    files = {"mine/train.py": main, "mine/config/agent.yaml": OWN}
    assert linted(tmp_path, f"python3 -m mine.train {WORDS} agent.turn=4", files) == []


def test_other_programs_are_not_taken_for_one(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a config"):
        linted(tmp_path, "python3 -m mine.train agent.turns=1 model.path=x data.a.b=4", {})


def test_a_program_with_options_of_its_own_reads_its_words_itself(tmp_path: Path) -> None:
    start = f"python3 tools/change.py --file a.yaml --words {WORDS} agent.turn=4"
    assert linted(tmp_path, start, {"tools/change.py": "import argparse\n"}) == []
