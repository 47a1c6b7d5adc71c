"""Names of variables that are a slip away from those that the libraries read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.draws import each
from tests.linting import lint_in

LINE = "swift sft --model Qwen/Qwen3-0.6B --dataset a\n"


def found(folder: Path, text: str) -> list[str]:
    (folder / "run.sh").write_text(text)
    report = json.loads(run(str(folder / "run.sh"), "--format", "json").out)
    hits = [hit for file in report["files"] for hit in file["diagnostics"]]
    return [hit["message"].split("`")[1] for hit in hits if hit["code"] == "LCH817"]


@pytest.mark.parametrize(
    "name",
    [
        *("CUDA_VISIBLE_DEVICE", "CUDA_VISIBLE_DEVCIES", "CUDA_VISIBLES_DEVICES"),
        *("NCCL_P2P_DISBLE", "PYTORCH_CUDA_ALLOC_CONFIG", "WANDB_DISABLE"),
    ],
)
def test_slips(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, f"export {name}=1\n{LINE}") == [name]
    assert found(tmp_path, f"{name}=1 {LINE}") == [name]
    assert found(tmp_path, f"env {name}=1 {LINE}") == []


@pytest.mark.parametrize(
    "before",
    [
        "export CUDA_VISIBLE_DEVICES=1\n",
        "export CUDA_VISIBLE_DEVICES_OF_ALL=1\n",
        "export NCCL_P2P_LEVEL=NVL\n",
        "export NCCL_P3P_DISABLE=1\nexport NCCL_P2P_DISABLE=1\n",
        "CUDA_VISIBLE_DEVICE=1\n",
        "export CUDA_VISIBLE_DEVICE=1\necho ${CUDA_VISIBLE_DEVICE}\n",
    ],
)
def test_other_variables(tmp_path: Path, before: str) -> None:
    assert found(tmp_path, before + LINE) == []


def test_what_a_program_of_the_project_reads(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "own.py").write_text('import os\nos.environ["CUDA_VISIBLE_DEVICE"]\n')
    assert found(tmp_path, f"export CUDA_VISIBLE_DEVICE=1\n{LINE}") == []


def test_what_comes_behind_the_command_is_not_for_it(tmp_path: Path) -> None:
    assert found(tmp_path, f"{LINE}export CUDA_VISIBLE_DEVICE=1\n") == []


@pytest.mark.parametrize("name", ["nproc_per_node", "Nproc_Per_Node", "cuda_visible_devices"])
def test_small_letters(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, f"{name}=1 {LINE}") == [name]
    assert found(tmp_path, f"export {name}=1\n{LINE}") == [name]
    # What the script itself uses is a variable of its own.
    assert found(tmp_path, f"{name}=1\nNPROC_PER_NODE=${name} {LINE}") == []
    assert found(tmp_path, f"export {name}=1\nNPROC_PER_NODE=2 {LINE}") == (
        [name] if name.startswith("cuda") else []
    )


@pytest.mark.parametrize(("line", "count"), [("DEVICE", 1), ("DEVICES", 0)])
def test_in_the_script_that_starts_a_program(tmp_path: Path, line: str, count: int) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(
        "from trl import SFTConfig, SFTTrainer\nSFTTrainer('a/b', SFTConfig('o'), None, rows)\n"
    )
    (tmp_path / "job.sbatch").write_text(
        f"#!/bin/bash\nexport CUDA_VISIBLE_{line}=0,1\nsrun accelerate launch train.py\n"
    )
    done = run(str(tmp_path / "train.py"), "--format", "json", "--select", "LCH817")
    found = [
        (Path(file["path"]).name, hit["range"]["start"]["line"])
        for file in json.loads(done.out)["files"]
        for hit in file["diagnostics"]
    ]
    assert found == [("job.sbatch", 2)] * count


DEVICE, DISABLE = "CUDA_VISIBLE_DEVICE", "NCCL_P2P_DISBLE"


@each(
    ("before", "names"),
    [
        (f"export {DEVICE}=0 {DISABLE}=1\n", [DEVICE, DISABLE]),
        (f"{DEVICE}=0,1 {DISABLE}=1 ", [DEVICE, DISABLE]),
        # Behind others, however short their names are.
        (f"export X=1 {DEVICE}=0\n", [DEVICE]),
        (f"LR=1e-5 _A=2 {DEVICE}=0 ", [DEVICE]),
        (f"PATH+=:/x {DEVICE}=0 ", [DEVICE]),
        # Without a program behind them they are variables of the script alone.
        (f"X=1 {DEVICE}=0\n", []),
        (f"echo {DEVICE}=0\n", []),
        (f"export -n {DEVICE}=0\n", []),
    ],
)
def test_several_variables(before: str, names: list[str]) -> None:
    text = before + LINE
    found = [
        one
        for one in lint_in({}, text, name="run.sh", framework="swift")
        if one.name == "misspelt-variable"
    ]
    assert [text[one.span.start : one.span.end] for one in found] == names
    for one in found:
        (fix,) = one.fixes
        (edit,) = fix.edits
        assert (edit.start, edit.end) == (one.span.start, one.span.end)
        assert fix.title == f"Write {edit.text}"
        assert edit.text in ("CUDA_VISIBLE_DEVICES", "NCCL_P2P_DISABLE")
