"""Submodules: frameworks of which a project has the sources at a commit."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.environment.project.projects import Projects
from cfglint.environment.project.readers.submodules import read
from cfglint.knowledge import compiled
from cfglint.report.target import described
from cfglint.source.files.disk import Disk

VERL = "https://github.com/volcengine/verl.git"
UNKNOWN = "0123456789abcdef0123456789abcdef01234567"
MODULES = '[submodule "verl"]\n\tpath = verl\n\turl = {url}\n'
#: Placed between two releases: a commit in the middle of the table.
PLACED = compiled.load("verl_history").COMMITS.split("\n")[-3][13:].ljust(40, "0")
SCRIPT = (
    "python -m verl.trainer.main_ppo actor_rollout_ref.rollout.no_such_thing=1 "
    "data.train_files=a.parquet data.val_files=b.parquet\n"
)


def git(folder: Path, *words: str) -> None:
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", "-C", str(folder), *words], check=True, env=env, capture_output=True)


def project(folder: Path, commit: str, url: str = VERL) -> Path:
    (folder / ".gitmodules").write_text(MODULES.format(url=url))
    git(folder, "init", "-q")
    if commit:
        git(folder, "update-index", "--add", "--cacheinfo", f"160000,{commit},verl")
    script = folder / "train.sh"
    script.write_text(SCRIPT)
    return script


@pytest.mark.parametrize(
    ("url", "commit", "expected"),
    [
        (VERL, UNKNOWN, ("verl", None, UNKNOWN, True, "")),
        (VERL, "", ("verl", None, "", True, "")),
        (VERL, PLACED, ("verl", PLACED, "", False, "")),
        ("https://github.com/someone/verl", UNKNOWN, ("verl", None, "", False, "someone/verl")),
        # A fork at a commit of its framework is as that was.
        ("https://github.com/someone/verl", PLACED, ("verl", PLACED, "", False, "")),
    ],
)
def test_what_is_stated(url: str, commit: str, expected: tuple[object, ...]) -> None:
    (found,) = read(".gitmodules", MODULES.format(url=url), {"verl": commit}.__getitem__)
    assert (found.package, found.commit, found.written, found.is_lost, found.fork) == expected


def test_other_repositories_state_nothing() -> None:
    text = MODULES.format(url="https://github.com/someone/tools") + "[submodule\n" * 3
    assert read(".gitmodules", text, lambda _: "") == []
    assert read(".gitmodules", MODULES.format(url="../verl.git"), lambda _: "") == []


@pytest.mark.parametrize("commit", [UNKNOWN, ""])
def test_a_commit_of_an_unknown_release_refuses_nothing(tmp_path: Path, commit: str) -> None:
    report = lint_file(project(tmp_path, commit))
    pin = report.target.pins["verl"]
    assert pin.is_lost
    assert pin.commit == commit
    assert [one for one in report.diagnostics if one.severity == "error"] == []
    assert "has no known position" in described(report.target)


def test_a_commit_that_is_placed_decides(tmp_path: Path) -> None:
    report = lint_file(project(tmp_path, PLACED))
    assert report.target.placed
    assert f"verl {PLACED[:9]} " in described(report.target)
    assert [one.severity for one in report.diagnostics] == ["error"]


@pytest.mark.parametrize(
    ("requirement", "version", "is_lost"),
    [("verl==0.4.1", "0.4.1", False), ("verl>=0.4", None, False), ("verl", None, True)],
)
def test_a_stated_release_counts_before_an_unknown_commit(
    tmp_path: Path, requirement: str, version: str | None, is_lost: bool
) -> None:
    script = project(tmp_path, UNKNOWN)
    (tmp_path / "requirements.txt").write_text(f"{requirement}\n")
    pin = lint_file(script).target.pins["verl"]
    assert (pin.version, pin.is_lost) == (version, is_lost)


@pytest.mark.parametrize(
    ("name", "commit", "more", "expected"),
    [
        ("verl", PLACED, "", PLACED),
        ("verl", UNKNOWN, "", UNKNOWN),
        # A folder of files, or of another name; or the file says something else.
        ("verl", "", "", None),
        ("other", PLACED, "", None),
        ("verl", PLACED, '[submodule "x"]\n\tpath = x\n\turl = https://github.com/a/x\n', None),
    ],
)
def test_a_commit_without_a_word_of_its_repository(
    tmp_path: Path, name: str, commit: str, more: str, expected: str | None
) -> None:
    git(tmp_path, "init", "-q")
    if commit:
        git(tmp_path, "update-index", "--add", "--cacheinfo", f"160000,{commit},{name}")
    (tmp_path / name).mkdir()
    if more:
        (tmp_path / ".gitmodules").write_text(more)
    script = tmp_path / "train.sh"
    script.write_text(SCRIPT)
    found = Projects(Disk()).for_file(str(script), "verl")
    pin = None if found is None else found.pins.get("verl")
    assert (pin.commit if pin is not None else None) == expected
