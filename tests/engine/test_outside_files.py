"""A check opens and lists nothing outside of the project, whatever a file of it names."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from cfglint.engine.files_together.discovery import discover
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options, RunError
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.source.files.base import FolderEntry
from cfglint.source.files.disk import Disk
from tests.cli.running import run
from tools.campaigns.hostile_repository import FILES, lay_out

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs links")

CHECKED = [
    name
    for name in FILES
    if name.endswith((".yml", ".yaml", ".sh", ".py", ".ipynb", "dataset_info.json"))
]


class Watched(Disk):
    """The disk, which remembers what was opened and listed by the paths that the links lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def read(self, path: str, limit: int, *, pipes: bool = False) -> bytes:
        data = super().read(path, limit, pipes=pipes)
        self.seen.add(os.path.realpath(path))
        return data

    def names(self, folder: str) -> list[str]:
        names = super().names(folder)
        self.seen.add(os.path.realpath(folder))
        return names

    def entries(self, folder: str) -> list[FolderEntry]:
        entries = super().entries(folder)
        self.seen.add(os.path.realpath(folder))
        return entries


@pytest.mark.parametrize("in_git", [True, False])
def test_every_file_of_a_hostile_repository(
    in_git: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = lay_out(tmp_path, in_git=in_git)
    monkeypatch.chdir(repository)
    files = Watched()
    runner = Runner(Options(diff=True, unsafe_fixes=True), SettingsFinder(files=files))
    for name in CHECKED:
        with contextlib.suppress(RunError):
            runner.check_file(name, named=True)
    assert "train.yml" in [one.path for one in discover(["."], lambda _: False, pytest.fail, files)]
    assert str(repository / "ppo.sh") in files.seen
    assert {path for path in files.seen if path.startswith(str(tmp_path / "outside"))} == set()


PPO = "python3 -m verl.trainer.main_ppo --config-path=config --config-name=own a.b=2 a.nothing=1"


@pytest.mark.parametrize(
    ("target", "findings"),
    [
        # Where the parent is known, what it lacks is, too.
        ("../more/base.yaml", 1),
        ("chain.yaml", 1),
        ("../../outside/base.yaml", 0),
        ("out.yaml", 0),
    ],
)
def test_a_link_to_a_parent_of_a_config(
    target: str, findings: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "repository"
    for folder in (repository / ".git", repository / "config", repository / "more"):
        folder.mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    for place in (tmp_path / "outside", repository / "more"):
        (place / "base.yaml").write_text("a: {b: 1}\n")
    (repository / "config/own.yaml").write_text("defaults:\n  - parent\n  - _self_\nc: 1\n")
    (repository / "config/chain.yaml").symlink_to("../more/base.yaml")
    (repository / "config/out.yaml").symlink_to("../../outside/base.yaml")
    (repository / "config/parent.yaml").symlink_to(target)
    (repository / "run.sh").write_text(PPO + "\n")
    monkeypatch.chdir(repository)
    result = run("run.sh", "--target", "verl==0.7.0", "--format", "concise")
    assert result.out.count("Hydra refuses the command") == findings, result
