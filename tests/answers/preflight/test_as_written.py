"""Replacements for a script that was read without its arguments are of lines that it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.answers.preflight.judging import preflight
from cfglint.answers.preflight.launched import of_command
from cfglint.engine.session import Options
from cfglint.report.formats import agent
from cfglint.source.files.disk import Disk

SCRIPT = """\
python3 -m verl.trainer.main_ppo \\
    data.train_files=a.parquet \\
    data.val_files=b.parquet \\
    +trainer.total_epochs=15 {}
"""


@pytest.mark.parametrize("arguments", ["$@", '"$@"', '"${@:1}"', "${@}"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_the_lines_to_replace_are_those_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, line_end: str
) -> None:
    monkeypatch.chdir(tmp_path)
    text = SCRIPT.format(arguments).replace("\n", line_end)
    (tmp_path / "run.sh").write_bytes(text.encode())
    run = preflight(of_command(["bash", "run.sh"], Disk()), Options(), Disk()).run
    replaced = [
        (before, after)
        for file in run.files
        for found in file.diagnostics
        for fix in found.fixes
        for _, before, after in agent.replacements(file.source.text, fix.edits)
    ]
    assert all(before in text for before, _ in replaced)
    if line_end == "\n":
        assert (
            f"    +trainer.total_epochs=15 {arguments}",
            f"    trainer.total_epochs=15 {arguments}",
        ) in replaced


def test_a_script_with_given_arguments_has_no_replacements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_text(SCRIPT.format("$1"))
    run = preflight(of_command(["bash", "run.sh", "a.b=1"], Disk()), Options(), Disk()).run
    assert not [fix for file in run.files for one in file.diagnostics for fix in one.fixes]
