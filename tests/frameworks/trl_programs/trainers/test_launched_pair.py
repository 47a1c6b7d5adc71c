"""Programs and their commands against the settings of accelerate that a launch line names."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import run

ZERO = """\
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
deepspeed_config:
  gradient_accumulation_steps: 1
  gradient_clipping: 0.5
  zero_stage: 2
num_processes: 8
"""
PROGRAM = """\
from transformers import Trainer, TrainingArguments
args = TrainingArguments(output_dir="out", gradient_accumulation_steps=8, max_grad_norm=0.5)
Trainer(model=model, args=args, train_dataset=rows).train()
"""
PARSED = """\
from transformers import HfArgumentParser, Trainer, TrainingArguments
(args,) = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
Trainer(model=model, args=args, train_dataset=rows).train()
"""


def found(folder: Path, program: str, command: str, zero: str = ZERO) -> list[str]:
    """The rule, the file and the key of each finding."""
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "zero.yaml").write_text(zero, encoding="utf-8")
    (folder / "train.py").write_text(program, encoding="utf-8")
    (folder / "go.sh").write_text(command, encoding="utf-8")
    report = json.loads(run(str(folder), "--format", "json").out)
    return [
        f"{one['code']} {Path(file['path']).name} {one['message'].split('`')[3]}"
        for file in report["files"]
        for one in file["diagnostics"]
        if one["code"] in ("DST610", "DST840")
    ]


def test_values_of_a_call(tmp_path: Path) -> None:
    command = "accelerate launch --config_file zero.yaml train.py\n"
    assert found(tmp_path, PROGRAM, command) == ["DST840 train.py gradient_accumulation_steps"]
    assert found(tmp_path, PROGRAM.replace("=8", "=steps"), command) == []
    assert found(tmp_path, PROGRAM.replace('"out",', '"out", deepspeed="z.json",'), command) == []
    assert found(tmp_path, PROGRAM, command, ZERO.replace("steps: 1", "steps: auto")) == []
    assert found(tmp_path, PROGRAM, "python train.py\n") == []
    option = "--gradient_accumulation_steps 8 train.py"
    assert found(tmp_path, PROGRAM, command.replace("train.py", option)) == []


def test_values_of_a_command(tmp_path: Path) -> None:
    command = (
        "accelerate launch --config_file zero.yaml train.py --output_dir out --learning_rate 1e-5"
    )
    given = f"{command} --gradient_accumulation_steps 4 --max_grad_norm 0.5\n"
    assert found(tmp_path, PARSED, given) == ["DST610 go.sh gradient_accumulation_steps"]
    assert found(tmp_path, PARSED, given.replace(" 4 ", " 1 ")) == []
    assert found(tmp_path, PARSED, given.replace(" 4 ", " $STEPS ")) == []
    assert found(tmp_path, PARSED, given.replace("--max", "--deepspeed z.json --max")) == []
    assert found(tmp_path, PARSED.replace("Trainer", "PPOTrainer"), given) == []
    assert found(tmp_path, "print()\n", given) == []


def test_what_is_not_surely_refused(tmp_path: Path) -> None:
    command = "accelerate launch --config_file zero.yaml train.py\n"
    # accelerate leaves out a norm of 0.
    assert found(tmp_path, PROGRAM.replace("=8", "=1"), command, ZERO.replace("0.5", "0")) == []
    # Of an option and the file, one counts in older releases, and the other in newer ones.
    both = command.replace("train.py", "--gradient_accumulation_steps 4 train.py")
    assert found(tmp_path, PROGRAM.replace("=8", "=1"), both) == []
    assert len(found(tmp_path, PROGRAM, both)) == 1
    # These trainers of TRL have a loop of their own in some releases.
    rloo = PROGRAM.replace("import Trainer, ", "import ").replace("Trainer(", "RLOOTrainer(")
    assert found(tmp_path, "from trl import RLOOTrainer\n" + rloo, command) == []
    later = PROGRAM.replace("\nTrainer", "\nargs.gradient_accumulation_steps = 1\nTrainer")
    assert found(tmp_path, later, command) == []
    assert found(tmp_path, PROGRAM.replace(".train()", ".evaluate()"), command) == []
    foreign = PROGRAM.replace("import Trainer, ", "import ").replace("Trainer(", "own.Trainer(")
    assert found(tmp_path, foreign, command) == []
