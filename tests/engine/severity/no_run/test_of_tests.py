"""What is found in programs that are tests by their names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = 'from trl import SFTConfig\nargs = SFTConfig(output_dir="out", max_seq_length=1024)\n'


def severities(folder: Path, name: str, files: dict[str, str], *paths: str) -> list[str]:
    """The severities of the findings in a program."""
    (folder / ".git").mkdir()
    for one, text in {name: PROGRAM, "requirements.txt": "trl==1.9.0\n", **files}.items():
        path = folder / one
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = run("--format", "json", *(str(folder / path) for path in paths or (".",)))
    found = [one for file in json.loads(done.out)["files"] for one in file["diagnostics"]]
    for one in found:
        assert ("says that this is a test" in one["message"]) == (one["severity"] == "note")
    return [one["severity"] for one in found]


@pytest.mark.parametrize("name", ["test_sft.py", "sft_test.py", "tests/sft.py"])
def test_a_test_that_nothing_starts(tmp_path: Path, name: str) -> None:
    assert severities(tmp_path, name, {"README.md": "- `test_sft.py`: a probe\n"}) == ["note"]


@pytest.mark.parametrize(
    ("name", "files", "paths"),
    [
        ("test_sft.py", {}, ("test_sft.py",)),
        ("test_sft.py", {"run.sh": "python test_sft.py --lr 1\n"}, ()),
        ("test_sft.py", {"README.md": "Start `python test_sft.py`.\n"}, ()),
        ("test_sft.py", {"train.py": "import test_sft\n"}, ()),
        ("test.py", {}, ()),
        ("latest.py", {}, ()),
    ],
)
def test_a_program_that_is_run(
    tmp_path: Path, name: str, files: dict[str, str], paths: tuple[str, ...]
) -> None:
    assert severities(tmp_path, name, files, *paths) == ["error"]
