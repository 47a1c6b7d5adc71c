"""What is found in programs and configs that only scripts out of use start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = 'from trl import SFTConfig\nargs = SFTConfig(output_dir="out", max_seq_length=1024)\n'
RUN = "python first.py --lr 1\n"


def severities(folder: Path, files: dict[str, str], *paths: str) -> list[tuple[str, bool]]:
    """The findings in `first.py`: the severity, and whether the script is named."""
    (folder / ".git").mkdir()
    for name, text in {"first.py": PROGRAM, "requirements.txt": "trl==1.9.0\n", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = run("--format", "json", *(str(folder / path) for path in paths or (".",)))
    return [
        (one["severity"], "out of use names this file (old/run.sh)" in one["message"])
        for file in json.loads(done.out)["files"]
        for one in file["diagnostics"]
    ]


def test_a_program_that_only_a_retired_script_starts(tmp_path: Path) -> None:
    assert severities(tmp_path, {"old/run.sh": RUN}) == [("note", True)]


def test_who_names_the_program_means_it(tmp_path: Path) -> None:
    assert severities(tmp_path, {"old/run.sh": RUN}, "first.py") == [("error", False)]


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"scripts/run.sh": RUN},
        {"old/run.sh": RUN, "run.sh": RUN},
        {"old/run.sh": RUN, "README.md": "Start it with `python first.py`.\n"},
        {"old/run.sh": RUN, "run.sh": "python -m first\n"},
        {"old/run.sh": RUN, "other.py": "import first\n"},
        # Any program may be meant.
        {"old/run.sh": RUN, "run.sh": "python $STAGE.py\n"},
        {"old/notes.py": RUN},
    ],
)
def test_a_program_that_may_be_in_use(tmp_path: Path, files: dict[str, str]) -> None:
    assert severities(tmp_path, files) == [("error", False)]
