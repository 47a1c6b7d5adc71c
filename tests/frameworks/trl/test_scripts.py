"""TRL's options on the line that starts one of its commands."""

from __future__ import annotations

import json
from pathlib import Path

from cfglint.frameworks.trl.scripts import _BF16_IS_OPEN
from tests.cli.running import run
from tests.shipped import RULES

USUAL = "--model_name_or_path Qwen/Qwen3-0.6B --dataset_name trl-lib/Capybara --output_dir out"


def codes(tmp_path: Path, text: str, *more: str) -> list[str]:
    """The codes and severities of what is found in a script."""
    (tmp_path / "run.sh").write_text(text + "\n", encoding="utf-8")
    found = run(str(tmp_path / "run.sh"), "--isolated", "--format", "concise", *more)
    return [" ".join(line.split()[1:3]) for line in found.out.splitlines() if line.count(":") > 2]


def test_the_command_has_its_options(tmp_path: Path) -> None:
    text = f"trl sft {USUAL} --num_processes 4 --multi_gpu --packing"
    assert codes(tmp_path, text) == []
    assert codes(tmp_path, text + " --lora_rr 8") == ["error KEY001"]
    assert codes(tmp_path, text + " --learning_rate abc") == ["error TYP001"]
    assert codes(tmp_path, text + " --num_generations 8") == ["error KEY001"]
    assert codes(tmp_path, text.replace("sft", "grpo").replace("--packing", "")) == []


def test_bf16_takes_a_word_where_the_class_of_a_release_leaves_it_open(tmp_path: Path) -> None:
    text = f"trl sft {USUAL} --bf16 --logging_steps 5"
    for release, found in {
        "0.15.2": [],
        "0.19.0": ["error LCH812"],
        "1.16.0": ["error LCH812"],
    }.items():
        assert codes(tmp_path, text, "--target", f"trl=={release}") == found
    assert codes(tmp_path, text.replace("sft", "reward"), "--target", "trl==0.19.1") == []
    assert codes(tmp_path, text.replace("--bf16", "--bf16 true"), "--target", "trl==0.24.0") == []


def test_the_release_that_leaves_bf16_open_is_that_of_the_tables() -> None:
    for command, since in _BF16_IS_OPEN.items():
        table = json.loads(
            (RULES / "trl" / "tables" / f"{command}.json").read_text(encoding="utf-8")
        )
        assert table["keys"]["bf16"] == {"since": since, "type": "bool|null"}


def test_what_trl_itself_is_started_with_has_no_other_reader(tmp_path: Path) -> None:
    options = [
        f"--{name} 1"
        for name in ("alpha_x", "beta_y", "gamma_z", "delta_v", "eps_w", "zeta_u", "eta_t")
    ]
    found = codes(tmp_path, f"trl sft {USUAL} {' '.join(options)}")
    assert found == ["error KEY001"] * len(options)


def test_a_module_of_the_project_has_options_of_its_own(tmp_path: Path) -> None:
    text = f'echo "(trl, all)"\npython -m MODULE {USUAL} --lr 1'
    assert codes(tmp_path, text.replace("MODULE", "training.trl.grpo")) == []
    assert codes(tmp_path, text.replace("MODULE", "trl.scripts.grpo")) == ["error LCH811"]


def test_the_programs_of_some_releases_throw_words_away(tmp_path: Path) -> None:
    text = f"accelerate launch -m trl.scripts.sft {USUAL} 8"
    assert codes(tmp_path, text) == ["error LCH810"]
    assert codes(tmp_path, text, "--target", "trl==0.24.0") == ["warning LCH810"]
    own = text.replace("accelerate launch -m trl.scripts.sft", "trl sft")
    assert codes(tmp_path, own, "--target", "trl==0.24.0") == ["error LCH810"]


def test_an_unknown_option_beside_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "sft.yaml").write_text(
        "model_name_or_path: a/b\ndataset_name: a/c\noutput_dir: out\nlearning_rate: 1.0e-5\n"
        "per_device_train_batch_size: 2\nmax_length: 1024\n",
        encoding="utf-8",
    )
    (tmp_path / "run.sh").write_text(
        "trl sft --config sft.yaml --lora_rr 8 --num_processes 4 --multi_gpu --eval_st steps\n",
        encoding="utf-8",
    )
    found = run(str(tmp_path / "sft.yaml"), "--format", "concise")
    assert [line.split()[1:3] for line in found.out.splitlines() if "run.sh:" in line] == [
        ["error", "KEY001"]
    ]
    assert "With `" not in found.out


def test_a_program_that_cuts_the_prompts_itself(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("trl==0.17.0\n")
    (tmp_path / "config.yaml").write_text(
        "model_name_or_path: a/b\ndataset_name: c\noutput_dir: out\nuse_vllm: true\nmax_prompt_length: 512\n"
        "num_generations: 8\nbeta: 0.0\n"
    )
    (tmp_path / "run.sh").write_text("trl grpo --config config.yaml\n")
    program = tmp_path / "cut.py"

    def found() -> bool:
        return "TRL410" in run(str(tmp_path / "config.yaml"), "--format", "concise").out

    assert found()
    program.write_text("args.max_prompt_length = 8\n")
    assert found()
    program.write_text("cut(args.max_prompt_length)\n")
    assert not found()


def test_a_call_in_a_program_that_cuts_the_prompts_itself(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("trl==0.17.0\n")
    program = tmp_path / "train.py"
    call = (
        "from trl import GRPOConfig\n"
        'args = GRPOConfig(output_dir="out", use_vllm=True, max_prompt_length=512, num_generations=8)\n'
    )

    def found() -> bool:
        return "TRL410" in run(str(program), "--format", "concise").out

    program.write_text(call)
    assert found()
    program.write_text(f"{call}data = cut(data, args.max_prompt_length)\n")
    assert not found()
