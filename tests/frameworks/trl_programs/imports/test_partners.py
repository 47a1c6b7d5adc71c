"""Releases of packages that a program imports together, and that cannot be."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint_in

OLD = ["peft==0.17.1", "transformers==5.0.0"]
TRAINED = (
    "from trl import SFTConfig, SFTTrainer\nSFTTrainer(model, args=SFTConfig(output_dir='out'))\n"
)


def lines(text: str, target: list[str], code: str) -> list[int]:
    """The lines of the findings."""
    told = lint_in(
        {".git/HEAD": ""},
        text,
        name="train.py",
        framework="trl_programs",
        select=[code],
        target=target,
    )
    return [text.count("\n", 0, one.span.start) + 1 for one in told]


@each(
    ("imports", "target", "expected"),
    [
        ("from peft import LoraConfig\n", OLD, [1]),
        # Behind others that do not count, and once.
        (
            "import os\nfrom os import path\nfrom . import own\nfrom peft import LoraConfig\n",
            OLD,
            [4],
        ),
        ("from peft import LoraConfig\nfrom peft import PeftModel\n", OLD, [1]),
        ("from peft import PeftModel, LoraConfig\n", OLD, [1]),
        ("from .peft import LoraConfig\n", OLD, []),
        ("def late():\n    from peft import LoraConfig\n", OLD, []),
        ("from peft import LoraConfig\n", OLD[1:], []),
        ("from peft import LoraConfig\n", ["peft==0.18.1", OLD[1]], []),
        ("from peft import LoraConfig\n", [OLD[0], "transformers==4.57.1"], []),
        # Unsloth puts its own in their place.
        ("import unsloth\nfrom peft import LoraConfig\n", OLD, []),
        ("from peft import (\n", OLD, []),
    ],
)
def test_what_is_imported(imports: str, target: list[str], expected: list[int]) -> None:
    assert lines(imports + TRAINED, target, "TRP655") == expected


HANDED = ["trl==0.11.4", "transformers==5.0.0"]


@each(
    ("trainer", "target", "expected"),
    [
        ("SFTTrainer", HANDED, [2]),
        ("DPOTrainer", HANDED, [2]),
        ("PPOTrainer", HANDED, []),
        ("SFTTrainer", ["trl==0.12.2", HANDED[1]], []),
        ("SFTTrainer", [HANDED[0], "transformers==4.45.2"], []),
        ("SFTTrainer", HANDED[:1], []),
        ("SFTTrainer", HANDED[1:], []),
    ],
)
def test_trainers_that_hand_a_tokenizer_on(
    trainer: str, target: list[str], expected: list[int]
) -> None:
    text = f"from trl import {trainer}\n{trainer}(model=model, tokenizer=tokenizer, args=args)\n"
    assert lines(text, target, "TRP657") == expected
    assert lines(f"import unsloth\n{text}", target, "TRP657") == []
