"""Which files are changed although nobody named them: those that a search of the project finds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.running import run

YAML = "training:\n  learning_rte: 1.0e-4\n"
needs_links = pytest.mark.skipif(os.name == "nt", reason="needs links")


def fixed(folder: Path, written: str, *words: str, real: Path | None = None) -> bool:
    """Whether `--fix` of a program in `folder` changes the file that it loads from the path that is written.

    Args:
        real: where the file is, if not there.
    """
    path = real or Path(os.path.normpath(folder / written))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(YAML)
    program = folder / "train.py"
    program.write_text(
        "import yaml\nfrom trl import SFTConfig\n"
        f"cfg = yaml.safe_load(open({written!r}))\nSFTConfig(output_dir='o', **cfg['training'])\n"
    )
    before = run(str(program), "--diff", *words).out
    run(str(program), "--fix", *words)
    is_changed = path.read_text() != YAML
    assert ("+  learning_rate" in before) == is_changed
    return is_changed


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "apart/repository"
    (folder / ".git").mkdir(parents=True)
    (folder / "scripts").mkdir()
    return folder


@pytest.mark.parametrize("written", ["a.yml", "inner/a.yml", "../conf/a.yml"])
def test_a_file_of_the_repository(repository: Path, written: str) -> None:
    assert fixed(repository / "scripts", written)


@pytest.mark.parametrize(
    "written",
    [
        *("../../a.yml", "../.git/a.yml", "../.github/workflows/a.yml", "../.venv/lib/a.yml"),
        *("../node_modules/a.yml", "../venv/a.yml", "../a.config"),
    ],
)
def test_a_file_that_no_search_finds(repository: Path, written: str) -> None:
    assert not fixed(repository / "scripts", written)


def test_a_file_of_another_repository_in_it(repository: Path) -> None:
    (repository / "other/.git").mkdir(parents=True)
    assert not fixed(repository / "scripts", "../other/a.yml")


def test_a_file_that_git_ignores(repository: Path) -> None:
    (repository / ".gitignore").write_text("local.yml\nout/\n")
    assert not fixed(repository / "scripts", "../conf/local.yml")
    assert not fixed(repository / "scripts", "../out/a.yml")
    assert fixed(repository / "scripts", "../conf/a.yml")


def test_a_file_that_is_excluded(repository: Path) -> None:
    (repository / "cfglint.toml").write_text("exclude = ['kept/']\n")
    assert not fixed(repository / "scripts", "../kept/a.yml")
    assert fixed(repository / "scripts", "../conf/a.yml")


def test_an_excluding_option(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    assert not fixed(repository / "scripts", "../conf/a.yml", "--exclude", "conf/")


def test_a_file_that_is_named_as_well(repository: Path) -> None:
    (repository / ".gitignore").write_text("local.yml\n")
    named = str(repository / "conf/local.yml")
    assert fixed(repository / "scripts", "../conf/local.yml", named)


@needs_links
@pytest.mark.parametrize("target", ["../a.yml", ".venv/a.yml"])
def test_a_link_to_such_a_file(repository: Path, target: str) -> None:
    (repository / "link.yml").symlink_to(target)
    real = Path(os.path.normpath(repository / target))
    assert not fixed(repository / "scripts", "../link.yml", real=real)


def test_without_a_repository_only_the_folder_of_the_program(tmp_path: Path) -> None:
    folder = tmp_path / "a/b/c"
    folder.mkdir(parents=True)
    assert not fixed(folder, "../a.yml")
    assert not fixed(folder, "../../a.yml")
    assert fixed(folder, "inner/a.yml")
