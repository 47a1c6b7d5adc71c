"""Which texts of a project name a file: not a drawing of folders, nor a page about programs that are not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

DEEPSPEED = '{"zero_optimization": {"stage": 2, "overlap_com": true}, "train_batch_size": 8}\n'
START = "accelerate launch train.py\n"


def first_finding(folder: Path, **files: str) -> tuple[str, str]:
    """Severity and message of what is found in `ds.json`; `run_dot_sh` is the file `run.sh`."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in {"ds_dot_json": DEEPSPEED, **files}.items():
        (folder / name.replace("_dot_", ".")).write_text(text)
    (file,) = json.loads(run("--format", "json", str(folder)).out)["files"]
    assert file["path"].endswith("ds.json")
    found = file["diagnostics"][0]
    return found["severity"], found["message"]


PAGE = "Write `ds.json`:\n\n```bash\ndeepspeed gone.py \\\n    --deepspeed ds.json\n```\n"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (PAGE, "note"),
        # The program is there, any may be meant, or it is that of another repository.
        (PAGE.replace("gone.py", "train.py"), "error"),
        (PAGE.replace("gone.py", "$PROGRAM"), "error"),
        (PAGE.replace("gone.py", "-m some.module"), "error"),
        (PAGE.replace("gone.py", "src/$NAME.py"), "error"),
        (PAGE.replace("gone.py", "src/train_bash.py"), "error"),
        (f"`git clone https://x/y`\n{PAGE}", "error"),
    ],
)
def test_a_page_whose_programs_are_missing_names_nothing(
    tmp_path: Path, page: str, expected: str
) -> None:
    severity, _ = first_finding(tmp_path, GUIDE_dot_md=page, train_dot_py="", run_dot_sh=START)
    assert severity == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("x/\n├─ ds.json\n│  └── other.py\n", "note"),
        ("```\n|-- ds.json\n`-- train.py\n```\n", "note"),
        ("| `--deepspeed ds.json` | for more GPUs |\n", "error"),
        ("├─ ds.json\n\nTake `ds.json` for more GPUs.\n", "error"),
    ],
)
def test_a_drawing_of_the_folders_says_of_no_file_that_it_is_used(
    tmp_path: Path, page: str, expected: str
) -> None:
    severity, message = first_finding(tmp_path, README_dot_md=page, run_dot_sh=START)
    assert severity == expected
    assert ("except for a list" in message) == (expected == "note")
