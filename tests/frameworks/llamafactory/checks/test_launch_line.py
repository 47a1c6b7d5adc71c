"""The commands that start a file: words behind it, variables, and commands that it is not for."""

from __future__ import annotations

from cfglint.frameworks.llamafactory.checks.launch_line import CHECKS
from tests.draws import each
from tests.linting import lint_in, messages
from tests.shipped import codes_of

CONFIG = (
    "model_name_or_path: Qwen/Qwen3-8B\ntemplate: qwen3\nstage: sft\ndo_train: true\n"
    "finetuning_type: lora\ndataset: one\ncutoff_len: 2048\noutput_dir: ./out\n"
)
EXPORT = "model_name_or_path: Qwen/Qwen3-8B\nadapter_name_or_path: out\ntemplate: qwen3\nexport_dir: merged\n"
CODES = codes_of(CHECKS)


def said(
    command: str, release: str = "0.9.3", text: str = CONFIG, name: str = "train.yaml"
) -> list[str]:
    target = (f"llamafactory=={release}",)
    return messages(
        lint_in(
            {"run.sh": f"{command}\n"},
            text,
            name=name,
            framework="llamafactory",
            select=CODES,
            target=target,
        )
    )


def of_export(command: str) -> list[str]:
    return said(command, text=EXPORT)


TRAIN = "llamafactory-cli train train.yaml"


@each(
    ("command", "release", "expected"),
    [
        (TRAIN, "0.9.3", []),
        (
            f"{TRAIN} --lora_rank 8",
            "0.9.3",
            [
                "error: Write `lora_rank=8`: LLaMA-Factory reads nothing but `key=value` behind the file, and `--lora_rank` stops it."
            ],
        ),
        (
            f"{TRAIN} lora_rank=8 --learning-rate=1e-4",
            "0.9.3",
            [
                "error: Write `learning_rate=1e-4`: LLaMA-Factory reads nothing but `key=value` behind the file, and `--learning-rate=1e-4` stops it."
            ],
        ),
        (f"{TRAIN} lora_rank=8", "0.9.3", []),
        (
            f"{TRAIN} --do_eval",
            "0.9.3",
            [
                "error: Write `do_eval=true`: LLaMA-Factory reads nothing but `key=value` behind the file, and `--do_eval` stops it."
            ],
        ),
        (
            f"{TRAIN} --do_eval --bf16",
            "0.9.3",
            [
                "error: Write `do_eval=true`: LLaMA-Factory reads nothing but `key=value` behind the file, and `--do_eval` stops it."
            ],
        ),
        (
            f"{TRAIN} lora_rank",
            "0.9.3",
            [
                "error: Write `key=value`: LLaMA-Factory reads nothing but `key=value` behind the file, and `lora_rank` stops it."
            ],
        ),
        (
            f"{TRAIN} -v",
            "0.9.3",
            [
                "error: Write `key=value`: LLaMA-Factory reads nothing but `key=value` behind the file, and `-v` stops it."
            ],
        ),
        (f"{TRAIN} $EXTRA", "0.9.3", []),
        (
            f"{TRAIN} lora_rank=8",
            "0.9.2",
            [
                "error: Put it into the file: LLaMA-Factory reads the file only if nothing follows it, and `lora_rank=8` stops it."
            ],
        ),
        (
            f"{TRAIN} --lora_rank 8",
            "0.9.2",
            [
                "error: Put it into the file: LLaMA-Factory reads the file only if nothing follows it, and `--lora_rank` stops it."
            ],
        ),
        ("llamafactory-cli train --stage sft train.yaml", "0.9.3", []),
        (
            f"NNODES=2 RANK=0 FORCE_TORCHRUN=1 {TRAIN}",
            "0.9.3",
            [
                "error: Set `NODE_RANK` instead of `RANK`: with `NNODES=2`, this release of LLaMA-Factory takes the number of the machine from `NODE_RANK`, and every machine is number 0."
            ],
        ),
        (f"NNODES=2 NODE_RANK=0 FORCE_TORCHRUN=1 {TRAIN}", "0.9.3", []),
        (
            f"NNODES=2 NODE_RANK=0 FORCE_TORCHRUN=1 {TRAIN}",
            "0.9.0",
            [
                "error: Set `RANK` instead of `NODE_RANK`: with `NNODES=2`, this release of LLaMA-Factory takes the number of the machine from `RANK`, and every machine is number 0."
            ],
        ),
        (f"NNODES=2 RANK=0 FORCE_TORCHRUN=1 {TRAIN}", "0.9.0", []),
        (f"NNODES=2 RANK=0 NODE_RANK=0 FORCE_TORCHRUN=1 {TRAIN}", "0.9.3", []),
        (f"NNODES=1 RANK=0 FORCE_TORCHRUN=1 {TRAIN}", "0.9.3", []),
        (f"NNODES=$N RANK=0 FORCE_TORCHRUN=1 {TRAIN}", "0.9.3", []),
        (f"RANK=0 FORCE_TORCHRUN=1 {TRAIN}", "0.9.3", []),
        (
            "llamafactory-cli chat train.yaml",
            "0.9.3",
            [
                "error: Start this file with `llamafactory-cli train`: `chat` does not know the trainer's arguments, and refuses `do_train`."
            ],
        ),
        ("ALLOW_EXTRA_ARGS=1 llamafactory-cli chat train.yaml", "0.9.3", []),
        (
            "llamafactory-cli export train.yaml",
            "0.9.3",
            [
                "error: Start this file with `llamafactory-cli train`: `export` does not know the trainer's arguments, and refuses `do_train`."
            ],
        ),
        (
            "llamafactory-cli eval train.yaml",
            "0.9.3",
            [
                "error: Start this file with `llamafactory-cli train`: `eval` does not know the trainer's arguments, and refuses `do_train`."
            ],
        ),
        (
            "llamafactory-cli eval train.yaml",
            "0.9.4",
            [
                "error: Start this file with `llamafactory-cli train`: `eval` does not know the trainer's arguments, and refuses `do_train`.",
                "error: Evaluate with another program, or with LLaMA-Factory 0.9.3: since 0.9.4 `eval` does nothing but raise an error.",
            ],
        ),
        ("llamafactory-cli webui", "0.9.3", []),
    ],
)
def test_commands(command: str, release: str, expected: list[str]) -> None:
    assert said(command, release) == expected


@each(
    ("command", "release", "text", "name", "expected"),
    [
        (
            "llamafactory-cli train train.yml",
            "0.9.0",
            CONFIG,
            "train.yml",
            [
                "error: Rename `train.yml` to end in `.yaml`: this release reads no other file, and takes the name for an option."
            ],
        ),
        ("llamafactory-cli train train.yml", "0.9.1", CONFIG, "train.yml", []),
        ("llamafactory-cli train train.yaml", "0.9.0", CONFIG, "train.yaml", []),
    ],
)
def test_endings(command: str, release: str, text: str, name: str, expected: list[str]) -> None:
    assert said(command, release, text, name) == expected


@each(
    ("command", "expected"),
    [
        ("llamafactory-cli export train.yaml", []),
        (
            "llamafactory-cli train train.yaml",
            [
                "error: Write `llamafactory-cli export`: the file says where a model is exported to, and nothing about a training."
            ],
        ),
        ("llamafactory-cli chat train.yaml", []),
    ],
)
def test_a_file_for_an_export(command: str, expected: list[str]) -> None:
    assert of_export(command) == expected


def test_where_it_is_shown() -> None:
    script = f"export A=1\nNNODES=2 RANK=0 FORCE_TORCHRUN=1 {TRAIN} --lora_rank 8\n"
    found = lint_in(
        {"run.sh": script},
        CONFIG,
        name="train.yaml",
        framework="llamafactory",
        select=CODES,
        target=("llamafactory==0.9.3",),
    )
    assert sorted(script[one.span.start : one.span.end] for one in found) == ["--lora_rank", "RANK"]
