"""A key of another framework is one only where its value may be that, and one that changes nothing is a note at most."""

from __future__ import annotations

import pytest

from tests.linting import lint

ZERO = '{"train_batch_size": 8, "zero_optimization": {"stage": 2}, "checkpointing": %s}'
LAUNCH = """\
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
num_processes: 2
deepspeed_config:
  zero_stage: 3
  %s
"""
RECIPE = """\
model_name_or_path: Qwen/Qwen3-0.6B
dataset_name: some/data
output_dir: out
max_length: 1024
%s
"""


@pytest.mark.parametrize(
    ("value", "code"), [("true", "KEY002"), ('{"enabled": true, "save_steps": 5}', "KEY001")]
)
def test_a_scalar_of_the_origin_is_no_section(value: str, code: str) -> None:
    found = lint(ZERO % value, framework="deepspeed")
    assert [one.code for one in found if one.path == ("checkpointing",)] == [code]


GATHER = "stage3_gather_16bit_weights_on_model_save: true"


@pytest.mark.parametrize(
    ("text", "framework", "severities"),
    [
        (LAUNCH % f"{GATHER}\n  zero3_save_16bit_model: true", "accelerate", set()),
        (LAUNCH % f"{GATHER}\n  zero3_save_16bit_model: false", "accelerate", {"warning"}),
        (LAUNCH % GATHER, "accelerate", {"error"}),
        (RECIPE % "eval_dataset_split: test", "trl", set()),
        (RECIPE % "eval_dataset_split: validation", "trl", {"error"}),
        (
            RECIPE % "eval_dataset_split: validation\ndataset_test_split: validation",
            "trl",
            set(),
        ),
    ],
)
def test_what_is_in_force_anyway(text: str, framework: str, severities: set[str]) -> None:
    # Releases that drop unknown keys.
    target = {"accelerate": "accelerate==1.15.0", "trl": "trl==0.17.0"}[framework]
    found = lint(text, framework=framework, target=[target])
    assert {one.severity for one in found if one.code.startswith("KEY")} == severities
