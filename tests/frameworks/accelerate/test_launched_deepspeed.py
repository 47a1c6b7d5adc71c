"""The DeepSpeed file that accelerate's settings name, against the arguments of the trainer that they start."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic
from tests.draws import each
from tests.linting import lint_in

SETTINGS = """\
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
deepspeed_config:
  deepspeed_config_file: ds.json
num_machines: 1
num_processes: 8
"""
RECIPE = "model_name_or_path: a/b\ndataset_name: c\noutput_dir: o\n"
STEPS = '{"gradient_accumulation_steps": 4}'
START = "accelerate launch --config_file acc.yaml -m trl.scripts.sft --config recipe.yaml"


def found(
    line: str = START,
    recipe: str = "gradient_accumulation_steps: 8\n",
    ds: str = STEPS,
    **more: str,
) -> list[Diagnostic]:
    return lint_in(
        {
            ".git/HEAD": "",
            "requirements.txt": "trl==0.24.0\n",
            "acc.yaml": SETTINGS,
            "ds.json": ds,
            "other.json": '{"gradient_accumulation_steps": 8}',
            "run.sh": f"{line}\n",
            **more,
        },
        RECIPE + recipe,
        name="recipe.yaml",
        select=("DST613",),
        framework="trl",
    )


def told(*arguments: str, **named: str) -> list[str]:
    """The severities of the findings and what is quoted in them."""
    return [
        f"{one.severity}: {' '.join(one.message.split('`')[3:6:2])}"
        for one in found(*arguments, **named)
    ]


ONE = ["error: gradient_accumulation_steps gradient_accumulation_steps: 8"]
DOUBTED = [ONE[0].replace("error", "warning")]
DEFAULT = "gradient_accumulation_steps gradient_accumulation_steps: 1 by default"


@each(
    ("line", "expected"),
    [
        (START, ONE),
        (START.replace("acc.yaml", "acc.yaml --num_processes 2"), ONE),
        (f"{START} --gradient_accumulation_steps 4", []),
        (f"{START} --gradient_accumulation_steps 2", [ONE[0].replace(": 8", ": 2")]),
        (f"{START} --gradient_accumulation_steps $STEPS", []),
        (f"{START} --gradient_accumulation_steps=$STEPS", []),
        # Words that are not known may set it, too, unless each is the value of another argument.
        (f"{START} --output_dir $OUT", ONE),
        (f"{START} --output_dir=$OUT", ONE),
        (f'{START} "$@"', DOUBTED),
        (f"{START} $MORE", DOUBTED),
        (f'{START} --report_to "${{LOGS[@]}}"', DOUBTED),
        (f"{START} --packing=true $MORE", DOUBTED),
        # The settings that are not asked.
        (START.replace("acc.yaml", "acc.yaml --multi_gpu"), []),
        (START.replace("acc.yaml", "elsewhere.yaml"), []),
        (START.replace("acc.yaml", "$ACC"), []),
        (START.replace("acc.yaml", "acc.yaml --deepspeed_config_file other.json"), []),
        (START.replace("acc.yaml", "acc.yaml --deepspeed_config_file $DS"), []),
        # The same twice is told once, and DeepSpeed of the trainer's own is compared elsewhere.
        (f"{START}\n{START}", ONE),
        (f"{START} --deepspeed ds.json", []),
    ],
)
def test_commands(line: str, expected: list[str]) -> None:
    assert told(line) == expected


@each(
    ("recipe", "ds", "expected"),
    [
        ("", STEPS, [f"error: {DEFAULT}"]),
        ("gradient_accumulation_steps: 4\n", STEPS, []),
        ("deepspeed: other.json\n", STEPS, []),
        ("deepspeed:\n", STEPS, [f"error: {DEFAULT}"]),
        ("", '{"gradient_accumulation_steps": "auto"}', []),
        ("", '{"bf16": {"enabled": true}}', []),
        (
            "fp16: true\n",
            '{"bf16": {"enabled": true}, "fp16": {"enabled": true}}',
            ["error: bf16.enabled bf16: false by default"],
        ),
        ("", "[]", []),
        ("", "{", []),
    ],
)
def test_values(recipe: str, ds: str, expected: list[str]) -> None:
    assert told(START, recipe, ds) == expected


def test_what_leads_back_to_the_recipe() -> None:
    (one,) = found()
    assert one.file is not None
    assert one.file.path == "/project/ds.json"
    assert one.file.source.text[one.span.start : one.span.end] == STEPS[1:-1]
    (other,) = one.related
    assert other.note == "the trainer's own value"
    text = f"{RECIPE}gradient_accumulation_steps: 8\n"
    assert text[other.span.start : other.span.end] == "gradient_accumulation_steps: 8"
    (one,) = found(recipe="")
    assert one.related == ()


def test_defaults_of_a_class_of_its_own_are_not_known() -> None:
    line = "accelerate launch --config_file acc.yaml train.py --config recipe.yaml"
    own = "from dataclasses import dataclass\nfrom trl import SFTConfig, SFTTrainer, TrlParser\n"
    trains = (
        "(args,) = TrlParser(SFTConfig).parse_args_and_config()\nSFTTrainer(args=args).train()\n"
    )
    more = "@dataclass\nclass Own(SFTConfig):\n    gradient_accumulation_steps: int = 4\n"
    assert told(line, "", **{"train.py": own + trains}) == [f"error: {DEFAULT}"]
    assert told(line, "", **{"train.py": own + more + trains}) == []
    # What is written is known there, too.
    assert told(line, **{"train.py": own + more + trains}) == ONE
