"""What `effective` and `fit` make of a program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

HEAD = (
    "from peft import LoraConfig\nfrom transformers import AutoModelForCausalLM, BitsAndBytesConfig\n"
    "from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer\n"
)
LOAD = (
    "bits = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_use_double_quant=True)\n"
    "m = AutoModelForCausalLM.from_pretrained('Qwen/Qwen3-8B', quantization_config=bits)\n"
)
TRAIN = (
    "c = SFTConfig(output_dir='o', learning_rate={}, per_device_train_batch_size={})\n"
    "SFTTrainer(model=m, args=c, peft_config=LoraConfig(r=16, target_modules='all-linear'))\n"
)
TARGET = ("--target", "trl==1.9.0", "--target", "torch==2.8.0")


def program(folder: Path, body: str) -> str:
    path = folder / "train.py"
    path.write_text(HEAD + body)
    return str(path)


def test_effective_values_of_a_program(tmp_path: Path) -> None:
    path = program(tmp_path, LOAD + TRAIN.format("rate", 4))
    done = run("effective", path, *TARGET, "--format", "json")
    answer = json.loads(done.out)
    values = {name: row["value"] for name, row in answer["values"].items()}
    assert (values["load_in_4bit"], values["lora_r"], values["bf16"]) == (True, 16, True)
    assert values["per_device_train_batch_size"] == 4
    # What no class of the program has is not there.
    assert "dataset_name" not in values
    assert "learning_rate" not in values
    shown = run("effective", path, *TARGET).out
    assert "learning_rate: depends on what the program is given" in shown


def test_memory_of_a_program_is_that_of_the_same_file(tmp_path: Path) -> None:
    path = program(tmp_path, LOAD + TRAIN.format("1e-4", 4))
    yaml = tmp_path / "sft.yaml"
    yaml.write_text(
        "model_name_or_path: Qwen/Qwen3-8B\ndataset_name: a/b\noutput_dir: o\nlearning_rate: 1e-4\nload_in_4bit: true\n"
        "use_bnb_nested_quant: true\nper_device_train_batch_size: 4\nuse_peft: true\nlora_r: 16\n"
        "lora_target_modules: all-linear\ndtype: bfloat16\n"
    )
    of_program, of_file = (
        json.loads(run("fit", one, *TARGET, "--gpu", "a100", "--format", "json").out)
        for one in (path, str(yaml))
    )
    assert of_program["certain"]["bytes"] == of_file["certain"]["bytes"]
    assert of_program["expected"] == of_file["expected"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            LOAD + TRAIN.format("1", "n").replace("r=16", "r=rank"),
            "does not show the value of `lora_r`",
        ),
        (
            LOAD + "attach(m)\nSFTTrainer(model=m, args=SFTConfig('o'))\n",
            "does not show the value of `use_peft`",
        ),
        ("SFTTrainer(model=m, args=SFTConfig('o'))\n", "does not show which model it loads"),
        ("SFTConfig('o')\n", "has no trainers"),
        (
            LOAD + TRAIN.format(1, 1) + "DPOTrainer(model=m, args=DPOConfig('o'))\n",
            "has 2 trainers with a config",
        ),
    ],
)
def test_what_is_not_certain(body: str, why: str, tmp_path: Path) -> None:
    done = run("fit", program(tmp_path, body), *TARGET)
    assert done.code == 2
    assert why in done.err


def test_a_batch_that_is_not_known_leaves_no_estimate(tmp_path: Path) -> None:
    done = run("fit", program(tmp_path, LOAD + TRAIN.format(1, "n")), *TARGET)
    assert "At least" in done.out
    assert "Probably" not in done.out


def test_arguments_without_names(tmp_path: Path) -> None:
    body = TRAIN.format("1e-4", 4).replace("model=m, args=c", "m, c")
    named, unnamed = (
        run("fit", program(tmp_path, LOAD + one), *TARGET).out
        for one in (TRAIN.format("1e-4", 4), body)
    )
    assert "At least" in named
    assert named == unnamed


def test_advice_for_a_program(tmp_path: Path) -> None:
    path = program(tmp_path, LOAD + TRAIN.format("1e-4", 4))
    done = run("fit", path, *TARGET, "--gpu", "t4", "--advise")
    assert done.code == 0
    added = "per_device_train_batch_size=2, gradient_accumulation_steps=2)"
    assert f"learning_rate=1e-4, {added}" in done.out
    assert "`per_device_train_batch_size=2` and `gradient_accumulation_steps=2`" in done.out


def test_advice_leaves_other_calls_to_the_author(tmp_path: Path) -> None:
    body = "m = AutoModelForCausalLM.from_pretrained('Qwen/Qwen3-8B', dtype='bfloat16')\n"
    body += TRAIN.format("1e-4", 4).replace(
        ", peft_config=LoraConfig(r=16, target_modules='all-linear')", ""
    )
    done = run("fit", program(tmp_path, body), *TARGET, "--gpu", "t4", "--advise")
    assert done.code == 1
    left = " ".join(done.out.partition("Left out:")[2].split())
    assert "an adapter (`peft_config=LoraConfig(…)`): it is for other calls of the program" in left
    assert "the run probably needs about" in left


@pytest.mark.parametrize(
    ("before", "trainer", "options", "is_reported"),
    [
        ("", "", "--multi_gpu", True),
        ("", "", "--use_deepspeed --zero_stage 3", True),
        # What the command lays elsewhere.
        ("", "", "--use_deepspeed --zero_stage 3 --offload_optimizer_device cpu --offload_param_device cpu", False),
        ("", "", "--use_fsdp --fsdp_offload_params true", False),
        ("", "", "--config_file elsewhere.yaml", False),
        # What the program decides.
        ("", ", optimizers=(own, None)", "--multi_gpu", False),
        ("for one in m.parameters():\n    one.requires_grad = False\n", "", "--multi_gpu", False),
    ],
)  # fmt: skip
def test_what_a_program_and_its_command_leave_open(
    tmp_path: Path, before: str, trainer: str, options: str, is_reported: bool
) -> None:
    body = "m = AutoModelForCausalLM.from_pretrained('Qwen/Qwen3-8B', dtype='bfloat16')\n"
    body += f"{before}SFTTrainer(m, SFTConfig(output_dir='o'){trainer})\n"
    path = program(tmp_path, body)
    line = f"accelerate launch --num_processes 2 {options} train.py\n"
    (tmp_path / "run.sh").write_text(line)
    (tmp_path / ".git").mkdir()
    done = run(path, *TARGET, "--gpu", "t4", "--select", "FIT", "--format", "concise")
    assert ("FIT501" in done.out) is is_reported


def test_a_program_that_does_not_fit(tmp_path: Path) -> None:
    body = "m = AutoModelForCausalLM.from_pretrained('Qwen/Qwen3-8B', dtype='bfloat16')\n"
    body += "SFTTrainer(m, SFTConfig(output_dir='o'))\n"
    path = program(tmp_path, body)
    options = ("--gpu", "t4", "--select", "FIT", "--format", "concise")
    assert "FIT501" not in run(path, *TARGET, *options).out
    assert "FIT501" in run(path, *TARGET, *options, "--gpus", "1").out
    (tmp_path / "run.sh").write_text("CUDA_VISIBLE_DEVICES=0,1 accelerate launch train.py\n")
    (tmp_path / ".git").mkdir()
    found = run(path, *TARGET, *options).out
    assert "FIT501" in found
    assert "on each GPU" in found
    assert "an adapter (`peft_config=LoraConfig(…)`)" in found
    # One process may lay its layers on all GPUs that it sees.
    (tmp_path / "run.sh").write_text("accelerate launch --num_processes 1 train.py\n")
    assert "FIT501" not in run(path, *TARGET, *options).out
    one = "CUDA_VISIBLE_DEVICES=0 accelerate launch --num_processes 1 train.py\n"
    (tmp_path / "run.sh").write_text(one)
    assert "on the GPU" in run(path, *TARGET, *options).out
    one = "#SBATCH --gres=gpu:1\naccelerate launch --num_processes 1 train.py\n"
    (tmp_path / "run.sh").write_text(one)
    assert "on the GPU" in run(path, *TARGET, *options).out
