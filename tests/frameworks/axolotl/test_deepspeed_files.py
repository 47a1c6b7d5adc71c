"""Findings in the DeepSpeed file that a config names."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import cfglint
from cfglint.engine.runner import Runner
from cfglint.engine.session import Options
from cfglint.engine.settings.nearest import SettingsFinder
from cfglint.environment.named_files import named_file
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.frameworks.axolotl.deepspeed_files import MAX_BYTES, is_shipped, stage_of
from cfglint.source.files.disk import Disk
from tests.cli.files import CLEAN
from tests.test_imports import _CHECK, imported

SETTINGS: dict[str, Any] = {
    "zero_optimization": {"stage": 3, "stage3_gather_16bit_weights_on_model_save": True},
    "gradient_clipping": "auto",
}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def around(repo: Path) -> Surroundings:
    return Surroundings(Memory(), Disk(), folder=str(repo))


def project(repo: Path, settings: object, written: str = "ds.json") -> str:
    """A config that names a file, and the file."""
    text = settings if isinstance(settings, str) else json.dumps(settings, indent=2)
    (repo / "ds.json").write_text(text)
    config = repo / "train.yml"
    config.write_text(CLEAN + f"deepspeed: {written}\n")
    return str(config)


def found(config: str, code: str = "DST55") -> list[tuple[str, int, str]]:
    """(code, line, message) in the config and the files beside it."""
    report = cfglint.lint_file(config, select=[code])
    return [
        (d.code, one.source.position(d.span.start).line, d.message)
        for one in (report, *report.elsewhere)
        for d in one.diagnostics
    ]


def test_a_good_file_is_silent_and_tells_its_stage(repo: Path) -> None:
    assert found(project(repo, SETTINGS)) == []
    assert stage_of("ds.json", around(repo)) == 3
    assert stage_of("ds.json", Surroundings(Memory(), Disk())) is None
    assert stage_of("other.json", around(repo)) is None


@pytest.mark.parametrize(
    ("settings", "stage"),
    [
        ({"zero_optimization": {"stage": 0}}, 0),
        ({"bf16": {"enabled": True}}, 0),
        ({"zero_optimization": {"stage": "auto"}}, None),
        ({"zero_optimization": {"stage": True}}, None),
        ({"zero_optimization": [3]}, None),
        ({"zero_optimization": 3}, None),
        ({"zero_optimization": None}, 0),
        ({"zero_optimization": {"overlap_comm": True}}, None),
        ("[]", None),
        ("{", None),
    ],
)
def test_stages(repo: Path, settings: object, stage: int | None) -> None:
    project(repo, settings)
    assert stage_of("ds.json", around(repo)) == stage


def test_the_stage_of_a_file_counts_more_than_its_name(repo: Path) -> None:
    # ZeRO-3 and a smaller batch on retry do not go together.
    config = project(repo, SETTINGS)
    Path(config).write_text(CLEAN + "deepspeed: ds.json\nauto_find_batch_size: true\n")
    assert [row[0] for row in found(config, "DST415")] == ["DST415"]
    project(repo, {"zero_optimization": {"stage": 2}, "gradient_clipping": "auto"})
    Path(config).write_text(CLEAN + "deepspeed: ds.json\nauto_find_batch_size: true\n")
    assert found(config, "DST415") == []


def test_isolated_runs_and_texts_look_at_no_file(repo: Path) -> None:
    config = project(repo, "{")
    assert [row[0] for row in found(config, "JSN")] == ["JSN001"]
    report = Runner(Options(select=("JSN",)), SettingsFinder(isolated=True)).check_file(
        config, named=True
    )
    assert report is not None
    assert (report.diagnostics, report.elsewhere) == ((), ())
    text = cfglint.lint_text(Path(config).read_text(), select=["JSN"])
    assert text.diagnostics == ()


def test_two_files_of_that_name_are_not_guessed_at(repo: Path) -> None:
    project(repo, "{")
    (repo / "configs").mkdir()
    (repo / "configs" / "ds.json").write_text("{}")
    config = repo / "configs" / "train.yml"
    config.write_text(CLEAN + "deepspeed: ds.json\n")
    assert found(str(config), "JSN") == []
    (repo / "configs" / "ds.json").write_text("{")
    assert [row[0] for row in found(str(config), "JSN")] == ["JSN001"]


def test_a_missing_file(repo: Path) -> None:
    config = project(repo, SETTINGS, "dss.json")
    ((code, _, message),) = found(config)
    assert code == "DST550"
    assert "`ds.json`" in message
    os.rmdir(repo / ".git")
    # A name alone, and nobody knows in which folder the run starts.
    assert found(config) == []
    for written in ("deepspeed_configs/zero2.json", "/root/ds.json", "../x.json", "a/b.json"):
        assert found(project(repo, SETTINGS, written)) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "YML007"),
        ("[]", "YML006"),
        ("null", "YML006"),
        ('"x"', "YML006"),
        ("{", "JSN001"),
        ("[" * 5000, "YML010"),
        ('{"zero_optimization": {}', "JSN001"),
        ("\x00", "JSN001"),
    ],
)
def test_what_is_not_a_settings_file_is_reported_once(repo: Path, text: str, code: str) -> None:
    told = [
        row[0]
        for prefix in ("JSN", "YML", "KEY", "D")
        for row in found(project(repo, text), prefix)
    ]
    assert told == [code]


@pytest.mark.parametrize(
    "settings",
    [
        {"zero_optimization": 3},
        {"zero_optimization": None, "fp16": [], "bf16": "yes", "optimizer": 1, "scheduler": []},
        {"optimizer": {"type": 3, "params": []}, "scheduler": {"type": None}},
        {"optimizer": {"type": "AdamW", "params": {"betas": ["auto", 1], "lr": "x"}}},
        {"gradient_clipping": None, "train_batch_size": [], "zero_optimization": {"stage": 9}},
        {"zero_optimization": {"offload_param": "cpu", "offload_optimizer": None, "stage": 1}},
        {"": 1, "\u202e": 2, "a" * 10_000: 3},
    ],
)
def test_settings_of_the_wrong_shape_are_no_accident(repo: Path, settings: object) -> None:
    for code in ("DST55", "YML"):
        assert not [row for row in found(project(repo, settings), code) if "failed" in row[2]]


def test_values_that_are_equal_in_other_spellings(repo: Path) -> None:
    config = project(repo, {**SETTINGS, "optimizer": {"type": "AdamW", "params": {"lr": 2e-4}}})
    for rate in ("0.0002", "2e-4", '"2e-4"', "2.0e-4"):
        text = "\n".join(
            f"learning_rate: {rate}" if line.startswith("learning_rate") else line
            for line in CLEAN.splitlines()
        )
        Path(config).write_text(text + "\ndeepspeed: ds.json\n")
        assert found(config, "DST553") == []


def test_batches_of_gpus_that_are_no_replicas_are_not_compared(repo: Path) -> None:
    config = project(repo, {**SETTINGS, "train_batch_size": 7})
    text = Path(config).read_text() + "gradient_accumulation_steps: 4\n"
    Path(config).write_text(text)
    report = cfglint.lint_file(config, gpus=8, select=["DST553"])
    assert [found.code for found in report.elsewhere[0].diagnostics] == ["DST553"]
    Path(config).write_text(Path(config).read_text() + "context_parallel_size: 2\n")
    report = cfglint.lint_file(config, gpus=8, select=["DST553"])
    assert report.elsewhere[0].diagnostics == ()


def test_a_comment_in_the_config_silences_the_finding_there(repo: Path) -> None:
    config = project(repo, SETTINGS, "dss.json  # cfglint: ignore[DST550]")
    assert found(config) == []


def test_the_files_that_come_with_axolotl() -> None:
    assert is_shipped("deepspeed_configs/zero3_bf16.json")
    assert is_shipped("/workspace/axolotl/deepspeed_configs/zero1.json")
    assert not is_shipped("deepspeed_configs/mine.json")
    assert not is_shipped("zero1.json")


def test_a_file_that_is_too_large_is_left_alone(repo: Path) -> None:
    assert found(project(repo, "{" + " " * 300_000 + "}")) == []
    assert named_file("ds.json", around(repo), MAX_BYTES) is not None


def test_a_config_without_such_a_file_imports_nothing_of_this(repo: Path) -> None:
    (repo / "train.yml").write_text(CLEAN.replace("./data/train.jsonl", "org/data"))
    modules, _ = imported(_CHECK.format(arguments=[str(repo / "train.yml")]))
    assert not any(module.startswith("cfglint.frameworks.deepspeed") for module in modules)
    assert "cfglint.frameworks.axolotl.checks.deepspeed_file" not in modules


@pytest.mark.parametrize(
    ("bf16", "theirs", "differs"),
    [
        ("true", False, True),
        ("full", False, True),
        ("full", True, False),
        ("false", True, True),
        ("false", False, False),
        # The GPU decides.
        ("auto", True, False),
        ("auto", False, False),
    ],
)
def test_precision(repo: Path, bf16: str, *, theirs: bool, differs: bool) -> None:
    config = Path(project(repo, {**SETTINGS, "bf16": {"enabled": theirs}}))
    lines = [line for line in config.read_text().splitlines() if not line.startswith("bf16")]
    config.write_text("\n".join([*lines, f"bf16: {bf16}"]) + "\n")
    said = [message for _, _, message in found(str(config), "DST") if "bf16: " in message]
    assert bool(said) is differs
