"""`cfglint effective`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.running import run

TEXT = """\
base_model: NousResearch/Llama-3.2-1B
datasets:
  - path: ./data/train.jsonl
    type: alpaca
micro_batch_size: 2
gradient_accumulation_steps: 4
learning_rate: 1e-4   # a comment
flash_attention: true
misspelt_key: 1
"""


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "train.yml"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_yaml_with_reasons(config: str) -> None:
    result = run("effective", config, "--isolated", "--target", "axolotl==0.19.0")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == f"# What axolotl 0.19.0 (--target) makes of {config}"
    assert "base_model: NousResearch/Llama-3.2-1B" in lines
    assert "sequence_len: 512  # default of axolotl 0.19.0" in lines
    assert any(line.startswith("attn_implementation: flash_attention_2  # ") for line in lines)
    assert "#   misspelt_key" in lines
    assert any(line.startswith("#   dataloader_num_workers: depends on --gpus N") for line in lines)
    data = yaml.safe_load(result.out)
    assert data["learning_rate"] == 0.0001
    assert "flash_attention" not in data


def test_facts_are_used(config: str) -> None:
    result = run("effective", config, "--isolated", "--gpus", "4", "--gpu", "h100")
    assert yaml.safe_load(result.out)["dataloader_num_workers"] == 4
    assert yaml.safe_load(result.out)["tf32"] is True


def test_json(config: str) -> None:
    result = run("effective", config, "--isolated", "--target=axolotl==0.19.0", "--format=json")
    report = json.loads(result.out)
    assert report["version"] == 1
    assert report["target"] == {"axolotl": {"version": "0.19.0", "from": "--target"}}
    assert report["refused"] is False
    assert report["values"]["base_model"] == {
        "value": "NousResearch/Llama-3.2-1B",
        "line": 1,
        "reason": None,
    }
    assert report["values"]["datasets[0].type"]["line"] == 4
    assert report["values"]["learning_rate"]["line"] == 7
    assert report["values"]["attn_implementation"]["value"] == "flash_attention_2"
    assert report["values"]["sequence_len"]["line"] is None
    assert report["undecided"]["dataset_num_proc"]["needs"] == ["cpus"]
    assert report["unread"] == ["misspelt_key"]


def test_standard_input() -> None:
    result = run("effective", "-", "--isolated", stdin=TEXT.encode())
    assert yaml.safe_load(result.out)["micro_batch_size"] == 2


def test_a_file_that_axolotl_refuses_is_said(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(TEXT + "sequence_len: many\n", encoding="utf-8")
    result = run("effective", str(path), "--isolated")
    assert result.code == 0
    assert "# It refuses this file" in result.out
    assert json.loads(run("effective", str(path), "--isolated", "--format=json").out)["refused"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--target", "axolotl==9.9.9"), "newer than the releases that cfglint knows"),
        (("--target", "axolotl==0.3.0"), "older than the releases that cfglint knows"),
        (("--target", "nonsense"), "is no target"),
        (("--gpu", "toaster"), "is no GPU"),
    ],
)
def test_targets_that_are_not_known(config: str, arguments: tuple[str, str], said: str) -> None:
    result = run("effective", config, "--isolated", *arguments)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = run("effective", str(tmp_path / "none.yml"), "--isolated")
    assert (missing.code, missing.out) == (2, "")
    assert "cannot be read" in missing.err
    broken = tmp_path / "broken.yml"
    broken.write_text("a: [\n", encoding="utf-8")
    result = run("effective", str(broken), "--isolated")
    assert (result.code, result.out) == (2, "")
    assert str(broken) in result.err


def test_frameworks_whose_defaults_are_not_verified(tmp_path: Path) -> None:
    path = tmp_path / "ds.json"
    path.write_text('{"zero_optimization": {"stage": 2}, "train_micro_batch_size_per_gpu": 1}')
    result = run("effective", str(path), "--isolated")
    assert (result.code, result.out) == (2, "")
    assert "does not support files of DeepSpeed yet" in result.err


def test_what_a_file_says_cannot_steer_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "train.yml"
    path.write_text(
        TEXT + 'wandb_name: "\\x1b[31m\\u202e ##[error]x"\n"key\\x1b[0m": 1\nsave_steps: "1\\n"\n',
        encoding="utf-8",
    )
    for format_ in ("yaml", "json"):
        result = run("effective", str(path), "--isolated", "--format", format_)
        assert result.code == 0
        assert "\x1b" not in result.out
        assert "\u202e" not in result.out
        assert "##[" not in result.out
    result = run("effective", str(path), "--isolated")
    assert yaml.safe_load(result.out)["wandb_name"] == "\x1b[31m\u202e ##[error]x"
