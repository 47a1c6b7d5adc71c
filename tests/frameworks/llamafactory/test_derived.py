"""What follows from several settings: the command, and what starts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cfglint.frameworks.llamafactory.derived import DERIVED
from tests.draws import each
from tests.frameworks.deriving import derived

BASE = "model_name_or_path: a/b\n"


def values(
    names: str, text: str, release: str = "0.9.3", files: Mapping[str, str] = {}
) -> list[Any]:
    target = (f"llamafactory=={release}",) if release else ()
    return derived(
        DERIVED,
        names.split(),
        BASE + text,
        framework="llamafactory",
        name="train.yaml",
        target=target,
        files=files,
    )


@each(
    ("names", "text", "expected"),
    [
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "",
            ["chat", False, False, True, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "output_dir: x\n",
            ["train", True, False, True, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "do_predict: false\n",
            ["train", True, False, True, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "task: t\nsave_dir: s\n",
            ["eval", False, False, True, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "task: t\n",
            ["chat", False, False, True, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "do_eval: true\n",
            ["train", True, True, True, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "eval_strategy: steps\n",
            ["chat", False, True, True, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "eval_strategy: 'no'\n",
            ["chat", False, False, True, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "evaluation_strategy: epoch\n",
            ["chat", False, True, True, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "do_predict: true\n",
            ["train", True, True, True, False, False],
        ),
    ],
)
def test_values(names: str, text: str, expected: Sequence[Any]) -> None:
    assert values(names, text) == expected


@each(
    ("names", "text", "release", "files", "expected"),
    [
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "output_dir: x\n",
            "0.9.3",
            {"run.sh": "llamafactory-cli train train.yaml\n"},
            ["train", True, False, True, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "output_dir: x\n",
            "0.9.3",
            {"run.sh": "FORCE_TORCHRUN=1 llamafactory-cli train train.yaml\n"},
            ["train", True, False, False, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "output_dir: x\n",
            "0.9.3",
            {"run.sh": "torchrun src/train.py train.yaml\n"},
            ["train", True, False, False, False, False],
        ),
        (
            "command trains evaluates in_one_process in_script by_deepspeed_launcher",
            "output_dir: x\n",
            "0.9.3",
            {"run.sh": "FORCE_TORCHRUN=1 llamafactory-cli chat train.yaml\n"},
            ["train", True, False, True, False, False],
        ),
    ],
)
def test_releases_and_projects(
    names: str, text: str, release: str, files: Mapping[str, str], expected: Sequence[Any]
) -> None:
    assert values(names, text, release, files) == expected
