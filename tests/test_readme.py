"""The README shows what the command really prints, and its commands are the ones CI runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run as run_command
from tests.draws import drawn, product

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
_WHAT_IT_DOES = README.partition("## What it does\n\n```sh\n")[2].partition("```")[0]


def _first_screen(folder: Path) -> tuple[str, subprocess.CompletedProcess[str]]:
    """What the README shows, and what the command prints in a folder."""
    command, _, shown = README.partition("```console\n$ cfglint ")[2].partition("\n")
    run = subprocess.run(
        [sys.executable, "-m", "cfglint", *command.split()],
        cwd=folder,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 1
    return shown.partition("\n```")[0], run


def test_first_screen_is_the_real_output(tmp_path: Path) -> None:
    # In a repository of its own, so that nothing around this checkout has a part in it.
    (tmp_path / ".git").mkdir()
    shutil.copytree(ROOT / "docs" / "examples" / "run", tmp_path / "docs" / "examples" / "run")
    shown, run = _first_screen(tmp_path)
    assert shown == run.stdout.rstrip("\n")


def test_it_is_the_same_in_a_clone() -> None:
    """The pages of this project, which are about frameworks and their forks, change nothing."""
    shown, run = _first_screen(ROOT)
    assert shown == run.stdout.rstrip("\n")


def test_number_of_rules_is_not_exaggerated() -> None:
    (claimed,) = re.findall(r"^More than (\d+) rules", README, re.M)
    assert int(claimed) < len(json.loads(run_command("rules", "--format", "json").out))


def test_no_text_recommends_the_unrelated_project() -> None:
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "action.yml"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"pip install (-\S+ )*cfglint(?!-llm)\b", text), path


def test_test_command_is_the_one_that_ci_runs() -> None:
    (command,) = re.findall(r"^python3 -m venv .*&& (\.venv/bin/pip install -e .*)$", README, re.M)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "pip install -e '.[dev]'" in command
    assert "pip install -e '.[dev]'" in script.replace('"', "'")


@product
@pytest.mark.skipif(os.name == "nt", reason="the commands are written for a shell")
@pytest.mark.parametrize(
    "command",
    drawn(
        re.findall(r"^(?:cat train.yml \| )?cfglint .+?(?= +#|$)", _WHAT_IT_DOES, re.M)
        + re.findall(r"^`(cfglint effective .+?)`", README, re.M),
        8,
    ),
)
def test_commands_run(command: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "docs" / "examples" / "train.yml", tmp_path)
    shutil.copy(ROOT / "docs" / "examples" / "run" / "ds_config.json", tmp_path)
    shutil.copy(ROOT / "docs" / "examples" / "run.log", tmp_path)
    (tmp_path / "sweep.yml").write_text("learning_rate: [1.0e-4, 2.0e-4]\n", encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    # Where the pipeline would run.
    (tmp_path / ".github").mkdir(exist_ok=True)
    command = re.sub(r"\bcfglint (?=\S)", f"{shlex.quote(sys.executable)} -m cfglint ", command)
    run = subprocess.run(
        ["sh", "-c", command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    # 1 where something is found, 2 where the command could not run.
    assert run.returncode in (0, 1), run.stderr
    if "git apply" in command:
        repaired = (tmp_path / "train.yml").read_text(encoding="utf-8")
        assert "warmup_ratio: 0.03" in repaired
    elif "--diff" in command:
        # The summary beside the patch.
        assert run.stdout.startswith("--- a/train.yml\n")
    elif command.endswith(" init"):
        # What a checkout is installed from is not there for a pipeline.
        assert "not proposed: this cfglint was installed from a folder" in run.stderr
        assert run.stdout
    else:
        assert (bool(run.stdout), run.stderr) == (True, "")


def test_the_commands_that_are_tested_are_all() -> None:
    assert len(re.findall(r"^(?:cat train.yml \| )?cfglint ", _WHAT_IT_DOES, re.M)) == len(
        [line for line in _WHAT_IT_DOES.splitlines() if line]
    )
