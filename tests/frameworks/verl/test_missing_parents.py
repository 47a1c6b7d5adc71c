"""A parent that a config of the project's copy of verl names, and that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

CONFIG = "defaults:\n  - data@data: legacy_data\n  - _self_\ntrainer:\n  total_epochs: 30\n"
START = "python3 -m verl.trainer.main_ppo {}trainer.total_epochs=15 data.own=1\n"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    config = tmp_path / "verl" / "trainer" / "config"
    config.mkdir(parents=True)
    (tmp_path / "verl" / "__init__.py").write_text("")
    (tmp_path / "verl" / "trainer" / "main_ppo.py").write_text("")
    (config / "ppo_trainer.yaml").write_text(CONFIG)
    return config


def codes(copy: Path, words: str = "") -> list[str]:
    path = copy.parents[2] / "run.sh"
    path.write_text(START.format(words))
    found = lint_file(path).diagnostics
    return [one.code for one in found if one.severity == "error"]


def test_a_parent_that_is_not_there_and_none_of_its_keys(copy: Path) -> None:
    # What the section has is not known: `data.own` is no finding.
    assert codes(copy) == ["VRL080"]
    (copy / "data").mkdir()
    (copy / "data" / "legacy_data.yaml").write_text("own: 0\n")
    assert codes(copy) == []


def test_what_a_command_chooses_instead(copy: Path) -> None:
    (copy / "data").mkdir()
    (copy / "data" / "other.yaml").write_text("own: 0\n")
    assert codes(copy) == ["VRL080"]
    assert codes(copy, "data=other ") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  - data@", "  - optional data@"),
        ("defaults:", "hydra:\n  searchpath: [file://elsewhere]\ndefaults:"),
    ],
)
def test_a_parent_that_may_be_missing_or_elsewhere(copy: Path, old: str, new: str) -> None:
    (copy / "ppo_trainer.yaml").write_text(CONFIG.replace(old, new))
    assert "VRL080" not in codes(copy)


def test_where_hydra_may_look_elsewhere_for_the_command(copy: Path) -> None:
    assert "VRL080" not in codes(copy, "hydra.searchpath=[file://elsewhere] ")


@pytest.mark.parametrize("name", ["verl/__init__.py", "verl/trainer/main_ppo.py"])
def test_what_is_laid_over_an_installed_verl_is_no_copy(copy: Path, name: str) -> None:
    (copy.parents[2] / name).unlink()
    assert "VRL080" not in codes(copy)


def test_what_a_copy_reads_is_not_known(copy: Path) -> None:
    (copy / "data").mkdir()
    (copy / "data" / "legacy_data.yaml").write_text("own: 0\ntrain_files: a\n")
    assert codes(copy, "data.train_files=/data/prompts ") == []
    (copy / "ppo_trainer.yaml").unlink()
    assert "VRL081" in [
        one.code
        for one in lint_file(copy.parents[2] / "run.sh", target=["verl==0.9.1"]).diagnostics
    ]
