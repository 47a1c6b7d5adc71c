"""What the rest of a project says about the keys of a DeepSpeed file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.checks.context import CheckContext
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.deepspeed.own_code import DeepSpeedOwnCode
from cfglint.roles.framework import load_framework
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.text import SourceText
from tests.linting import environment

PROGRAM = "from transformers import TrainingArguments\nTrainingArguments({}deepspeed='ds.json')\n"


def found(folder: Path, **others: str) -> list[tuple[str, str]]:
    """(code, severity) of what is found in a file that a trainer loads, with further files beside it."""
    (folder / ".git").mkdir()
    settings = {"zero_optimization": {"stage": 2}, "train_batch_size": "auto"}
    (folder / "ds.json").write_text(
        json.dumps({**settings, "gradient_checkpointing": True, "own": 1})
    )
    for name, text in {"train.py": PROGRAM.format(""), **others}.items():
        (folder / name).write_text(text)
    report = lint_file(str(folder / "ds.json"), select=["KEY"])
    return [(one.code, one.severity) for one in report.diagnostics]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("train.py", PROGRAM.format("gradient_checkpointing=True, ")),
        ("run.sh", "python train.py --gradient_checkpointing True\n"),
        ("sft.yaml", "gradient_checkpointing: true\ndeepspeed: ds.json\n"),
    ],
)
def test_an_argument_of_the_trainer_that_it_gets_elsewhere(
    tmp_path: Path, name: str, text: str
) -> None:
    assert found(tmp_path, **{name: text}) == [("KEY001", "note")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("train.py", PROGRAM.format("gradient_checkpointing_kwargs={}, ")),
        # Another file of this kind says as little.
        ("other.json", '{"zero_optimization": {}, "gradient_checkpointing": true}'),
    ],
)
def test_an_argument_of_the_trainer_that_is_here_alone(
    tmp_path: Path, name: str, text: str
) -> None:
    assert ("KEY002", "warning") in found(tmp_path, **{name: text})


@pytest.mark.parametrize(
    ("program", "is_asked_for"),
    [
        ("load('ds.json')['own']\n", True),
        ("for key in load('ds.json'):\n    if key == 'own':\n        print(key)\n", True),
        # It writes such settings itself.
        ("settings = {'own': {'stage': 3}}\n", False),
    ],
)
def test_a_key_that_a_program_of_the_project_asks_for(
    tmp_path: Path, program: str, is_asked_for: bool
) -> None:
    others = [] if is_asked_for else [("KEY001", "note")]
    assert sorted(found(tmp_path, **{"train.py": program})) == [*others, ("KEY002", "warning")]


def test_of_settings_with_an_open_value_nothing_is_known(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    text = "from transformers import TrainingArguments\nTrainingArguments(output_dir='out', deepspeed={})\n"
    settings = '{"train_micro_batch_size_per_gpu": "auto", "zero_optimization": {"stage": STAGE}}'
    for stage, found in (("7", ["TYP001"]), ("int(given)", [])):
        program.write_text(text.replace("{}", settings.replace("STAGE", stage)))
        report = lint_file(program)
        assert [one.code for one in report.diagnostics if one.severity == "error"] == found


def test_a_text_without_a_place_has_no_other_reader() -> None:
    deepspeed = load_framework("deepspeed")
    text = '{"zero_optimization": {"stage": 2}, "gradient_checkpointing": true}'
    document = deepspeed.language.read(SourceText(text))
    ctx = CheckContext(document, deepspeed, environment(framework="deepspeed"), nowhere())
    entry = document.entry(("gradient_checkpointing",))
    assert entry is not None
    key = WrittenKey("", (entry.label,), entry, str(entry.name), None, document.root)
    assert isinstance(deepspeed.own_code, DeepSpeedOwnCode)
    assert not deepspeed.own_code.sets(key, ctx)
    assert not deepspeed.own_code.has(key, ctx)
