"""Options of a program that a class of the project has, and those of a program that is not there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from cfglint import lint_file
from cfglint.checks.context import CheckContext
from cfglint.environment.building import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.for_files import variant
from cfglint.roles.framework import load_framework
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.text import SourceText

COMMAND = "deepspeed --num_gpus=1 train.py --output_dir out --per_device_train_batch_size 4 --weight_decay 0.1"
PROGRAM = """\
from dataclasses import dataclass
from transformers import HfArgumentParser, Trainer, TrainingArguments

@dataclass
class Own:
    mine: str = ""
    learning_rate: str = "fast"

parser = HfArgumentParser(({classes}))
parsed = parser.parse_args_into_dataclasses()
Trainer(args=parsed[0]).train()
"""


@pytest.mark.parametrize(
    ("classes", "options", "expected"),
    [
        ("TrainingArguments, Own", "--mine x --save_steps 5", []),
        ("TrainingArguments, Own", "--learning_rate fast", []),
        ("TrainingArguments,", "--learning_rate fast", ["learning_rate"]),
        ("TrainingArguments,", "--mine x", ["mine"]),
        ("TrainingArguments, Own", "--theirs x", ["theirs"]),
        ("TrainingArguments, Own", "--save_steps often", ["save_steps"]),
    ],
)
def test_what_is_refused(tmp_path: Path, classes: str, options: str, expected: list[str]) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("transformers==4.46.1\n")
    (tmp_path / "train.py").write_text(PROGRAM.format(classes=classes))
    script = tmp_path / "run.sh"
    script.write_text(f"{COMMAND} {options}\n")
    found = lint_file(script, framework="trl_programs").diagnostics
    assert "rule-failed" not in [one.name for one in found]
    keys = [one.path[-1] for one in found if one.code in ("KEY001", "KEY002", "TYP001")]
    assert keys == expected


def test_of_a_program_that_is_not_there_nothing_is_known() -> None:
    framework = variant(
        load_framework("trl"), kind="transformers.TrainingArguments", language="shell"
    )
    document = framework.language.read(SourceText(f"{COMMAND} --mine x\n"))
    target = build_environment(framework.releases)
    ctx = CheckContext(document, framework, target, nowhere())
    key = cast("WrittenKey", SimpleNamespace(name="mine"))
    assert framework.own_code.takes(key, "x", ctx)
    assert framework.own_code.has(key, ctx)
