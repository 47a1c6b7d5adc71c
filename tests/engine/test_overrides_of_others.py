"""Layers of LLaMA-Factory and TRL: what a launch line changes is reported at the launch line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

LLAMAFACTORY = """\
model_name_or_path: Qwen/Qwen2-7B
stage: sft
do_train: true
finetuning_type: lora
dataset: identity
template: qwen
output_dir: saves/run
"""
TRL = """\
model_name_or_path: Qwen/Qwen3-0.6B
dataset_name: trl-lib/Capybara
output_dir: ./out
per_device_train_batch_size: 2
load_best_model_at_end: true
eval_strategy: steps
eval_steps: 50
save_steps: 100
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()


def codes(config: str, script: str, *target: str) -> tuple[list[str], list[str]]:
    """(errors of the config, errors of the script)."""
    Path("train.yaml").write_text(config)
    Path("run.sh").write_text(script + "\n")
    found = lint_file("train.yaml", target=list(target))
    theirs = [d.code for other in found.elsewhere for d in other.diagnostics]
    return [d.code for d in found.diagnostics if d.severity == "error"], theirs


@pytest.mark.parametrize(
    ("words", "release", "own", "theirs"),
    [
        ("learning_rate=1e-4", "0.9.5", [], []),
        ("finetuning_type=lorra", "0.9.5", [], ["TYP002"]),
        ("learning_rat=1e-4", "0.9.5", [], ["KEY001"]),
        ("predict_with_generate=true stage=dpo", "0.9.5", [], ["LLF020", "LLF041"]),
        # Earlier releases take the file alone, or nothing of it.
        ("finetuning_type=lorra", "0.9.2", [], ["LLF180"]),
        # Nobody knows the value.
        ("finetuning_type=$TYPE", "0.9.5", [], []),
    ],
)
def test_words_behind_a_file(words: str, release: str, own: list[str], theirs: list[str]) -> None:
    line = f"llamafactory-cli train train.yaml {words}"
    assert codes(LLAMAFACTORY, line, f"llamafactory=={release}") == (own, theirs)


def test_a_word_repairs_what_the_file_says() -> None:
    config = LLAMAFACTORY.replace("dataset: identity\n", "")
    pin = "llamafactory==0.9.5"
    assert codes(config, "llamafactory-cli train train.yaml", pin) == (["LLF040"], [])
    assert codes(config, "llamafactory-cli train train.yaml dataset=identity", pin) == ([], [])


@pytest.mark.parametrize(
    ("options", "theirs"),
    [
        ("--learning_rate 1e-4", []),
        ("--save_steps 120", ["TRL003"]),
        ("--save-steps=120", ["TRL003"]),
        ("--save_steps $STEPS", []),
        ("--bf16 --fp16", ["OPT351"]),
        # The launcher's own.
        ("--num_processes 4 --accelerate_config zero3.yaml", []),
    ],
)
def test_options_behind_a_command(options: str, theirs: list[str]) -> None:
    pins = ("trl==1.16.0", "transformers==5.16.1")
    for start in ("trl sft", "accelerate launch trl/scripts/sft.py"):
        assert codes(TRL, f"{start} {options} --config train.yaml", *pins) == ([], theirs)


def test_the_command_of_a_file_is_that_of_its_launch_line() -> None:
    config = TRL + "packing: true\n"
    pins = ("trl==1.16.0", "transformers==5.16.1")
    assert codes(config, "trl sft --config train.yaml", *pins)[0] == []
    assert codes(config, "trl dpo --config train.yaml", *pins)[0] == ["KEY001"]


def test_an_option_that_is_meant_to_replace_a_key_is_not_called_a_second_one() -> None:
    Path("train.yaml").write_text(LLAMAFACTORY + "lora_rank: 8\n")
    Path("run.sh").write_text("llamafactory-cli train train.yaml lora_rnk=16\n")
    (script,) = lint_file("train.yaml").elsewhere
    assert [one.message.endswith(" Did you mean `lora_rank`?") for one in script.diagnostics] == [
        True
    ]


@pytest.mark.parametrize(
    ("key", "options", "own"),
    [
        ("num_processes: x\n", "", ["ACC048"]),
        # What is wrong with the file's value is nothing to a run with another one, known or not,
        ("num_processes: x\n", "--num_processes 8", []),
        ("num_processes: x\n", "--num_processes $GPUS", []),
        ("num_processes: x\n", "--main_process_port $PORT", ["ACC048"]),
        # and so is what is missing in the file.
        ("", "", ["ACC002"]),
        ("", "--num_processes $GPUS", []),
        ("", "--main_process_port $PORT", ["ACC002"]),
    ],
)
def test_values_that_a_line_leaves_open(key: str, options: str, own: list[str]) -> None:
    Path("train.yaml").write_text(
        "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nmixed_precision: bf16\n"
        f"num_machines: 1\n{key}"
    )
    Path("train.sh").write_text(f"accelerate launch --config_file train.yaml {options} train.py\n")
    found = lint_file("train.yaml", target=["accelerate==1.13.0"])
    assert [one.code for one in found.diagnostics] == own
