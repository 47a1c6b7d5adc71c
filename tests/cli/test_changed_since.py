"""`--changed-since`: git says what a commit has, and nothing that a repository configures is run."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.files import CLEAN, MISSPELT
from tests.cli.running import run

GIT = shutil.which("git")
pytestmark = pytest.mark.skipif(GIT is None, reason="needs git")
PAIR = CLEAN + "deepspeed: ds.json\n"


def git(*arguments: str) -> None:
    assert GIT is not None
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run([GIT, *identity, *arguments], check=True, capture_output=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    git("init", "-q", "-b", "main")
    for name in ("old.yml", "new.yml"):
        Path(name).write_text(MISSPELT, encoding="utf-8", newline="\n")
    git("add", "-A")
    git("commit", "-qm", "one")
    return work


def told(*arguments: str) -> set[str]:
    result = run(*arguments, "--format", "concise", "--isolated")
    assert result.err == ""
    return {line.partition(":")[0].removeprefix("./") for line in result.out.splitlines()}


def test_only_changed_files_are_reported() -> None:
    assert told(".") == {"old.yml", "new.yml"}
    assert told(".", "--changed-since", "HEAD") == set()
    Path("new.yml").write_text("# changed\n" + MISSPELT, encoding="utf-8")
    Path("added.yml").write_text(MISSPELT, encoding="utf-8")
    assert told(".", "--changed-since", "HEAD") == {"new.yml", "added.yml"}
    git("add", "-A")
    git("commit", "-qm", "two")
    assert told(".", "--changed-since", "HEAD") == set()
    assert told("old.yml", "new.yml", "--changed-since", "HEAD~1") == {"new.yml"}


def test_line_ends_of_the_checkout_are_no_change() -> None:
    Path("new.yml").write_bytes(MISSPELT.replace("\n", "\r\n").encode())
    assert told(".", "--changed-since", "HEAD") == set()


def test_what_both_branches_have_in_common_counts() -> None:
    git("switch", "-qc", "mine")
    git("switch", "-q", "main")
    Path("old.yml").write_text("# theirs\n" + MISSPELT, encoding="utf-8")
    git("commit", "-qam", "theirs")
    git("switch", "-q", "mine")
    assert told(".", "--changed-since", "main") == set()


def test_a_config_is_reported_when_the_file_that_it_names_has_changed() -> None:
    Path("old.yml").write_text(PAIR, encoding="utf-8")
    Path("ds.json").write_text('{"gradient_accumulation_steps": 7}', encoding="utf-8")
    git("add", "-A")
    git("commit", "-qm", "pair")
    Path("ds.json").write_text('{"gradient_accumulation_steps": 8}', encoding="utf-8")
    result = run(".", "--changed-since", "HEAD")
    assert "old.yml (Axolotl) names ds.json" in result.out
    assert "new.yml" not in result.out


def test_what_is_not_reported_is_not_fixed() -> None:
    Path("new.yml").write_text("# changed\n" + MISSPELT, encoding="utf-8")
    assert run(".", "--changed-since", "HEAD", "--fix", "--isolated").code == 0
    assert "output_dir:" in Path("new.yml").read_text(encoding="utf-8")
    assert Path("old.yml").read_text(encoding="utf-8") == MISSPELT
    assert "old.yml" not in run(".", "--changed-since", "HEAD", "--diff", "--isolated").out


def test_a_folder_below_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("sub").mkdir()
    Path("sub/x.yml").write_text(MISSPELT, encoding="utf-8", newline="\n")
    git("add", "-A")
    git("commit", "-qm", "sub")
    monkeypatch.chdir("sub")
    assert told(".", "--changed-since", "HEAD") == set()
    assert told("../old.yml", "x.yml", "--changed-since", "HEAD~1") == {"x.yml"}


@pytest.mark.parametrize(
    "revision", ["nope", "-h", "--output=pwned", "HEAD; touch pwned", "$(touch pwned)", "a\nb", " "]
)
def test_a_hostile_revision_is_none(revision: str, folder: Path) -> None:
    result = run(".", f"--changed-since={revision}")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("cfglint: --changed-since")
    assert result.err.count("\n") == 1
    assert not (folder / "pwned").exists()


def test_outside_of_a_repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    result = run("work", "--changed-since", "HEAD")
    assert (result.code, result.err) == (
        2,
        "cfglint: --changed-since: not inside a git work tree\n",
    )


def test_without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    result = run(".", "--changed-since", "HEAD")
    assert result.code == 2
    assert "--changed-since needs git" in result.err


@pytest.mark.skipif(os.name == "nt", reason="the traps are shell scripts")
def test_nothing_that_the_repository_configures_is_run(folder: Path) -> None:
    trap = folder.parent / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{folder.parent}/pwned'\ncat\n", encoding="utf-8")
    trap.chmod(0o755)
    for name in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "gpg.program",
        "credential.helper",
        "alias.rev-parse",
        "alias.ls-tree",
    ):
        git("config", name, f"!{trap}" if name.startswith("alias") else str(trap))
    for name in ("log.showSignature", "core.untrackedCache"):
        git("config", name, "true")
    git("config", "remote.origin.url", f"ext::{trap}")
    git("config", "remote.origin.promisor", "true")
    hooks = folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-commit"):
        shutil.copy(trap, hooks / name)
    Path(".gitattributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
    Path("new.yml").write_text("# changed\n" + MISSPELT, encoding="utf-8")
    # The traps work: git itself walks into them.
    subprocess.run([str(GIT), "status"], capture_output=True, check=False)
    assert (folder.parent / "pwned").exists()
    (folder.parent / "pwned").unlink()
    assert told(".", "--changed-since", "HEAD") == {"new.yml"}
    # Not even for what the clone lacks.
    subprocess.run("rm -rf .git/objects/??/*", shell=True, check=True)
    assert run(".", "--changed-since", "HEAD").code == 2
    assert not (folder.parent / "pwned").exists()


def test_nothing_to_report_is_not_nothing_there() -> None:
    result = run(".", "--changed-since", "HEAD")
    assert (result.code, result.out) == (0, "No training configs differ from HEAD.\n")
