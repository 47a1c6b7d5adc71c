"""Names that the release which pip chooses does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

PROGRAM = "from trl import CPOTrainer\nCPOTrainer('facebook/opt-350m').train()\n"


@pytest.mark.parametrize(
    ("python", "is_reported"), [("3.12\n", True), ("3.9\n", False), ("3.8\n", False)]
)
def test_the_newest_is_one_for_the_python(tmp_path: Path, python: str, is_reported: bool) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("trl\n", encoding="utf-8")
    (tmp_path / ".python-version").write_text(python, encoding="utf-8")
    program = tmp_path / "train.py"
    program.write_text(PROGRAM, encoding="utf-8")
    codes = [one.code for one in lint_file(program).diagnostics]
    assert codes == (["TRP772"] if is_reported else [])
