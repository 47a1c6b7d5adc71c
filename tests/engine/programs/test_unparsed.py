"""Programs that Python cannot parse are counted, and say so when they are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.engine.programs.unparsed import UNPARSED
from tests.cli.running import run

CALL = 'from transformers import TrainingArguments\nargs = TrainingArguments("out", foo=1)\n'
TWO = f'{CALL}print "done"\n'


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()


def test_a_search_counts_them() -> None:
    Path("two.py").write_text(TWO)
    Path("template.py").write_text(CALL.replace('"out"', "{% out %}"))
    # Neither is about training.
    Path("other.py").write_text('print "done"\n')
    Path("plain.py").write_text("from transformers import AutoModel\n")
    answer = json.loads(run(".", "--format", "json").out)
    assert answer["left_out"] == {
        UNPARSED: 2,
        "no training config": 2,
    }
    out = run(".", "--show-files").out
    assert f"two.py: left out: {UNPARSED}" in out
    assert "other.py: left out: no call of a class that cfglint knows" in out


def test_a_named_one_says_so() -> None:
    Path("two.py").write_text(TWO)
    result = run("two.py")
    assert f"two.py: {UNPARSED}; not checked" in result.out
    assert result.code == 2
    # With other files, as a hook names them, it is left out.
    assert run("two.py", "--detect").code == 0
    Path("two.py").write_text(CALL)
    assert "KEY001" in run("two.py").out


@pytest.mark.parametrize("indent", [None, 1])
def test_notebooks_of_one_line(indent: int | None) -> None:
    sources: tuple[object, ...] = (CALL, CALL.splitlines(keepends=True), ["import os\n", CALL])
    for number, source in enumerate(sources):
        cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}
        Path(f"{number}.ipynb").write_text(json.dumps({"cells": [cell]}, indent=indent))
        assert "KEY001" in run(f"{number}.ipynb", "--detect").out


@pytest.mark.parametrize(
    ("line", "is_read"),
    [
        ('eval "{}"', True),
        ("eval '{}'", True),
        ('CMD="{}"\neval "$CMD"', True),
        ('CMD="{}"\neval $CMD', True),
        # It does more than to start one command.
        ('eval "cd x; {}"', False),
        ('eval "{} $(extra)"', False),
    ],
)
def test_what_a_shell_evaluates(line: str, is_read: bool) -> None:
    command = "trl sft --model_name_or_path a/b --dataset_name c/d --output_dir o --no_such_key 1"
    Path("run.sh").write_text(f"{line.format(command)}\n")
    assert ("KEY001" in run("run.sh", "--detect").out) is is_read


def test_the_api_says_why(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(TWO)
    with pytest.raises(ValueError, match=UNPARSED):
        lint_file(program)


def test_a_migration_says_why() -> None:
    Path("two.py").write_text(TWO)
    result = run("migrate", "two.py")
    assert (result.code, result.err) == (2, f"cfglint: two.py: {UNPARSED}\n")
