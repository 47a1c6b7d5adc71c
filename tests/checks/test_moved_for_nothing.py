"""Keys that would have no effect in their own place either."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file, lint_text

ACCELERATE = (
    "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\nfsdp_config:\n"
    "  fsdp_version: 2\n  mixed_precision: {word}\n{more}"
)
AXOLOTL = (
    "base_model: a/b\ndatasets:\n  - path: a/b\n    type: alpaca\nmicro_batch_size: 4\n"
    "gradient_accumulation_steps: 8\nlearning_rate: 0.00002\nnum_epochs: 1\noutput_dir: out\n"
)


@pytest.mark.parametrize(
    ("word", "more", "expected"),
    [
        ("'no'", "", []),
        ("bf16", "", ["error"]),
        ("bf16", "mixed_precision: bf16\n", []),
        ("'no'", "mixed_precision: bf16\n", ["error"]),
    ],
)
def test_a_misplaced_key(tmp_path: Path, word: str, more: str, expected: list[str]) -> None:
    config = tmp_path / "a.yaml"
    config.write_text(ACCELERATE.format(word=word, more=more))
    found = [one for one in lint_file(config).diagnostics if one.code == "KEY003"]
    assert [one.severity for one in found] == expected


@pytest.mark.parametrize(("value", "expected"), [("steps", []), ("epoch", ["warning"])])
def test_what_happens_anyway_has_no_counterpart(value: str, expected: list[str]) -> None:
    found = lint_text(f"{AXOLOTL}logging_strategy: {value}\n", framework="axolotl").diagnostics
    assert [one.severity for one in found] == expected


@pytest.mark.parametrize(("value", "expected"), [("null", ["note"]), ("{a: 1}", ["error"])])
def test_a_key_without_a_value_in_a_file_of_a_program(value: str, expected: list[str]) -> None:
    text = f"model_name_or_path: a/b\ndataset_name: a/b\noutput_dir: o\nrope_scaling: {value}\n"
    found = lint_text(text, framework="trl", target=["trl==0.19.0"]).diagnostics
    assert [one.severity for one in found if one.code == "KEY001"] == expected


@pytest.mark.parametrize(
    ("more", "expected"), [('{"num_workers": 8}', []), ('{"curriculum_learning": {}}', ["error"])]
)
def test_a_section_that_is_looked_into_for_one_thing(more: str, expected: list[str]) -> None:
    text = (
        f'{{"train_batch_size": 16, "zero_optimization": {{"stage": 2}}, "data_sampling": {more}}}'
    )
    found = lint_text(text, framework="deepspeed", target=["deepspeed==0.15.4"]).diagnostics
    assert [one.severity for one in found if one.code == "KEY003"] == expected


@pytest.mark.parametrize(
    ("key", "expected"), [("wandb_project: a", "warning"), ("bf16: true", "error")]
)
def test_a_misplaced_key_that_the_model_does_not_depend_on(key: str, expected: str) -> None:
    text = AXOLOTL.replace("    type: alpaca\n", f"    type: alpaca\n    {key}\n")
    found = lint_text(text, framework="axolotl", target=["axolotl==0.21.0"]).diagnostics
    assert [one.severity for one in found if one.code == "KEY003"] == [expected]
