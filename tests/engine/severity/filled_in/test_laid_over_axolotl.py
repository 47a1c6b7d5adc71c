"""Findings about keys that a program of the project sets before the framework gets the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

CONFIG = (
    "base_model: Qwen/Qwen3-0.6B\ndatasets: [{path: a/b, type: alpaca}]\nmicro_batch_size: 1\n"
    "gradient_accumulation_steps: 1\nlearning_rate: 1e-4\nnum_epochs: 1\noutput_dir: out\n"
    "val_set_size: much\nload_in_8bit: true\nseed: 010\n"
)
LOAD = "import yaml\nconfig = yaml.safe_load(open('train.yml'))\n"


@pytest.mark.parametrize(
    ("program", "kept"),
    [
        ("", ["PEF101", "TYP001", "YML024"]),
        ("config['rl'] = 'dpo'\n", ["PEF101", "TYP001", "YML024"]),
        ("config['val_set_size'] = 0.1\n", ["PEF101", "YML024"]),
        ("set_if_auto(config, 'val_set_size', 0)\n", ["PEF101", "YML024"]),
        # How a value is written is wrong for any reader.
        ("config['seed'] = 1\nset_if_auto(config, 'seed', 1)\n", ["PEF101", "TYP001", "YML024"]),
        # A finding about a key that hangs on another one, which is set.
        ("config['adapter'] = 'lora'\n", ["TYP001", "YML024"]),
        ("set_if_auto(config, 'adapter', 0)\n", ["PEF101", "TYP001", "YML024"]),
    ],
)
def test_what_is_left(program: str, kept: list[str], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.yml").write_text(CONFIG)
    (tmp_path / "main.py").write_text(LOAD + program)
    done = run("--format", "json", "--target", "axolotl==0.19.0", str(tmp_path / "train.yml"))
    (file,) = json.loads(done.out)["files"]
    found = [one["code"] for one in file["diagnostics"] if one["severity"] != "note"]
    assert sorted(set(found)) == kept


@pytest.mark.parametrize(
    ("program", "kept"),
    [
        ("", ["TYP001"]),
        ("config['special_tokens'] = {}\n", []),
        ("set_if_auto(config, 'special_tokens', 0)\n", []),
        ("config['pad_token'] = 'x'\nset_if_auto(config, 'pad_token', 0)\n", ["TYP001"]),
    ],
)
def test_a_key_in_a_section_that_is_set(program: str, kept: list[str], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    start = CONFIG.partition("val_set_size")[0]
    (tmp_path / "train.yml").write_text(f"{start}special_tokens: {{pad_token: [1]}}\n")
    (tmp_path / "main.py").write_text(LOAD + program)
    done = run("--format", "json", "--target", "axolotl==0.19.0", str(tmp_path / "train.yml"))
    (file,) = json.loads(done.out)["files"]
    assert [one["code"] for one in file["diagnostics"] if one["severity"] != "note"] == kept
