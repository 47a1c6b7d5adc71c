"""DeepSpeed's settings against the arguments of the trainer that a program, or a command, gives beside their name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.linting import lint_in

SETTINGS = {
    "gradient_accumulation_steps": 4,
    "bf16": {"enabled": True},
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}},
}
START = "from transformers import Trainer, TrainingArguments\n"
ALL = ["gradient_accumulation_steps", "bf16.enabled", "optimizer.params.lr"]
OWN = """\
from dataclasses import dataclass
import transformers

@dataclass
class Arguments(transformers.TrainingArguments):
    learning_rate: float = 1e-4
    bf16: bool = True

parser = transformers.HfArgumentParser((Arguments,))
(args,) = parser.parse_args_into_dataclasses()
"""


def found(folder: Path, name: str, **files: str) -> list[str]:
    """What is different in the DeepSpeed file that a program or a script names."""
    (folder / ".git").mkdir()
    (folder / "ds.json").write_text(json.dumps(SETTINGS))
    for one, text in files.items():
        (folder / one.replace("_", ".")).write_text(text)
    result = run(str(folder / name), "--format", "json", "--target", "trl==1.9.0")
    report = json.loads(result.out)["files"]
    hits = [hit for file in report for hit in file["diagnostics"] if hit["code"] == "DST564"]
    return [".".join(map(str, hit["path"])) for hit in hits]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('TrainingArguments("o", deepspeed="ds.json")', ALL),
        ('TrainingArguments("o", deepspeed="ds.json", **more)', []),
        ('TrainingArguments("o", deepspeed="ds.json", bf16=x, learning_rate=1e-4)', ALL[:1]),
        ('TrainingArguments("o", deepspeed="ds.json", bf16_full_eval=True)', [ALL[0], ALL[2]]),
        ('TrainingArguments("o", deepspeed="ds.json", learning_rate=1e-4, fp16=True)', ALL[:2]),
        ('TrainingArguments("o", deepspeed=name)', []),
        ("TrainingArguments('o')", []),
    ],
)
def test_a_call_is_compared_with_its_file(tmp_path: Path, call: str, expected: list[str]) -> None:
    program = f"{START}args = {call}\nTrainer(args=args).train()\n"
    assert found(tmp_path, "train.py", train_py=program) == expected


def test_what_newer_classes_have_by_default_is_not_compared(tmp_path: Path) -> None:
    program = 'from trl import SFTConfig\nSFTConfig("o", deepspeed="ds.json")\n'
    assert found(tmp_path, "train.py", train_py=program) == ALL[:1]


def test_a_call_that_is_not_reached_is_not_compared(tmp_path: Path) -> None:
    inner = 'def old():\n    return TrainingArguments("o", deepspeed="ds.json")\n'
    program = f'{START}{inner}if __name__ == "__main__":\n    Trainer().train()\n'
    assert found(tmp_path, "train.py", train_py=program) == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", ALL[:1]),
        ("--bf16 False", ALL[:2]),
        ("--learning_rate 2e-5 --gradient_accumulation_steps 4", ALL[2:]),
    ],
)
def test_defaults_of_own_classes_are_not_compared(
    tmp_path: Path, options: str, expected: list[str]
) -> None:
    script = (
        f"python train.py --output_dir o --save_steps 5 --seed 1 --deepspeed ds.json {options}\n"
    )
    assert found(tmp_path, "run.sh", run_sh=script, train_py=OWN) == expected


SLIP = '{"zero_optimization": {"stage": 2, "overlap_com": True}}'


@pytest.mark.parametrize(
    ("body", "mended"),
    [
        (f"ds = {SLIP}\n", True),
        ("ds = dict(zero_optimization=dict(stage=2, overlap_com=True))\n", True),
        # Something else may read it by its name.
        (f'ds = {SLIP}\nprint(ds["zero_optimization"]["overlap_com"])\n', False),
    ],
)
def test_a_slip_in_a_mapping_is_mended(tmp_path: Path, body: str, mended: bool) -> None:
    path = tmp_path / "train.py"
    text = f'{START}{body}args = TrainingArguments("o", deepspeed=ds)\n'
    path.write_text(text, encoding="utf-8")
    result = run(str(path), "--fix", "--format", "concise")
    assert path.read_text(encoding="utf-8") == (
        text.replace("overlap_com", "overlap_comm") if mended else text
    )
    assert ("KEY001" in result.out) is not mended


def test_a_mapping_that_is_changed_is_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    body = f'ds = {SLIP}\nds["zero_optimization"].pop("overlap_com")\n'
    path.write_text(f'{START}{body}args = TrainingArguments("o", deepspeed=ds)\n')
    assert "KEY001" not in run(str(path), "--format", "concise").out


PARAMS = {"lr": 5e-5, "weight_decay": 0.0, "betas": [0.9, 0.999], "eps": 1e-8}
DEFAULTS = {
    "train_micro_batch_size_per_gpu": 8,
    "gradient_accumulation_steps": 1,
    "gradient_clipping": 1.0,
    "bf16": {"enabled": False},
    "fp16": {"enabled": False},
    "optimizer": {"type": "AdamW", "params": PARAMS},
    "scheduler": {"type": "WarmupLR", "params": {"warmup_num_steps": 0, "warmup_max_lr": 5e-5}},
}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, []),
        ({"train_micro_batch_size_per_gpu": 4}, ["train_micro_batch_size_per_gpu"]),
        ({"gradient_accumulation_steps": 2}, ["gradient_accumulation_steps"]),
        ({"gradient_clipping": 0.5}, ["gradient_clipping"]),
        ({"bf16": {"enabled": True}}, ["bf16.enabled"]),
        ({"fp16": {"enabled": True}}, ["fp16.enabled"]),
        (
            {"optimizer": {"type": "AdamW", "params": {**PARAMS, "weight_decay": 0.1}}},
            ["optimizer.params.weight_decay"],
        ),
        (
            {"optimizer": {"type": "AdamW", "params": {**PARAMS, "betas": [0.9, 0.95]}}},
            ["optimizer.params.betas"],
        ),
        (
            {"optimizer": {"type": "AdamW", "params": {**PARAMS, "eps": 1e-6}}},
            ["optimizer.params.eps"],
        ),
    ],
)
def test_what_is_not_written_has_the_default_of_the_class(
    changed: dict[str, object], expected: list[str]
) -> None:
    program = (
        f'{START}args = TrainingArguments("o", deepspeed="ds.json")\nTrainer(args=args).train()\n'
    )
    told = lint_in(
        {".git/HEAD": "", "ds.json": json.dumps({**DEFAULTS, **changed})},
        program,
        name="train.py",
        framework="trl_programs",
        target=["transformers==4.52.4"],
        select=["DST564"],
    )
    assert [one.message.split("`")[1] for one in told] == expected
