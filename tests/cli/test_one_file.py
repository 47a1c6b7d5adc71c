"""What commands about one file have in common: their options, and which file they read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from cfglint.cli.fit_file import fitting_of
from cfglint.cli.one_file import pins, read_bytes, read_config
from cfglint.engine.session import Options, RunError, Session
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.source.files.memory import InMemory
from cfglint.source.text import MAX_BYTES
from tests.cli.files import CLEAN
from tests.cli.running import run
from tests.draws import each

START = "axolotl train train.yml\n"
FILES = {
    "train.yml": CLEAN,
    "run.sh": START,
    "both.sh": f"{START}axolotl train other.yml\n",
    "lost.sh": "axolotl train none.yml\n",
    "sft.sh": "trl sft --model_name_or_path a/b --dataset_name c\n",
    "other.yml": CLEAN,
    "jobs/run.sh": "axolotl train ../train.yml\n",
    "jobs/program.sh": "accelerate launch --num_processes 4 jobs/sft.py\n",
    "jobs/sft.py": """\
from trl import SFTConfig, SFTTrainer
args = SFTConfig(output_dir="o", max_length=1024, per_device_train_batch_size=1)
SFTTrainer(model="Qwen/Qwen2.5-0.5B", args=args, train_dataset=None).train()
""",
    "jobs/given.sh": "accelerate launch --num_processes 8 jobs/parsing.py --config jobs/grpo.yaml\n",
    "jobs/grpo.yaml": """\
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: trl-lib/tldr
output_dir: out
num_generations: 8
max_completion_length: 256
per_device_train_batch_size: 4
learning_rate: 1.0e-6
use_vllm: false
""",
    "jobs/parsing.py": """\
from trl import GRPOConfig, GRPOTrainer, TrlParser
args = TrlParser(GRPOConfig).parse_args_and_config()[0]
GRPOTrainer(model=args.model, args=args, reward_funcs=[len], train_dataset=None).train()
""",
    "jobs/options.sh": "accelerate launch jobs/parsing.py --learning_rate 1e-6\n",
    "jobs/empty.sh": "echo\n",
}


def session(more: Mapping[str, str] | None = None) -> Session:
    files = {**FILES, **(more or {})}
    contents = {f"/p/{name}": text.encode() for name, text in files.items()}
    return Session(Options(), SettingsFinder(files=InMemory({**contents, "/p/.git/HEAD": b""})))


@each(
    ("file", "read"),
    [
        ("train.yml", "train.yml"),
        # A script that only starts one config or program stands for it, whatever folder its path counts from,
        ("run.sh", "train.yml"),
        ("jobs/run.sh", "train.yml"),
        ("jobs/program.sh", "jobs/sft.py"),
        # and one whose program reads a config for that.
        ("jobs/given.sh", "jobs/grpo.yaml"),
    ],
)
def test_which_run_is_counted(file: str, read: str) -> None:
    found = fitting_of(session(), f"/p/{file}").file
    assert os.path.relpath(os.path.abspath(found), "/p") == read


@each(
    ("file", "why"),
    [
        ("both.sh", "it starts train.yml; name that instead of the script"),
        ("lost.sh", "it starts none.yml; name that instead of the script"),
        (
            "jobs/options.sh",
            "options.sh: `fit` does not support commands of TRL programs yet, and .*parsing.py, which it starts,"
            " states no settings itself",
        ),
        ("jobs/empty.sh", "it has no command whose options cfglint reads"),
        ("none.yml", "cannot be read"),
    ],
)
def test_of_what_no_run_is_counted(file: str, why: str) -> None:
    with pytest.raises(RunError, match=why):
        fitting_of(session(), f"/p/{file}")


def test_a_config_has_the_gpus_of_the_only_script_that_names_it() -> None:
    path = "/p/jobs/grpo.yaml"
    assert fitting_of(session(), path).answer.gpus == 8
    assert fitting_of(session({"other.sh": FILES["jobs/given.sh"]}), path).answer.gpus == 1
    assert fitting_of(session({"jobs/given.sh": "cat grpo.yaml\n"}), path).answer.gpus == 1


@each("file", ["run.sh", "both.sh", "lost.sh"])
def test_a_script_is_no_config(file: str) -> None:
    with pytest.raises(RunError, match="name that instead of the script"):
        read_config(session(), f"/p/{file}")


def test_one_byte_too_many_is_enough() -> None:
    files = InMemory({"/p/large": b"x" * (MAX_BYTES + 9), "/p/small": b"x"})
    assert len(read_bytes("/p/large", files)) == MAX_BYTES + 1
    assert read_bytes("/p/small", files) == b"x"


@each(
    ("given", "expected"),
    [
        ((), ()),
        (("a==1",), ("a==1",)),
        (("a==1,b==2 c==3", "d==4"), ("a==1", "b==2", "c==3", "d==4")),
        (("a==1,, ",), ("a==1",)),
    ],
)
def test_several_versions(given: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert pins(given) == expected


@each("command", ["effective", "fit"])
@each(("number", "code"), [("0", 2), ("-1", 2), ("many", 2), ("1", 0)])
def test_numbers_of_gpus(command: str, number: str, code: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parent)
        result = run(
            *(command, "-", "--gpus", number, "--target", "axolotl==0.18.0", "--isolated"),
            stdin=CLEAN.encode(),
        )
    if code:
        assert result.code == code
        assert "--gpus" in result.err
    else:
        assert "--gpus" not in result.err


def test_errors_end_the_command(tmp_path: Path) -> None:
    result = run("effective", str(tmp_path / "none.yml"))
    assert (result.code, result.out) == (2, "")
    assert (
        result.err == f"cfglint: {tmp_path}/none.yml: cannot be read: No such file or directory\n"
    )
