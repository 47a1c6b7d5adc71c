"""Settings that a program assigns after its arguments were made."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

HEAD = "from transformers import TrainingArguments\nfrom trl import SFTConfig, SFTTrainer\n"
ARGS = "args = TrainingArguments('out')\n"
PARSED = "HfArgumentParser(a).parse_args_into_dataclasses()\n"


def found(text: str) -> list[str]:
    linter = Linter(settings=False, select=["TRP004"])
    text = HEAD + text
    found = linter.lint(text, "train.py").diagnostics
    return [text[one.span.start : one.span.end] for one in found]


@each(
    ("text", "expected"),
    [
        (f"{ARGS}args.deepspeed = 'ds.json'\n", ["args.deepspeed"]),
        (f"{ARGS}args.fsdp = 'full_shard'\n", ["args.fsdp"]),
        (f"{ARGS}args.fsdp = x\nargs.deepspeed = y\n", ["args.fsdp", "args.deepspeed"]),
        ("a = SFTConfig('out')\na.deepspeed = x\n", ["a.deepspeed"]),
        # Other settings, other objects, nothing that is asked for.
        (f"{ARGS}args.seed = 1\n", []),
        (f"{ARGS}args.deepspeed = None\n", []),
        (f"{ARGS}args.deepspeed = ''\n", []),
        (f"{ARGS}other.deepspeed = x\n", []),
        ("a = SFTTrainer(m)\na.deepspeed = x\n", []),
        ("args = Own()\nargs.deepspeed = x\n", []),
        ("args.deepspeed = x\n", []),
        # The call may have it as well, and a mapping may.
        ("args = TrainingArguments('out', deepspeed=y)\nargs.deepspeed = x\n", []),
        ("args = TrainingArguments('out', **more)\nargs.deepspeed = x\n", []),
        ("args = TrainingArguments('out', fsdp=y)\nargs.deepspeed = x\n", ["args.deepspeed"]),
        # The name stands for something else by then.
        (f"{ARGS}args = own()\nargs.deepspeed = x\n", []),
        (f"{ARGS}args = b = own()\nargs.deepspeed = x\n", ["args.deepspeed"]),
        # Blocks, and functions by themselves.
        (f"{ARGS}if x:\n    args.deepspeed = x\n", ["args.deepspeed"]),
        (f"{ARGS}try:\n    pass\nexcept E:\n    args.deepspeed = x\n", ["args.deepspeed"]),
        (f"def f():\n    {ARGS}    args.deepspeed = x\n", ["args.deepspeed"]),
        (f"async def f():\n    {ARGS}    args.deepspeed = x\n", ["args.deepspeed"]),
        (f"{ARGS}def f():\n    args.deepspeed = x\n", []),
        # What a parser makes, as far as its name says that it is a trainer's.
        (f"a, training_args = {PARSED}training_args.deepspeed = x\n", ["training_args.deepspeed"]),
        (f"(train_args,) = {PARSED}train_args.fsdp = x\n", ["train_args.fsdp"]),
        (f"a, model_args = {PARSED}model_args.deepspeed = x\n", []),
        ("a, training_args = other()\ntraining_args.deepspeed = x\n", []),
        # Programs that do by hand what the constructor does.
        (f"{ARGS}args.deepspeed = x\nargs.__post_init__()\n", []),
        (f"{ARGS}args.deepspeed = x\nargs.deepspeed_plugin = p\n", []),
    ],
)
def test_what_comes_too_late(text: str, expected: list[str]) -> None:
    assert found(text) == expected
