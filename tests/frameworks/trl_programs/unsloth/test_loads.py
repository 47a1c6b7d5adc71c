"""Models that Unsloth loads, and what asks for their engine."""

from __future__ import annotations

import pytest

from cfglint import Linter
from tests.draws import each

PROGRAM = """\
from trl import GRPOConfig, GRPOTrainer
from unsloth import FastLanguageModel

model, tokenizer = FastLanguageModel.from_pretrained("unsloth/Qwen3-4B", {})
args = GRPOConfig(output_dir="out", {})
GRPOTrainer(model=model, args=args, reward_funcs=reward).train()
"""


def found(load: str, config: str, *target: str) -> list[str]:
    linter = Linter(target=list(target), settings=False, select=["TRP653", "TRP654"])
    report = linter.lint(PROGRAM.format(load, config), "train.py")
    return [f"{one.severity} {one.code} {one.start.line}" for one in report.diagnostics]


def test_an_engine_of_a_model_that_is_trained_whole() -> None:
    both = "fast_inference=True, full_finetuning=True"
    assert found(both, "use_vllm=True") == ["error TRP653 4"]
    assert not found("fast_inference=True", "use_vllm=True")


@pytest.mark.parametrize("load", ["load_in_4bit=True", "fast_inference=False"])
def test_vllm_of_a_model_without_engine(load: str) -> None:
    assert found(load, "use_vllm=True", "trl==0.15.2") == ["error TRP654 5"]
    assert found(load, 'use_vllm=True, vllm_mode="colocate"') == ["error TRP654 5"]
    assert found(load, "use_vllm=True", "trl==0.20.0") == ["warning TRP654 5"]


@each(
    ("load", "config"),
    [
        ("fast_inference=flag", "use_vllm=True"),
        ("**options", "use_vllm=True"),
        ("load_in_4bit=True", "use_vllm=False"),
        ("load_in_4bit=True", 'use_vllm=True, vllm_mode="server"'),
    ],
)
def test_what_may_have_one(load: str, config: str) -> None:
    assert not found(load, config, "trl==0.15.2")
