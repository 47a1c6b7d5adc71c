"""When a file was written at the latest."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cfglint.environment.last_change import last_change
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.source.files.base import Files
from cfglint.source.files.disk import Disk
from cfglint.source.files.memory import InMemory

DAY = "2024-02-03"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "train.yml").write_text("a: 1\n")
    dates = {f"GIT_{who}_DATE": f"{DAY}T12:00:00+0000" for who in ("AUTHOR", "COMMITTER")}
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for command in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "first")):
        subprocess.run(
            ("git", "-C", str(tmp_path), *command), check=True, env={**os.environ, **dates}
        )
    return tmp_path


def day_of(path: Path, files: Files | None = None) -> str | None:
    around = Surroundings(Memory(), files or Disk(), str(path), str(path.parent))
    return last_change(around)


def test_the_day_of_a_tracked_file(repository: Path) -> None:
    assert day_of(repository / "run" / "train.yml") == DAY


def test_there_is_none(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = repository / "run" / "train.yml"
    other = repository / "run" / "new.yml"
    other.write_text("a: 1\n")
    outside = tmp_path_factory.mktemp("outside") / "train.yml"
    outside.write_text("a: 1\n")
    assert day_of(other) is None
    assert day_of(outside) is None
    assert day_of(path, InMemory({str(path): b"a: 1\n"})) is None
    assert last_change(Surroundings(Memory(), Disk(), str(path))) is None
    path.write_text("a: 22\n")
    assert day_of(path) is None
