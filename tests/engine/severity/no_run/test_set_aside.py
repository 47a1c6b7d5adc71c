"""What is found in programs that nothing starts, and that show that no run is meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = 'from trl import SFTConfig\nargs = SFTConfig(output_dir="out", max_seq_length=1024)\n'


def severities(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """Path -> severity of the finding in it."""
    (folder / ".git").mkdir()
    for name, text in {"requirements.txt": "trl==1.9.0\n", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = run("--format", "json", str(folder))
    return {
        str(Path(file["path"]).relative_to(folder)): one["severity"]
        for file in json.loads(done.out)["files"]
        for one in file["diagnostics"]
    }


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {
                "train.py": PROGRAM,
                "first/train.py": PROGRAM + "a = 1\n",
                "jobs/a.sh": "python train.py --x 1\n",
            },
            {"train.py": "error", "first/train.py": "note"},
        ),
        (
            {
                "train.py": PROGRAM,
                "first/train.py": PROGRAM + "a = 1\n",
                "a.sh": "cd first\npython train.py\n",
            },
            {"train.py": "error", "first/train.py": "error"},
        ),
        ({"play.py": PROGRAM}, {"play.py": "note"}),
        # A vocabulary names nothing; a page that is not read may.
        ({"play.py": PROGRAM, "vocab.json": " " * 1_000_001}, {"play.py": "note"}),
        ({"play.py": PROGRAM, "page.md": " " * 1_000_001}, {"play.py": "error"}),
        ({"play.py": PROGRAM, "a.sh": "python play.py\n"}, {"play.py": "error"}),
        ({"player.py": PROGRAM}, {"player.py": "error"}),
    ],
)
def test_programs(files: dict[str, str], expected: dict[str, str], tmp_path: Path) -> None:
    assert severities(tmp_path, files) == expected


@pytest.mark.parametrize(
    ("name", "later", "page", "severity"),
    [
        ("train.py", "train2.py", "python train2.py --x 1", "note"),
        ("train_v1.py", "train_v3.py", "`train_v3.py` trains.", "note"),
        # Nothing starts the later one, both are started, and names that are no versions of it.
        ("train.py", "train2.py", "python other.py", "error"),
        ("train.py", "train2.py", "python train.py; python train2.py", "error"),
        ("train3.py", "train2.py", "python train2.py", "error"),
        ("train.py", "train_dpo.py", "python train_dpo.py", "error"),
    ],
)
def test_a_program_of_which_a_later_version_is_started(
    name: str, later: str, page: str, severity: str, tmp_path: Path
) -> None:
    files = {name: PROGRAM, later: PROGRAM + "a = 1\n", "README.md": page}
    assert severities(tmp_path, files)[name] == severity
