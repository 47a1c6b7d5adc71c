"""The campaign that migrates files to another release and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.engine.migration.one_text import Migration
from cfglint.source.text import SourceText
from tools.campaigns.there_and_back import _differences, main, travel

CONFIG = """\
base_model: a/b
datasets:
  - path: data/chats.jsonl
    type: alpaca
micro_batch_size: 1
gradient_accumulation_steps: 1
num_epochs: 1
learning_rate: 0.0002
bf16: true
output_dir: ./out
"""


def _written(tmp_path: Path, more: str) -> Path:
    path = tmp_path / "train.yml"
    path.write_text(CONFIG + more, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "more",
    [
        "flash_attention: true\n",
        "dataset_processes: 4\n",
        "gc_steps: 10\n",
        "gc_steps: -1\n",
        "gradient_checkpointing: offload\n",
    ],
)
def test_steps_with_an_inverse_end_where_they_began(tmp_path: Path, more: str) -> None:
    trip = travel(_written(tmp_path, more), old="0.12.2", new="0.21.0")
    assert trip.problems == ()
    assert trip.counts["there"] > 0
    assert trip.counts["every step with an inverse"] == 1


def test_what_has_no_inverse_is_counted_by_its_step(tmp_path: Path) -> None:
    path = _written(tmp_path, "save_safetensors: false\n")
    trip = travel(path, old="0.12.2", new="0.21.0")
    assert trip.problems == ()
    assert trip.counts["without an inverse, SAV111"] == 1
    assert trip.counts["every step with an inverse"] == 0


def test_what_no_step_explains_is_a_problem() -> None:
    before, after = SourceText.from_str(CONFIG), SourceText.from_str(CONFIG + "lora_r: 8\n")
    still = Migration(before, (), (), ())
    back = Migration(after, (), (), ())
    assert ("lora_r was 'not there' and is 8", True) in list(
        _differences(before, still, back, "0.12.2")
    )


def test_the_command_answers_with_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _written(tmp_path, "gc_steps: 10\n")
    assert main([str(tmp_path), "--jobs", "1"]) == 0
    assert "0 problems" in capsys.readouterr().out
