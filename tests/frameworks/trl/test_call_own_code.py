"""Calls of other classes than the released ones that a program seems to import."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cfglint import lint_text
from tests.draws import each
from tests.linting import lint_in

PROGRAM = """\
from trl import SFTConfig, SFTTrainer
args = SFTConfig(output_dir="out", {given})
SFTTrainer(model="a/b", args=args, train_dataset=rows).train()
"""
OWN = """\
class SFTConfig(Base):
    def __init__(self, {names}, **more):
        self.size = 1
"""


def found(
    given: str,
    files: Mapping[str, str] = {},
    before: str = "",
    *target: str,
    trainer: str = "SFT",
) -> list[str]:
    """The codes of what is said about the keywords of a call."""
    text = before + PROGRAM.format(given=given).replace("SFT", trainer)
    pins = target or ("trl==1.0.0", "transformers==5.0.0")
    every = {".git/HEAD": "", **files}
    diagnostics = lint_in(every, text, name="train.py", framework="trl_programs", target=pins)
    start = text.index(given)
    return [one.code for one in diagnostics if start <= one.span.start < start + len(given)]


@each(
    ("files", "says"),
    [
        ({}, True),
        ({"own.py": OWN.format(names="own_size=1")}, False),
        ({"own.py": OWN.format(names="*, own_size=1")}, False),
        ({"own.py": OWN.format(names="other=1")}, True),
        ({"own.py": OWN.format(names="own_size=1").replace("SFTConfig", "DPOConfig")}, True),
        ({"own.py": OWN.format(names="own_size=1").replace("__init__", "make")}, True),
        ({"own.py": "class SFTConfig(\n"}, True),
        # The package itself is in the project.
        ({"trl/__init__.py": "", "trl/trainer/sft_config.py": "x = 1\n"}, False),
    ],
)
def test_a_patched_copy_of_a_class(files: Mapping[str, str], says: bool) -> None:
    assert bool(found("own_size=1", files)) is says


UNSLOTH = "from unsloth import FastLanguageModel\n"


@each(
    ("given", "before", "says"),
    [
        ("own_size=1", "", True),
        # What Unsloth adds is its own, but no slip in what is there.
        ("own_size=1", UNSLOTH, False),
        ("learning_ratee=1", UNSLOTH, True),
        ("learning_ratee=1", "", True),
    ],
)
def test_what_a_package_adds(given: str, before: str, says: bool) -> None:
    assert bool(found(given, before=before)) is says


@each(
    ("unsloth", "says"),
    [("2025.8.8", False), ("2025.8.7", True), ("2025.3.1", True), ("2026.1.1", False), ("", False)],
)
def test_the_older_name_of_the_length(unsloth: str, says: bool) -> None:
    pins = ("trl==0.22.0", "transformers==4.55.4", *([f"unsloth=={unsloth}"] if unsloth else []))
    assert bool(found("max_seq_length=1", {}, UNSLOTH, *pins, trainer="DPO")) is says


@each(
    ("given", "before", "says"),
    [
        ("eval_strategy='stepz'", "", True),
        ("eval_strategy='never_heard_of'", "", True),
        # A package may add words, but none that is a slip in one of a few.
        ("eval_strategy='stepz'", UNSLOTH, True),
    ],
)
def test_values(given: str, before: str, says: bool) -> None:
    assert bool(found(given, before=before)) is says


CHANGED = "{head}\nfrom trl import DPOTrainer\n\nDPOTrainer(model, train_dataset=data, {word}=50)\n"


@pytest.mark.parametrize(
    ("head", "word", "expected"),
    [
        ("# Runs with a modified dpo_trainer.py.", "lamda", []),
        ("# Runs with dpo_trainer.py.", "lamda", ["KEY001"]),
        ("# Modified from dpo_trainer.py.", "lamda", ["KEY001"]),
        ("# Runs with a modified sft_trainer.py.", "lamda", ["KEY001"]),
        # A slip stays one.
        ("# Runs with a modified dpo_trainer.py.", "eval_dateset", ["KEY001"]),
    ],
)
def test_a_parameter_of_a_class_that_was_changed(head: str, word: str, expected: list[str]) -> None:
    text = CHANGED.format(head=head, word=word)
    found = lint_text(text, "train.py", target=["trl==0.9.6"]).diagnostics
    assert [one.code for one in found if one.code == "KEY001"] == expected
