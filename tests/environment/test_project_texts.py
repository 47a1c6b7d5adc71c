"""The scripts, pages and configs of a project."""

from __future__ import annotations

from pathlib import Path

from cfglint.environment.project_texts import CONFIGS, project_texts
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.source.files.disk import Disk


def test_what_is_read_and_what_is_not(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_bytes(b"a" * 1_000_000)
    (tmp_path / "big.sh").write_bytes(b"a" * 1_000_001)
    (tmp_path / "other.md").write_bytes(b"\xff\xfea")
    (tmp_path / "train.yaml").write_text("a: 1\n")
    (tmp_path / "x.txt").write_text("a")
    around = Surroundings(Memory(), Disk(), "", str(tmp_path))

    def texts(*suffixes: tuple[str, ...]) -> dict[str, int | None]:
        found = project_texts(around, str(tmp_path), *suffixes)
        return {Path(path).name: None if text is None else len(text) for path, text in found}

    assert texts() == {"run.sh": 1_000_000, "big.sh": None, "other.md": None}
    assert texts(CONFIGS) == {"train.yaml": 5}
    # They are read once.
    (tmp_path / "run.sh").write_text("b")
    assert texts()["run.sh"] == 1_000_000
