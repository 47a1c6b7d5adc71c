"""Models that a program loads: compared with what transformers 4.43.4, 4.46.1, 4.52.4 and 4.57.1 do."""

from __future__ import annotations

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
import torch
from transformers import AutoConfig, AutoModelForCausalLM, Trainer, TrainingArguments
{}
Trainer(model, TrainingArguments(output_dir="out")).train()
"""


def found(load: str, release: str) -> list[str]:
    linter = Linter(target=[f"transformers=={release}"], settings=False, select=["TRP002"])
    report = linter.lint(PROGRAM.format(load), "train.py")
    return [f"{one.code} {one.start.line}" for one in report.diagnostics]


LOAD = "model = AutoModelForCausalLM.from_pretrained('a/b', dtype=torch.bfloat16)"


@each(
    ("release", "refused"),
    [("4.43.4", True), ("4.46.3", True), ("4.55.4", True), ("4.56.0", False), ("5.3.0", False)],
)
def test_the_release_decides(release: str, refused: bool) -> None:
    assert found(LOAD, release) == (["TRP002 3"] if refused else [])


@each(
    "load",
    [
        LOAD.replace("dtype=", "torch_dtype="),
        LOAD.replace("torch.bfloat16", "None"),
        LOAD.replace("dtype=", "torch_dtype=x, dtype="),
        LOAD.replace("AutoModelForCausalLM", "AutoConfig"),
        LOAD.replace("AutoModelForCausalLM", "Own"),
        LOAD.replace("from_pretrained", "from_config"),
    ],
)
def test_what_is_no_such_keyword_of_a_model(load: str) -> None:
    assert found(load, "4.46.3") == []


def test_without_a_stated_release_the_newest_takes_it() -> None:
    report = Linter(settings=False, select=["TRP002"]).lint(PROGRAM.format(LOAD), "train.py")
    assert not report.diagnostics
