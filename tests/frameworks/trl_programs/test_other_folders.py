"""Configs and programs that a command looks for in another folder than theirs."""

from __future__ import annotations

from tests.draws import each
from tests.linting import lint_in

PROGRAM = """\
from transformers import Trainer, TrainingArguments
Trainer(model=model, args=TrainingArguments(output_dir="out"), train_dataset=rows).train()
"""
FILES = {
    ".git/HEAD": "",
    "train/configs/zero3.yaml": "distributed_type: DEEPSPEED",
    "train/configs/zero3.json": '{"zero_optimization": {"stage": 3}}',
    "configs/zero2.json": '{"zero_optimization": {"stage": 2}}',
}


def found(command: str, more: dict[str, str] | None = None, script: str = "run.sh") -> list[str]:
    """What is written, and where it is, in the commands of a script for `train/sft.py`."""
    told = lint_in(
        {**FILES, "train/sft.py": PROGRAM, script: f"{command}\n", **(more or {})},
        PROGRAM,
        name="train/sft.py",
        framework="trl_programs",
        select=["TRP894"],
    )
    assert all(one.file is not None and one.file.path.endswith(script) for one in told)
    return [" ".join(one.message.split("`")[1:4:2]) for one in told]


MOVED = ["train/zero3.yaml train/configs/zero3.yaml"]
LAUNCH = "accelerate launch --config_file train/zero3.yaml train/sft.py"


@each(
    ("command", "expected"),
    [
        (LAUNCH, MOVED),
        ("accelerate launch --config_file=train/zero3.yaml train/sft.py", MOVED),
        (
            "torchrun --nproc_per_node 8 ./train/sft.py --deepspeed zero3.json",
            ["zero3.json train/configs/zero3.json"],
        ),
        (
            "deepspeed train/sft.py --deepspeed ds/zero3.json",
            ["ds/zero3.json train/configs/zero3.json"],
        ),
        # It may run in the folder of the program, too.
        ("deepspeed train/sft.py --deepspeed configs/zero3.json", []),
        # It is there, in whatever folder the command runs.
        ("accelerate launch --config_file train/configs/zero3.yaml train/sft.py", []),
        ("deepspeed train/sft.py --deepspeed configs/zero2.json", []),
        # Nothing of the name is anywhere, or the path is not known.
        ("accelerate launch --config_file train/zero1.yaml train/sft.py", []),
        ("accelerate launch --config_file $CONFIGS/zero3.yaml train/sft.py", []),
        ("accelerate launch --config_file /etc/zero3.yaml train/sft.py", []),
        ("accelerate launch --config_file ../zero3.yaml train/sft.py", []),
        # Something brings it, or the command runs elsewhere.
        (f"cp train/configs/zero3.yaml train/\n{LAUNCH}", []),
        (f"cd /srv/other\n{LAUNCH}", []),
        (f"cat > train/zero3.yaml <<EOF\ndistributed_type: NO\nEOF\n{LAUNCH}", []),
        # Where it runs is not known.
        ("accelerate launch --config_file zero3.yaml sft.py", []),
        # The program is elsewhere, as a config tells that the command names.
        (
            "deepspeed old/sft.py --deepspeed configs/zero2.json",
            ["old/sft.py train/sft.py"],
        ),
        ("deepspeed old/sft.py --deepspeed configs/zero9.json", []),
        ("deepspeed old/sft.py --deepspeed $CONFIG", []),
        ("deepspeed old/sft.py", []),
        ("deepspeed old/other.py --deepspeed configs/zero2.json", []),
        (f"git clone https://example.com/old\n{LAUNCH.replace('train/sft', 'old/sft')}", []),
    ],
)
def test_where_a_command_looks(command: str, expected: list[str]) -> None:
    assert found(command) == expected


@each(
    ("more", "expected"),
    [
        ({"README.md": "Run `bash run.sh`; train/configs/zero3.yaml is for eight GPUs.\n"}, MOVED),
        ({"README.md": "```sh\ncp train/configs/zero3.yaml train\n```\n"}, []),
        ({"make.py": "open('train/zero3.yaml', 'w').write(text)\n"}, []),
        ({".gitignore": "train/zero3.yaml\n"}, []),
        ({".gitignore": "*.yaml\n"}, []),
        ({".gitignore": "out/\n"}, MOVED),
        # Two programs of the name, so that the folder of the command is not known.
        ({"old/train/sft.py": PROGRAM}, []),
        ({"old/train/zero3.yaml": "distributed_type: NO"}, []),
    ],
)
def test_what_else_the_project_has(more: dict[str, str], expected: list[str]) -> None:
    assert found(LAUNCH, more) == expected


def test_a_program_by_its_name_alone_runs_in_the_folder_of_its_script() -> None:
    command = "accelerate launch --config_file zero3.yaml sft.py"
    expected = ["zero3.yaml configs/zero3.yaml"]
    assert found(command, script="train/run.sh") == expected


def test_a_program_that_goes_elsewhere_itself() -> None:
    told = lint_in(
        {**FILES, "run.sh": f"{LAUNCH}\n"},
        f"import os\nos.chdir('train')\n{PROGRAM}",
        name="train/sft.py",
        framework="trl_programs",
        select=["TRP894"],
    )
    assert told == []
