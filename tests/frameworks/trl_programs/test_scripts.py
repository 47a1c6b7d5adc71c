"""Scripts that start a program of the project whose parser fills a class of transformers or TRL with the options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PROGRAM = """\
from dataclasses import dataclass, field
from typing import Optional

import transformers


@dataclass
class ModelArguments:
    model_name_or_path: str = field(default="x")
    use_flash_attention: bool = field(default=True)


@dataclass
class TrainingArguments(transformers.TrainingArguments):
    lora_rank: Optional[int] = field(default=None)


def main():
    parser = transformers.HfArgumentParser((ModelArguments, TrainingArguments))
    model_args, training_args = parser.parse_args_into_dataclasses()


if __name__ == "__main__":
    main()
"""
OPTIONS = (
    "--model_name_or_path x --output_dir o --learning_rate 1e-5 --bf16 True --lora_rank 8"
    " --no_use_flash_attention"
)
TARGET = ("--target", "transformers==5.20.0", "--target", "trl==1.16.0")


def found(
    folder: Path,
    options: str,
    start: str = "python train.py",
    *,
    program: str = PROGRAM,
    at: str = "train.py",
    script: str = "run.sh",
    **others: str,
) -> list[str]:
    """Code and key of what is found in a script that starts a program."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in {at: program, **others}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    path = folder / script
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{start} {OPTIONS} {options}\n")
    done = run(*TARGET, "--format", "json", str(path))
    files = json.loads(done.out)["files"]
    return [
        f"{one['code']} {'.'.join(map(str, one['path'][1:]))}"
        for file in files
        for one in file["diagnostics"]
    ]


def test_what_no_class_has_is_refused(tmp_path: Path) -> None:
    assert found(tmp_path, "") == []
    assert found(tmp_path, "--evaluation_strategy steps --eval_steps 5") == [
        "KEY005 evaluation_strategy"
    ]
    assert found(tmp_path, "--learning_rte 1e-5") == ["KEY001 learning_rte"]
    assert found(tmp_path, "--save_steps often --seed 1") == ["TYP001 save_steps"]
    assert found(tmp_path, "--lr_scheduler_type cosin") == ["TYP002 lr_scheduler_type"]
    # Options may have dashes, and be abbreviated where they are spelled in one way.
    assert found(tmp_path, "--weight-decay 0.1 --lora_ 4 --no-use-flash-attention") == []
    assert found(tmp_path, "--lora 4") == ["LCH811 "]


@pytest.mark.parametrize("release", ["0.15.2", "0.18.2", "0.24.0"])
def test_trl_itself_refuses_an_unknown_word_in_every_release(tmp_path: Path, release: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(
        "from trl import GRPOConfig, TrlParser\n"
        "(arguments,) = TrlParser((GRPOConfig,)).parse_args_and_config()\n"
    )
    script = tmp_path / "run.sh"
    known = (
        "--output_dir o --learning_rate 1e-6 --num_generations 8 --per_device_train_batch_size 8"
    )
    script.write_text(f"python train.py {known} --wandb_project mine\n")
    done = run("--target", f"trl=={release}", "--format", "concise", str(script))
    assert "error KEY001" in done.out
    assert "refuses the command" in done.out


@pytest.mark.parametrize(
    ("start", "at", "script"),
    [
        ("torchrun --nproc_per_node 8 train.py", "train.py", "run.sh"),
        ("accelerate launch --num_processes 2 ./train.py", "train.py", "run.sh"),
        ("deepspeed --num_gpus 8 --module llm.train", "src/llm/train.py", "run.sh"),
        ("python -m llm.train", "llm/train.py", "scripts/run.sh"),
        ("python3 -m torch.distributed.run src/train.py", "src/train.py", "scripts/run.sh"),
        ("python ../train.py", "train.py", "scripts/run.sh"),
        ("python $HOME/code/src/train.py", "code/src/train.py", "run.sh"),
    ],
)
def test_the_program_is_found(tmp_path: Path, start: str, at: str, script: str) -> None:
    assert found(tmp_path, "--learning_rte 1", start, at=at, script=script) == [
        "KEY001 learning_rte"
    ]


@pytest.mark.parametrize(
    ("start", "at"),
    [
        ("python other.py", "train.py"),
        ("python $HOME/train.py", "a/train.py"),
        ("python -m train", "a/train.py"),
        ("cat train.py", "train.py"),
        ("python train.py config.yaml", "train.py"),
    ],
)
def test_of_several_and_of_none_nothing_is_said(tmp_path: Path, start: str, at: str) -> None:
    assert found(tmp_path, "--learning_rte 1", start, at=at, **{"b/train.py": PROGRAM}) == []


def test_a_program_without_options_before_another(tmp_path: Path) -> None:
    start = "python prepare.py 2>&1 | tee log\npython train.py"
    others = {"prepare.py": "print()"}
    assert found(tmp_path, "--learning_rte 1", start, **others) == ["KEY001 learning_rte"]


START_IN_MODULE = "from llm.training import main\n\nmain()\n"


def test_the_parser_may_be_in_a_module_that_the_program_imports(tmp_path: Path) -> None:
    others = {"llm/training.py": PROGRAM}
    assert found(tmp_path, "--learning_rte 1", program=START_IN_MODULE, **others) == [
        "KEY001 learning_rte"
    ]
    program = START_IN_MODULE + "from llm.other import extra\n"
    others["llm/other.py"] = PROGRAM
    assert found(tmp_path, "--learning_rte 1", program=program, **others) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("into_dataclasses()", "into_dataclasses(return_remaining_strings=True)[:2]"),
        ("(ModelArguments, Tr", "(ModelArguments, Unknown, Tr"),
        ("class ModelArguments:", "class ModelArguments(vendor.Base):"),
        ("(ModelArguments, TrainingArguments)", "CLASSES"),
        ("transformers.HfArgumentParser", "OtherParser"),
        (
            "def main():\n    parser = transformers.HfArgumentParser",
            "class Own(transformers.HfArgumentParser):\n    pass\n\n\ndef main():\n    parser = Own",
        ),
        ("class TrainingArguments(transformers.TrainingArguments)", "class TrainingArguments"),
    ],
)
def test_what_a_program_may_take_is_not_refused(tmp_path: Path, old: str, new: str) -> None:
    assert old in PROGRAM
    program = PROGRAM.replace(old, new)
    assert found(tmp_path, "--learning_rte 1", program=program) == []


def test_the_fields_of_other_classes_are_left_alone(tmp_path: Path) -> None:
    program = (
        "from trl import GRPOConfig, ModelConfig, TrlParser\n"
        "parser = TrlParser((GRPOConfig, ModelConfig))\n"
        "parser.parse_args_and_config()\n"
    )
    options = "--lora_r 8 --use_peft --num_generations 4 --max_prompt_length 9"
    assert found(tmp_path, options, program=program) == [
        "KEY001 lora_rank",
        "KEY001 no_use_flash_attention",
        "KEY005 max_prompt_length",
    ]


def test_an_option_that_another_class_had_before(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "from trl import ModelConfig, SFTConfig, TrlParser\n"
        "parser = TrlParser((SFTConfig, ModelConfig))\nparser.parse_args_and_config()\n"
    )
    path = tmp_path / "run.sh"
    path.write_text(
        "python train.py --output_dir o --learning_rate 1e-5 --bf16 True --seed 1"
        " --trust_remote_code True --max_length 8\n"
    )
    done = run("--target", "trl==0.15.2", "--format", "concise", str(path))
    # In 0.15 `--trust_remote_code` is ModelConfig's; `--max_length` is an option of other configs alone.
    assert [line.split("`")[1] for line in done.out.splitlines() if "KEY006" in line] == [
        "max_length"
    ]


def test_a_repair_changes_the_word_of_the_option(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    path = tmp_path / "run.sh"
    text = f"torchrun train.py \\\n  {OPTIONS} \\\n  --evaluation_strategy epoch \\\n  --seed 1\n"
    path.write_text(text)
    run(*TARGET, "--fix", str(path))
    assert path.read_text() == text.replace("evaluation", "eval")


def test_each_command_is_checked_and_what_is_named_too(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    (tmp_path / "ds.json").write_text('{"zero_optimization": {"stage": 7}}\n')
    (tmp_path / "run.sh").write_text(
        f"python train.py {OPTIONS} --deepspeed ds.json\npython train.py {OPTIONS} --sed 1\n"
    )
    done = run(*TARGET, "--format", "concise", str(tmp_path / "run.sh"))
    assert "ds.json:1:24: error" in done.out
    assert "run.sh:2:" in done.out


def test_scripts_of_other_programs_are_theirs(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(f"llamafactory-cli train --stage sft {OPTIONS} --save_steps 1\n")
    done = run("--format", "json", str(script))
    assert [file["framework"] for file in json.loads(done.out)["files"]] == ["llamafactory"]


def test_a_script_of_another_program_is_left_out_as_others_are(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(f"python not_here.py {OPTIONS} --save_steps 5\n")
    done = run("--show-files", str(tmp_path))
    assert (
        "run.sh: left out: no settings of its own; the options that it gives to a config are checked with that config"
        in done.out
    )


@pytest.mark.parametrize(
    ("classes", "option", "release", "expected"),
    [
        # What `ModelConfig` has, and the class of the training later.
        ("GRPOConfig, ModelConfig", "--trust_remote_code True", "0.17.0", []),
        ("SFTConfig, ModelConfig", "--trust_remote_code True", "0.17.0", []),
        ("GRPOConfig,", "--trust_remote_code True", "0.17.0", ["KEY006 trust_remote_code"]),
        ("GRPOConfig,", "--trust_remote_code True", "1.16.0", []),
        # What no class has yet, or any longer.
        ("GRPOConfig, ModelConfig", "--vllm_mode colocate", "0.17.0", ["KEY006 vllm_mode"]),
        (
            "GRPOConfig, ModelConfig",
            "--max_prompt_length 5",
            "1.16.0",
            ["KEY005 max_prompt_length"],
        ),
    ],
)
def test_an_option_is_one_of_any_class_that_the_parser_fills(
    tmp_path: Path, classes: str, option: str, release: str, expected: list[str]
) -> None:
    program = (
        "from transformers import HfArgumentParser\n"
        "from trl import GRPOConfig, ModelConfig, SFTConfig\n"
        f"parser = HfArgumentParser(({classes}))\nfilled = parser.parse_args_into_dataclasses()\n"
    )
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(program)
    script = tmp_path / "run.sh"
    script.write_text(
        f"python train.py --output_dir o --bf16 True --seed 1 --learning_rate 1e-5 {option}\n"
    )
    done = run("--target", f"trl=={release}", "--format", "json", str(script))
    (file,) = json.loads(done.out)["files"]
    found = [f"{one['code']} {one['path'][-1]}" for one in file["diagnostics"]]
    assert found == expected


@pytest.mark.parametrize("form", ["text", "agent"])
def test_of_a_script_that_starts_a_program_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text("from trl import SFTConfig\nSFTConfig(output_dir='o')\n")
    Path("run.sh").write_text("accelerate launch --num_processes 4 train.py\n")
    done = run("run.sh", "--format", form)
    told = "run.sh: it starts train.py; check that instead of the script, or the whole run with `cfglint preflight run.sh`"
    assert told in " ".join(done.out.split())


def test_the_page_about_scripts_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program and the script of the page, as they are printed there."""
    page = (Path(__file__).parents[3] / "docs" / "launch-scripts.md").read_text(encoding="utf-8")
    program = page.partition("```python\n")[2].partition("```")[0]
    script = page.partition("```sh\n# run.sh\n")[2].partition("```")[0]
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(program)
    (tmp_path / "run.sh").write_text(f"# run.sh\n{script}")
    monkeypatch.chdir(tmp_path)
    command, _, shown = page.partition("```console\n$ cfglint ")[2].partition("\n")
    assert run(*command.split()).out == shown.partition("```")[0]


def test_a_program_that_cuts_the_prompts_itself(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    script = tmp_path / "run.sh"
    script.write_text(
        "python train.py --output_dir o --bf16 True --seed 1 --learning_rate 1e-5 --use_vllm True"
        " --max_prompt_length 512\n"
    )
    program = (
        "from transformers import HfArgumentParser\nfrom trl import GRPOConfig, GRPOTrainer\n"
        "parser = HfArgumentParser((GRPOConfig,))\n(args,) = parser.parse_args_into_dataclasses()\n"
    )

    def is_found() -> bool:
        done = run("--target", "trl==0.17.0", "--format", "concise", str(script))
        return "TRL410" in done.out

    (tmp_path / "train.py").write_text(program)
    assert is_found()
    (tmp_path / "train.py").write_text(f"{program}data = cut(data, args.max_prompt_length)\n")
    assert not is_found()
