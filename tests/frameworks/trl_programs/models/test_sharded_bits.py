"""Weights in 4 bits under FSDP."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import Linter
from cfglint.source.files.disk import Disk

PROGRAM = """\
import torch
from transformers import BitsAndBytesConfig, Trainer
{}bits = BitsAndBytesConfig(load_in_4bit=True{})
Trainer(model=model, train_dataset=rows).train()
"""
SETTINGS = "compute_environment: LOCAL_MACHINE\ndistributed_type: {}\nfsdp_config:\n  {}\n"


def found(
    folder: Path,
    bits: str = "",
    kind: str = "FSDP",
    section: str = "x: 1",
    line: str = "",
    when: str = "",
) -> int:
    (folder / "a.yaml").write_text(SETTINGS.format(kind, section))
    (folder / "run.sh").write_text(line or "accelerate launch --config_file a.yaml train.py\n")
    (folder / "train.py").write_text(PROGRAM.format(when, bits))
    result = Linter(settings=False, select=["TRP712"], files=Disk()).lint_file(folder / "train.py")
    return len(result.diagnostics)


@pytest.mark.parametrize("bits", ["", ", bnb_4bit_quant_storage=torch.uint8"])
def test_bytes_are_not_sharded(tmp_path: Path, bits: str) -> None:
    assert found(tmp_path, bits) == 1


def test_what_is_sharded_or_not_known(tmp_path: Path) -> None:
    assert not found(tmp_path, ", bnb_4bit_quant_storage=torch.bfloat16")
    assert not found(tmp_path, ", **options")
    assert not found(tmp_path, when="bits = BitsAndBytesConfig(load_in_4bit=True)\n")
    assert not found(tmp_path, when="if quantize: ")
    assert not found(tmp_path, section="fsdp_ignored_modules: experts")
    assert not found(tmp_path, kind="MULTI_GPU")
    assert not found(tmp_path, section="fsdp_version: 2")
    assert not found(tmp_path, line="torchrun train.py\n")
    both = "accelerate launch --config_file a.yaml train.py\naccelerate launch train.py\n"
    assert not found(tmp_path, line=both)


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        ("load_in_4bit=True", 1),
        ("load_in_4bit=False", 0),
        ("load_in_4bit=four", 0),
        ("load_in_8bit=True", 0),
        ("False, load_in_4bit=True", 0),
        ("load_in_4bit=True, bnb_4bit_quant_storage='uint8'", 1),
        ("load_in_4bit=True, bnb_4bit_quant_storage=kind", 0),
        ("", 0),
    ],
)
def test_what_a_quantization_is_given(tmp_path: Path, arguments: str, count: int) -> None:
    when = f"from transformers import BitsAndBytesConfig as Bits\nbits = Bits({arguments})\n"
    found(tmp_path, when=when)
    program = tmp_path / "train.py"
    lines = program.read_text().splitlines(keepends=True)
    program.write_text("".join(one for one in lines if "= BitsAndBytesConfig(" not in one))
    result = Linter(settings=False, select=["TRP712"], files=Disk()).lint_file(program)
    assert len(result.diagnostics) == count
