"""docs/formats.md: its commands run, and its table has all formats."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from cfglint.cli.options import FORMATS
from tests.cli.files import MISSPELT
from tests.cli.running import run
from tests.report import official

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S)
GITLAB_JOB = next(text for _, text in BLOCKS if text.startswith("cfglint:"))


def test_the_table_has_all_formats() -> None:
    assert tuple(re.findall(r"^\| `(\w+)` \|", PAGE, re.M)) == FORMATS


@pytest.mark.parametrize(
    "command",
    [
        *(text.strip() for language, text in BLOCKS if language == "sh"),
        *(
            line
            for line in yaml.safe_load(GITLAB_JOB)["cfglint"]["script"]
            if line.startswith("cfglint")
        ),
    ],
)
def test_the_commands_write_valid_reports(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.yml").write_text(MISSPELT, encoding="utf-8")
    words = shlex.split(command)
    result = run(*words[1:])
    assert (result.code, result.err) == (1, "")
    reports = [word.split(":") for word in words if ":" in word]
    assert reports
    for format_, path in reports:
        getattr(official, format_)(Path(path).read_text(encoding="utf-8"))


def test_the_job_hands_over_what_it_writes() -> None:
    job = yaml.safe_load(GITLAB_JOB)["cfglint"]
    assert job["artifacts"]["reports"]["codequality"] in job["script"][-1]


def test_the_actions_input_is_there() -> None:
    (text,) = [text for _, text in BLOCKS if "upload-sarif" in text]
    ours, theirs = yaml.safe_load(text)
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert set(ours["with"]) <= set(action["inputs"])
    assert ours["with"]["sarif-file"] == theirs["with"]["sarif_file"]
