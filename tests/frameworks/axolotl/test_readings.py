"""The other files of a config, and what is known of its model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cfglint.base.logic import UNKNOWN
from cfglint.frameworks.axolotl.readings import AxolotlReadings
from cfglint.knowledge.rules.views import View
from tests.draws import each
from tests.linting import case_in

BASE = "base_model: NousResearch/Llama-3.2-1B\n"
FILES = {
    ".git/HEAD": "",
    "ds.json": "{}",
    "acc.yaml": "distributed_type: FSDP\n",
    "other.yaml": "distributed_type: FSDP\n",
}
LAUNCH = "accelerate launch {} -m axolotl.cli.train train.yml\n"


def readings(text: str, files: Mapping[str, str] = {}) -> tuple[AxolotlReadings, Any, Any]:
    case, source = case_in({**FILES, **files}, BASE + text)
    document = case.framework.language.read(source)
    found = case.framework.readings
    assert isinstance(found, AxolotlReadings)
    return found, document, case.around


def references(text: str, files: Mapping[str, str] = {}) -> list[tuple[str, str | None, int]]:
    """The framework, the file and the number of commands of each file that goes with a config."""
    found, document, around = readings(text, files)
    return [
        (one.framework, one.path and one.path.rpartition("/")[2], len(one.launches or ()))
        for one in found.references(document, around)
    ]


@each(
    ("text", "expected"),
    [
        ("", []),
        ("deepspeed: ds.json\n", [("deepspeed", "ds.json", 0)]),
        ("deepspeed: none.json\n", [("deepspeed", None, 0)]),
        ("deepspeed: {zero_optimization: {stage: 2}}\n", [("deepspeed", None, 0)]),
        ("deepspeed: ''\n", []),
        ("deepspeed: true\n", []),
        ("deepspeed: [ds.json]\n", []),
    ],
)
def test_settings_of_deepspeed(text: str, expected: list[tuple[str, str | None, int]]) -> None:
    assert references(text) == expected


@each(
    ("script", "expected"),
    [
        (LAUNCH.format("--config_file acc.yaml"), [("accelerate", "acc.yaml", 1)]),
        (LAUNCH.format("--config_file acc.yaml") * 2, [("accelerate", "acc.yaml", 2)]),
        (
            LAUNCH.format("--config_file acc.yaml") + LAUNCH.format("--config_file other.yaml"),
            [("accelerate", "acc.yaml", 1), ("accelerate", "other.yaml", 1)],
        ),
        (LAUNCH.format("--config_file none.yaml"), []),
        (LAUNCH.format("--config_file $ACC"), []),
        (LAUNCH.format(""), []),
        ("torchrun -m axolotl.cli.train train.yml --config_file acc.yaml\n", []),
        (LAUNCH.format("--config_file acc.yaml").replace("train.yml", "x.yml"), []),
    ],
)
def test_settings_of_accelerate(script: str, expected: list[tuple[str, str, int]]) -> None:
    assert references("", {"run.sh": script}) == expected


@each(
    ("text", "expected"),
    [
        ("base_model: ./m\n", "llama"),
        ("base_model: ./m\nbase_model_config: ./m\n", "llama"),
        # What the config of another model says is not in this one's folder.
        ("base_model: ./m\nbase_model_config: a/b\n", UNKNOWN),
        ("base_model: $MODEL\n", UNKNOWN),
        ("base_model: ./none\n", UNKNOWN),
        ("seed: 1\n", UNKNOWN),
    ],
)
def test_facts_of_the_model_are_read_from_its_folder(text: str, expected: Any) -> None:
    folder = {"m/config.json": '{"model_type": "llama"}'}
    case, source = case_in({**FILES, **folder}, text)
    document = case.framework.language.read(source)
    found = case.framework.readings.fact("model.model_type", View(document), case.around)
    assert found is expected or found == expected
