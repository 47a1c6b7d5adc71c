"""The five cases cfglint was founded on, as project folders: found without options, quiet once fixed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run

PROJECTS = Path(__file__).resolve().parents[2] / "fixtures" / "projects"
#: Folder, config -> (code, severity, line of the key that carries it).
FOUND = [
    ("s1-packed-eval", "sft.yml", {("PAK001", "error", "eval_sample_packing: true")}),
    ("s2-orpo", "orpo.yml", {("RLH001", "error", "rl: orpo")}),
    (
        "s3-full-state-save",
        "mixtral.yml",
        {("SAV001", "warning", "fsdp_state_dict_type: FULL_STATE_DICT")},
    ),
    (
        "s4-kto-workers",
        "kto.yml",
        {
            ("FIT501", "error", "deepspeed: zero1.json"),
            ("RLH002", "warning", "dataset_processes: 96"),
        },
    ),
    (
        "s5-llama4-fsdp2",
        "scout.yml",
        {("SAV002", "error", "fsdp_state_dict_type: SHARDED_STATE_DICT")},
    ),
]
#: Folder, config, and the pins of a release that is repaired: file -> old text -> new text.
REPAIRED: list[tuple[str, str, dict[str, dict[str, str]]]] = [
    (
        "s1-packed-eval",
        "sft.yml",
        {
            "requirements.txt": {
                "6d3caadf90a9d4faafe8e167441355d128c66537": "f62e23737bc54dbef758fa8c58296ee0b1023e7b"
            }
        },
    ),
    (
        "s2-orpo",
        "orpo.yml",
        {
            "pyproject.toml": {">=0.7,<0.8": ">=0.8,<0.9"},
            "uv.lock": {
                '"0.7.1"': '"0.8.1"',
                '"1.3.0"': '"1.6.0"',
                '"0.14.0"': '"0.15.1"',
                '"4.49.0"': '"4.51.0"',
                'name = "trl"\nversion = "0.15.1"': 'name = "trl"\nversion = "0.16.1"',
            },
        },
    ),
    (
        "s5-llama4-fsdp2",
        "scout.yml",
        {
            "requirements.txt": {
                "==0.9.0": "==0.10.0",
                "==4.51.3": "==4.52.3",
                "accelerate==1.6.0": "accelerate==1.7.0",
            }
        },
    ),
]
#: Configs beside the first ones that do without what goes wrong.
FIXED = [
    ("s1-packed-eval", "sft-fixed.yml"),
    ("s3-full-state-save", "mixtral-fixed.yml"),
    ("s4-kto-workers", "kto-fixed.yml"),
]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the projects, away from the files of this repository."""
    shutil.copytree(PROJECTS, tmp_path / "projects")
    (tmp_path / "projects" / ".git").mkdir()
    monkeypatch.chdir(tmp_path / "projects")


def findings(*arguments: str) -> dict[str, list[dict[str, Any]]]:
    """File name -> what is said about it, notes left out."""
    report = json.loads(run(*arguments, "--format", "json").out)
    return {
        Path(file["path"]).name: [d for d in file["diagnostics"] if d["severity"] != "note"]
        for file in report["files"]
    }


@pytest.mark.parametrize(("folder", "config", "expected"), FOUND, ids=[row[0] for row in FOUND])
def test_found_without_options(
    folder: str, config: str, expected: set[tuple[str, str, str]]
) -> None:
    lines = Path(folder, config).read_text("utf-8").splitlines()
    found = findings(folder)
    assert {
        (d["code"], d["severity"], lines[d["range"]["start"]["line"] - 1].strip())
        for d in found.pop(config)
    } == expected
    assert all(not others for others in found.values()), found


@pytest.mark.parametrize(("folder", "config"), FIXED, ids=[row[0] for row in FIXED])
def test_the_fixed_config_is_quiet(folder: str, config: str) -> None:
    found = findings(str(Path(folder, config)))
    assert config in found
    assert not any(found.values())


@pytest.mark.parametrize(
    ("folder", "config", "pins"), REPAIRED, ids=[f"{row[0]}-release" for row in REPAIRED]
)
def test_a_repaired_release_is_quiet(
    folder: str, config: str, pins: dict[str, dict[str, str]]
) -> None:
    for name, changes in pins.items():
        path = Path(folder, name)
        text = path.read_text("utf-8")
        for old, new in changes.items():
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
    assert all(not others for others in findings(folder).values())


def test_the_whole_tree_at_once() -> None:
    found = findings(".")
    assert {(name, d["code"]) for name, rows in found.items() for d in rows} == {
        (config, code) for _, config, rows in FOUND for code, _, _ in rows
    }
