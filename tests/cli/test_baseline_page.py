"""docs/baseline.md: its commands run, and its file is one that the command writes."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.files import CLEAN
from tests.cli.running import run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "baseline.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for text in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S)
    for line in text.splitlines()
]
TEXT = CLEAN.replace("    type: alpaca\n", "    type: alpaca\n    shuffel: 1\n  - shuffel: 2\n")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("configs").mkdir()
    Path("configs/train.yml").write_text(TEXT, encoding="utf-8")


def test_the_commands() -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True)
    assert len(COMMANDS) == 3
    for command in COMMANDS:
        result = run(*shlex.split(command, comments=True)[1:])
        assert (result.code, result.err) == (0, ""), command


def test_the_file() -> None:
    run(".", "--write-baseline", "--baseline", "other.json")
    (shown,) = re.findall(r"^```json\n(.*?)^```$", PAGE, re.M | re.S)
    written = Path("other.json").read_text(encoding="utf-8")
    # Other rules have something to say about the second item, too.
    assert '"datasets[].shuffel": 2' in written
    assert shown.splitlines()[:5] == written.splitlines()[:5]
