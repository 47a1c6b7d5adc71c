"""accelerate's settings for FSDP, and DeepSpeed for the trainer that they start."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.diagnostic import Diagnostic, Related
from tests.draws import each
from tests.linting import lint_in

FSDP = "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\n"
GPUS = FSDP.replace("FSDP", "MULTI_GPU")
RECIPE = "model_name_or_path: a/b\ndataset_name: c\noutput_dir: o\n"
ZERO = '{"zero_optimization": {"stage": 2}, "train_micro_batch_size_per_gpu": "auto"}'
PROGRAM = "from transformers import Trainer, TrainingArguments\n"
ARGUMENTS = 'args = TrainingArguments(output_dir="o"{})\n'
TRAINS = "Trainer(model=model, args=args, train_dataset=rows).train()\n"
PARSED = """\
from transformers import HfArgumentParser, Trainer, TrainingArguments
(args,) = HfArgumentParser((TrainingArguments,)).parse_args_into_dataclasses()
Trainer(model=model, args=args, train_dataset=rows).train()
"""
START = "accelerate launch {} -m trl.scripts.sft --config recipe.yaml"


def files(line: str, **others: str) -> dict[str, str]:
    return {
        ".git/HEAD": "",
        "requirements.txt": "trl==1.16.0\n",
        "ds.json": ZERO,
        "fsdp.yaml": FSDP,
        "lower.yaml": FSDP.replace("FSDP", "fsdp"),
        "gpus.yaml": GPUS,
        "none.yaml": "num_processes: 8\n",
        "broken.yaml": "distributed_type: [FSDP\n",
        "run.sh": f"{line}\n",
        **others,
    }


OPTIONS = [
    ("--config_file fsdp.yaml", ["fsdp.yaml: FSDP"]),
    ("--config_file lower.yaml", ["lower.yaml: fsdp"]),
    ("--config_file gpus.yaml", []),
    ("--config_file none.yaml", []),
    ("--config_file broken.yaml", []),
    ("--config_file elsewhere.yaml", []),
    ("--config_file $CONFIG", []),
    ("--num_processes 8", []),
    # The command may say it without any file.
    ("--use-fsdp --config_file none.yaml", [""]),
    ("--config_file gpus.yaml --use_fsdp", [""]),
    # What takes the place of the file's word.
    ("--config_file fsdp.yaml --multi_gpu", []),
    ("--config_file fsdp.yaml --multi-gpu", []),
    ("--config_file fsdp.yaml --use_deepspeed", []),
    ("--config_file fsdp.yaml --cpu", []),
    ("--config_file fsdp.yaml --num_processes 4", ["fsdp.yaml: FSDP"]),
]


def places(found: Iterable[Diagnostic]) -> list[str]:
    """Of each finding the settings that it names."""
    return [" ".join(_named(related) for related in one.related) for one in found]


def _named(place: Related) -> str:
    assert place.file is not None
    written = place.file.source.text[place.span.start : place.span.end]
    return f"{place.file.path.rpartition('/')[2]}: {written.rpartition(' ')[2]}"


@each(("options", "expected"), OPTIONS)
def test_a_recipe(options: str, expected: list[str]) -> None:
    found = lint_in(
        files(START.format(options)),
        f"{RECIPE}deepspeed: ds.json\n",
        name="recipe.yaml",
        select=("DST616",),
        framework="trl",
    )
    assert places(found) == expected
    assert all(one.path == ("deepspeed",) for one in found)


@each(
    ("written", "count"),
    [
        ("", 0),
        ("deepspeed:\n", 0),
        ("deepspeed: ''\n", 0),
        ("deepspeed: {}\n", 0),
        ("deepspeed: {zero_optimization: {stage: 2}}\n", 1),
        ("deepspeed: $SETTINGS\n", 1),
    ],
)
def test_what_names_deepspeed(written: str, count: int) -> None:
    # Several commands are one finding.
    line = START.format("--config_file fsdp.yaml")
    project = files(f"{line}\n{line} --learning_rate 1e-5")
    found = lint_in(
        project, RECIPE + written, name="recipe.yaml", select=("DST616",), framework="trl"
    )
    assert len(found) == count


def test_other_launchers() -> None:
    for line in (
        "torchrun --nproc_per_node 8 -m trl.scripts.sft --config recipe.yaml",
        "python -m trl.scripts.sft --config recipe.yaml --use_fsdp",
    ):
        text = f"{RECIPE}deepspeed: ds.json\n"
        assert not lint_in(
            files(line), text, name="recipe.yaml", select=("DST616",), framework="trl"
        )


@each(("options", "expected"), [*OPTIONS, ("--use_fsdp --num_processes 8", [""])])
def test_a_program(options: str, expected: list[str]) -> None:
    text = PROGRAM + ARGUMENTS.format(', deepspeed="ds.json"') + TRAINS
    found = lint_in(
        files(f"accelerate launch {options} train.py"),
        text,
        name="train.py",
        select=("DST841",),
        framework="trl_programs",
    )
    assert places(found) == expected


@each(
    ("more", "count"),
    [
        ("", 0),
        (", deepspeed=None", 0),
        (', deepspeed=""', 0),
        (", deepspeed=settings", 0),
        (', deepspeed={"zero_optimization": {"stage": 2}}', 1),
    ],
)
def test_what_a_program_passes(more: str, count: int) -> None:
    text = PROGRAM + ARGUMENTS.format(more) + TRAINS
    line = "accelerate launch --use_fsdp train.py"
    found = lint_in(
        files(f"{line}\n{line} --more"),
        text,
        name="train.py",
        select=("DST841",),
        framework="trl_programs",
    )
    assert len(found) == count


@each(
    ("words", "expected"),
    [
        ("--config_file fsdp.yaml train.py --deepspeed ds.json", ["ds.json"]),
        ("--config_file fsdp.yaml train.py --output_dir=o --deepspeed=ds.json", ["ds.json"]),
        ("--config_file gpus.yaml train.py --deepspeed ds.json", []),
        ("--config_file fsdp.yaml train.py", []),
        ("--config_file fsdp.yaml train.py --deepspeed ''", []),
        ("--use_fsdp train.py --deepspeed ds.json", ["ds.json"]),
    ],
)
def test_a_word_of_a_command(words: str, expected: list[str]) -> None:
    text = f"accelerate launch {words}\n"
    found = lint_in(
        files("", **{"train.py": PARSED}),
        text,
        name="run.sh",
        select=("DST616", "DST841"),
        framework="trl_programs",
    )
    assert [text[one.span.start : one.span.end] for one in found] == expected
