"""A trainer's config that several commands start with settings of accelerate: each of them counts."""

from __future__ import annotations

from collections.abc import Mapping

from tests.draws import each
from tests.linting import from_the_root, lint_in, messages

RECIPE = (
    "model_name_or_path: a/b\ndataset_name: c\ngradient_accumulation_steps: 4\nmax_grad_norm: 0.5\n"
    "per_device_train_batch_size: 1\noutput_dir: out\nlearning_rate: 1.0e-5\n"
)
ZERO = (
    "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\n"
    "deepspeed_config:\n  gradient_accumulation_steps: {steps}\n  gradient_clipping: {norm}\n  zero_stage: 3\n"
    "num_processes: 8\n"
)
NAMED = "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\ndeepspeed_config:\n  deepspeed_config_file: {}\nnum_processes: 8\n"
FSDP = "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\n"
DS = '{{"gradient_accumulation_steps": {steps}, "train_micro_batch_size_per_gpu": 1, "bf16": {{"enabled": true}}}}'
FILES: Mapping[str, str] = {
    ".git/HEAD": "",
    "requirements.txt": "trl==1.16.0\n",
    "same.yaml": ZERO.format(steps=4, norm=0.5),
    "one.yaml": ZERO.format(steps=1, norm=0.5),
    "both.yaml": ZERO.format(steps=2, norm=1.0),
    "auto.yaml": ZERO.format(steps="auto", norm="auto"),
    "fsdp.yaml": FSDP,
    "named.yaml": NAMED.format("ds.json"),
    "other.yaml": NAMED.format("ds2.json"),
    "gone.yaml": NAMED.format("none.json"),
    "ds.json": DS.format(steps=1),
    "ds2.json": DS.format(steps=4),
    "ppo.py": "from trl import PPOTrainer\nPPOTrainer()\n",
    "train.py": "from trl import SFTTrainer\nSFTTrainer()\n",
    "loop.py": "import torch\n",
}


def said(script: str, more: str = "") -> list[str]:
    files = {**FILES, "go.sh": script}
    codes = ("DST610", "DST611", "DST612", "DST613", "DST614", "DST615", "DST616", "DST617")
    found = lint_in(files, RECIPE + more, name="recipe.yaml", framework="trl", select=codes)
    return list(map(from_the_root, messages(found)))


def line(settings: str, program: str = "train.py", before: str = "", after: str = "") -> str:
    return f"accelerate launch --config_file {settings} {before} {program} --config recipe.yaml {after}\n"


@each(
    ("script", "more", "expected"),
    [
        (line("same.yaml"), "", []),
        (
            line("one.yaml"),
            "",
            [
                "error: Give both the same value, or write `gradient_accumulation_steps: auto` into accelerate's file: `gradient_accumulation_steps` is 4 here, accelerate starts this run (/project/go.sh line 1) with `gradient_accumulation_steps` 1, and the trainer refuses values that differ."
            ],
        ),
        (
            line("both.yaml"),
            "",
            [
                "error: Give both the same value, or write `gradient_accumulation_steps: auto` into accelerate's file: `gradient_accumulation_steps` is 4 here, accelerate starts this run (/project/go.sh line 1) with `gradient_accumulation_steps` 2, and the trainer refuses values that differ.",
                "error: Give both the same value, or write `gradient_clipping: auto` into accelerate's file: `max_grad_norm` is 0.5 here, accelerate starts this run (/project/go.sh line 1) with `gradient_clipping` 1, and the trainer refuses values that differ.",
            ],
        ),
        (line("auto.yaml"), "", []),
        (
            line("none.yaml") + line("one.yaml"),
            "",
            [
                "error: Give both the same value, or write `gradient_accumulation_steps: auto` into accelerate's file: `gradient_accumulation_steps` is 4 here, accelerate starts this run (/project/go.sh line 2) with `gradient_accumulation_steps` 1, and the trainer refuses values that differ."
            ],
        ),
        (
            line("$SETTINGS") + line("one.yaml"),
            "",
            [
                "error: Give both the same value, or write `gradient_accumulation_steps: auto` into accelerate's file: `gradient_accumulation_steps` is 4 here, accelerate starts this run (/project/go.sh line 2) with `gradient_accumulation_steps` 1, and the trainer refuses values that differ."
            ],
        ),
        (
            line("same.yaml") + line("one.yaml"),
            "",
            [
                "error: Give both the same value, or write `gradient_accumulation_steps: auto` into accelerate's file: `gradient_accumulation_steps` is 4 here, accelerate starts this run (/project/go.sh line 2) with `gradient_accumulation_steps` 1, and the trainer refuses values that differ."
            ],
        ),
        (
            line("one.yaml") + line("both.yaml"),
            "",
            [
                "error: Give both the same value, or write `gradient_accumulation_steps: auto` into accelerate's file: `gradient_accumulation_steps` is 4 here, accelerate starts this run (/project/go.sh line 1) with `gradient_accumulation_steps` 1, and the trainer refuses values that differ.",
                "error: Give both the same value, or write `gradient_clipping: auto` into accelerate's file: `max_grad_norm` is 0.5 here, accelerate starts this run (/project/go.sh line 2) with `gradient_clipping` 1, and the trainer refuses values that differ.",
            ],
        ),
        (
            line("one.yaml", "ppo.py") + line("both.yaml"),
            "",
            [
                "error: Give both the same value, or write `gradient_accumulation_steps: auto` into accelerate's file: `gradient_accumulation_steps` is 4 here, accelerate starts this run (/project/go.sh line 2) with `gradient_accumulation_steps` 2, and the trainer refuses values that differ.",
                "error: Give both the same value, or write `gradient_clipping: auto` into accelerate's file: `max_grad_norm` is 0.5 here, accelerate starts this run (/project/go.sh line 2) with `gradient_clipping` 1, and the trainer refuses values that differ.",
            ],
        ),
        (line("one.yaml", "ppo.py"), "", []),
        (line("one.yaml", "elsewhere/ppo.py"), "", []),
        (line("one.yaml", after="--gradient_accumulation_steps 1"), "", []),
        (
            line("one.yaml", after="--gradient_accumulation_steps 2"),
            "",
            [
                "error: Give both the same value, or write `gradient_accumulation_steps: auto` into accelerate's file: `gradient_accumulation_steps` is 2 here, accelerate starts this run (/project/go.sh line 1) with `gradient_accumulation_steps` 1, and the trainer refuses values that differ."
            ],
        ),
        (line("one.yaml", after="--gradient_accumulation_steps $N"), "", []),
        (line("one.yaml", before="--gradient_accumulation_steps 4"), "", []),
        (
            line("one.yaml", before="--gradient_accumulation_steps 2"),
            "",
            [
                "error: Give both the same value, or write `gradient_accumulation_steps: auto` into accelerate's file: `gradient_accumulation_steps` is 4 here, accelerate starts this run (/project/go.sh line 1) with `gradient_accumulation_steps` 2, and the trainer refuses values that differ."
            ],
        ),
        (line("one.yaml", before="--use_fsdp"), "", []),
        (
            line("fsdp.yaml", before="--use_deepspeed --gradient_accumulation_steps 2"),
            "",
            [
                "error: Give both the same value, or write `gradient_accumulation_steps: auto` into accelerate's file: `gradient_accumulation_steps` is 4 here, accelerate starts this run (/project/go.sh line 1) with `gradient_accumulation_steps` 2, and the trainer refuses values that differ."
            ],
        ),
        (line("one.yaml"), "deepspeed: ds.json\n", []),
        (line("one.yaml"), "stage: ppo\n", []),
        (
            line("fsdp.yaml"),
            "deepspeed: ds2.json\n",
            [
                "warning: Leave one of them out: accelerate starts this run for FSDP, and `deepspeed` here takes its place: the model is not sharded, and not saved, as accelerate's `fsdp_config` says."
            ],
        ),
        (
            line("same.yaml") + line("fsdp.yaml"),
            "deepspeed: ds2.json\n",
            [
                "warning: Leave one of them out: accelerate starts this run for FSDP, and `deepspeed` here takes its place: the model is not sharded, and not saved, as accelerate's `fsdp_config` says."
            ],
        ),
        (line("fsdp.yaml", before="--multi_gpu"), "deepspeed: ds2.json\n", []),
        (
            line("same.yaml", before="--use_fsdp"),
            "deepspeed: ds2.json\n",
            [
                "warning: Leave one of them out: accelerate starts this run for FSDP, and `deepspeed` here takes its place: the model is not sharded, and not saved, as accelerate's `fsdp_config` says."
            ],
        ),
        (
            line("named.yaml"),
            "",
            [
                'error: Write `"auto"` to take the trainer\'s value: `gradient_accumulation_steps` is 1 here but `gradient_accumulation_steps: 4` in what accelerate starts with this file, and the trainer refuses values that differ.'
            ],
        ),
        (line("other.yaml"), "", []),
        (
            line("gone.yaml") + line("named.yaml"),
            "",
            [
                'error: Write `"auto"` to take the trainer\'s value: `gradient_accumulation_steps` is 1 here but `gradient_accumulation_steps: 4` in what accelerate starts with this file, and the trainer refuses values that differ.'
            ],
        ),
        (
            line("named.yaml", after='"$@"'),
            "",
            [
                'warning: Write `"auto"` to take the trainer\'s value: `gradient_accumulation_steps` is 1 here but `gradient_accumulation_steps: 4` in what accelerate starts with this file, and the trainer refuses values that differ.'
            ],
        ),
        (
            line("named.yaml", after="--learning_rate $LR"),
            "",
            [
                'error: Write `"auto"` to take the trainer\'s value: `gradient_accumulation_steps` is 1 here but `gradient_accumulation_steps: 4` in what accelerate starts with this file, and the trainer refuses values that differ.'
            ],
        ),
        (line("named.yaml", after="--gradient_accumulation_steps=$N"), "", []),
        (line("named.yaml", after="--gradient_accumulation_steps 1"), "", []),
        (line("named.yaml", before="--deepspeed_config_file ds2.json"), "", []),
        (
            line("other.yaml", before="--deepspeed_config_file ds.json"),
            "",
            [
                'error: Write `"auto"` to take the trainer\'s value: `gradient_accumulation_steps` is 1 here but `gradient_accumulation_steps: 4` in what accelerate starts with this file, and the trainer refuses values that differ.'
            ],
        ),
        (line("other.yaml", before="--deepspeed_config_file $FILE"), "", []),
        (
            line("named.yaml", "loop.py"),
            "",
            [
                'error: Write `"auto"` to take the trainer\'s value: `gradient_accumulation_steps` is 1 here but `gradient_accumulation_steps: 4` in what accelerate starts with this file, and the trainer refuses values that differ.'
            ],
        ),
        (line("named.yaml", "ppo.py"), "", []),
        (line("named.yaml"), "deepspeed: ds2.json\n", []),
        (
            line("named.yaml"),
            "fp16: true\n",
            [
                'error: Write `"auto"` to take the trainer\'s value: `gradient_accumulation_steps` is 1 here but `gradient_accumulation_steps: 4` in what accelerate starts with this file, and the trainer refuses values that differ.',
                'error: Write `"auto"` to take the trainer\'s value: `bf16.enabled` is true here but `bf16: false by default` in what accelerate starts with this file, and the trainer refuses values that differ.',
            ],
        ),
    ],
)
def test_findings(script: str, more: str, expected: list[str]) -> None:
    assert said(script, more) == expected
