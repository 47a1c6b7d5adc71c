"""Options of commands that the parser of a program does not have."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint_in

PROGRAM = """\
import argparse
from transformers import Trainer, TrainingArguments
parser = argparse.ArgumentParser()
for_all = parser.add_argument_group("all")
for_all.add_argument("--model")
for_all.add_argument("--data")
for_all.add_argument("--lr", type=float)
for_all.add_argument("--use_lora", action="store_true")
args = parser.parse_args()
Trainer(model=args.model, args=TrainingArguments(output_dir="out")).train()
"""
KNOWN = "--model a --data b --lr 1e-5"


def found(script: str, more: dict[str, str] | None = None, program: str = PROGRAM) -> list[str]:
    files = {".git/HEAD": "", "src/train.py": program, "run.sh": f"{script}\n", **(more or {})}
    told = lint_in(files, program, name="src/train.py", framework="trl_programs", select=["TRP895"])
    return [one.message.split("`")[3] for one in told]


@each(
    ("script", "expected"),
    [
        (f"python src/train.py {KNOWN} --gamma 1", ["--gamma"]),
        (f"python src/train.py {KNOWN} --gamma=1", ["--gamma"]),
        (f"cd src && python3 train.py {KNOWN} \\\n  --gamma 1", ["--gamma"]),
        (f"torchrun --nproc_per_node 8 src/train.py {KNOWN} --gamma 1", ["--gamma"]),
        (f"CUDA_VISIBLE_DEVICES=0 accelerate launch src/train.py {KNOWN} --gamma", ["--gamma"]),
        (f"python src/train.py {KNOWN} --use_lora --gamma 1 --beta 2", ["--gamma", "--beta"]),
        # All of them are the program's: an abbreviation is enough.
        (f"python src/train.py {KNOWN} --use_l", []),
        (f"python src/train.py {KNOWN} -h", []),
        # Most are not, so that it may be another program of the name.
        ("python src/train.py --model a --gamma 1 --beta 2", []),
        # What a variable has, and what is no option of the program.
        (f"python src/train.py {KNOWN} $MORE", []),
        (f"python src/train.py {KNOWN} -- --gamma 1", []),
        (f"python src/train.py {KNOWN} && other --gamma 1", []),
        (f"python src/train.py {KNOWN} | tee --append log", []),
        (f"# python src/train.py {KNOWN} --gamma 1", []),
        (f"echo src/train.py {KNOWN} --gamma 1", []),
        (f"python other/train.py {KNOWN} --gamma 1", []),
        (f"python wrap.py src/train.py {KNOWN} --gamma 1", []),
        (f"python $DIR/train.py {KNOWN} --gamma 1", []),
    ],
)
def test_commands(script: str, expected: list[str]) -> None:
    assert found(script) == expected


def test_a_second_program_of_the_name_may_be_meant() -> None:
    script = f"python train.py {KNOWN} --gamma 1"
    assert found(script) == ["--gamma"]
    assert found(script, {"old/train.py": "parser.add_argument('--gamma')\n"}) == []


def test_a_program_that_takes_whatever_it_is_given() -> None:
    script = f"python src/train.py {KNOWN} --gamma 1"
    assert found(script, program=PROGRAM.replace("parse_args()", "parse_known_args()[0]")) == []


def test_options_that_deepspeed_adds() -> None:
    line = "parser = deepspeed.add_config_arguments(parser)\nargs ="
    program = PROGRAM.replace("args =", line, 1)
    script = f"deepspeed src/train.py {KNOWN} --deepspeed --deepspeed_config d.json --gamma 1"
    assert found(script, program=program) == ["--gamma"]
    assert found(script) == []


def test_a_page_shows_what_may_be_done() -> None:
    page = f"```sh\npython src/train.py {KNOWN} --gamma 1\n```\n"
    assert found("true", {"README.md": page}) == []


def test_the_option_that_is_meant() -> None:
    files = {".git/HEAD": "", "run.sh": f"python train.py {KNOWN} --use_lroa\n"}
    told = lint_in(files, PROGRAM, name="train.py", framework="trl_programs", select=["TRP895"])
    assert [one.message.endswith("Did you mean `--use_lora`?") for one in told] == [True]
