"""The files of a project that may start something."""

from __future__ import annotations

from pathlib import Path

from cfglint.environment.project.finder import Finder
from cfglint.environment.project.starting_files import starting_files
from cfglint.source.files.disk import Disk

STARTS = "import subprocess\nsubprocess.run(['x'])\n"


def found(folder: Path, script: str | None = None) -> list[str]:
    only = None if script is None else str(folder / script)
    paths = starting_files(Finder(Disk(), only), str(folder))
    return [Path(path).name for path in paths]


def test_scripts_and_programs_that_start_others(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "tools").mkdir()
    for name in ("run.sh", "README.md", "train.py"):
        (tmp_path / name).write_text("x = 1\n")
    (tmp_path / "tools" / "go.py").write_text(STARTS)
    assert found(tmp_path) == ["README.md", "run.sh", "go.py"]
    assert found(tmp_path, "run.sh") == ["run.sh"]
