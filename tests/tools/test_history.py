"""The table of commits and images, read from a clone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tools.axolotl_release.history import dump, main, read_history

WORKFLOW = """\
jobs:
  build-axolotl:
    strategy:
      matrix:
        include:
          - {cuda: 121, python_version: "3.11", pytorch: 2.3.1}
          - {cuda: 124, python_version: "3.11", pytorch: 2.6.0, is_latest: true}
    steps:
      - with: {images: "axolotlai/axolotl"}
      - run: github.ref_type == 'tag' && matrix.is_latest
"""


def git(folder: Path, *arguments: str, day: str = "2024-02-01") -> str:
    when = f"{day}T12:00:00+00:00"
    done = subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments],
        cwd=folder,
        env={
            "GIT_COMMITTER_DATE": when,
            "GIT_AUTHOR_DATE": when,
            "PATH": "/usr/bin:/bin",
            "HOME": "/",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def clone(folder: Path) -> list[str]:
    """Five commits on main; the second is 0.4.0, a branch from the third is 0.5.0."""
    git(folder, "init", "-q", "-b", "main")
    (folder / ".github" / "workflows").mkdir(parents=True)
    (folder / ".github" / "workflows" / "main.yml").write_text(WORKFLOW)
    commits = []
    for number in range(1, 6):
        (folder / "x").write_text(str(number))
        git(folder, "add", "-A", day=f"2024-02-0{number}")
        git(folder, "commit", "-qm", str(number), day=f"2024-02-0{number}")
        commits.append(git(folder, "rev-parse", "HEAD"))
    git(folder, "tag", "v0.4.0", commits[1])
    git(folder, "checkout", "-q", "-b", "release", commits[2])
    (folder / "x").write_text("release")
    git(folder, "commit", "-qam", "release", day="2024-02-06")
    git(folder, "tag", "v0.5.0")
    git(folder, "tag", "nightly")
    git(folder, "checkout", "-q", "main")
    return commits


def test_history(tmp_path: Path) -> None:
    commits = clone(tmp_path)
    table = read_history(tmp_path, "main", {"0.4.1": "20240204"}, {})
    assert table["commits"] == [
        f"2024020{number}1200 {commits[number - 1][:9]}" for number in range(2, 6)
    ]
    assert list(table["releases"]) == ["0.4.0", "0.4.1", "0.5.0"]
    assert table["releases"]["0.4.1"] == {"commit": "", "base": commits[3][:9]}
    released = table["releases"]["0.5.0"]
    assert released["base"] == commits[2][:9]
    assert released["images"] == {"axolotl": ["3.11", "124", "2.6.0"]}
    assert released["bare"] is True
    assert json.loads(dump({**table, "ended": {"py3.11-cu124-2.6.0": "20240301"}}))["ended"]
    assert json.loads(dump(table)).items() <= table.items()


def test_builds_that_came_to_an_end(tmp_path: Path) -> None:
    commits = clone(tmp_path)
    workflow = tmp_path / ".github" / "workflows" / "main.yml"
    text = workflow.read_text(encoding="utf-8")
    assert "2.6.0" in text
    workflow.write_text(text.replace("2.6.0", "2.7.0"), encoding="utf-8")
    git(tmp_path, "commit", "-qam", "torch 2.7.0", day="2024-03-02")
    ended = read_history(tmp_path, "main", {"0.4.1": "20240204"}, {})["ended"]
    assert len(commits) == 5
    assert ended == {"py3.11-cu124-2.6.0": "20240302"}


def test_command(tmp_path: Path) -> None:
    (tmp_path / "clone").mkdir()
    clone(tmp_path / "clone")
    out = tmp_path / "history.json"
    assert main([str(tmp_path / "clone"), str(out), "--branch", "main"]) == 0
    assert json.loads(out.read_text())["first"] == "0.4.0"
    command = [str(tmp_path / "clone"), str(out), "--branch", "main", "--first", "0.5.0"]
    assert main(command) == 0
    later = json.loads(out.read_text())
    assert (later["first"], list(later["releases"])) == ("0.5.0", ["0.5.0"])


def test_a_release_without_a_tag_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "clone").mkdir()
    clone(tmp_path / "clone")
    out = tmp_path / "history.json"
    command = [str(tmp_path / "clone"), str(out), "--branch", "main"]
    assert main([*command, "--day", "0.4.1=20240204"]) == 0
    first = out.read_bytes()
    assert main(command) == 0
    assert out.read_bytes() == first
    assert "0.4.1" in json.loads(first)["releases"]
    # One that was not tagged then, and is now.
    git(tmp_path / "clone", "tag", "v0.4.1", "main")
    assert main(command) == 0
    assert json.loads(out.read_bytes())["releases"]["0.4.1"]["commit"]
