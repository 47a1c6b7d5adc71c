"""The README shows what the command really prints, and its commands are the ones CI runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_first_screen_is_the_real_output() -> None:
    command, _, shown = README.partition("```console\n$ cfglint ")[2].partition("\n")
    run = subprocess.run(
        [sys.executable, "-m", "cfglint", *command.split(), "--isolated"],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 1
    assert shown.partition("\n```")[0] == run.stdout.rstrip("\n")


def test_no_text_recommends_the_unrelated_project() -> None:
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "action.yml"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"pip install (-\S+ )*cfglint(?!-llm)\b", text), path


def test_test_command_is_the_one_that_ci_runs() -> None:
    (command,) = re.findall(r"^python3 -m venv .*&& (\.venv/bin/pip install -e .*)$", README, re.M)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "pip install -e '.[dev]'" in command
    assert "pip install -e '.[dev]'" in script.replace('"', "'")
