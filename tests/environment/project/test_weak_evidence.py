"""Weak evidence of releases: records of runs, and the requirements of folders beside."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.report.settings import render_target
from cfglint.report.target import described

#: A call that TRL 0.9.6 takes and the newest release refuses, and the other way round.
OLD = "SFTTrainer(model='a/b', train_dataset=d, max_seq_length=1, packing=True)\n"
PROGRAM = (
    "from datasets import load_dataset\nfrom trl import {names}\n"
    "d = load_dataset('a/b', split='train')\n{call}"
)


def project(folder: Path, call: str = OLD) -> Path:
    (folder / ".git").mkdir()
    (folder / "train").mkdir()
    program = folder / "train" / "sft.py"
    program.write_text(PROGRAM.format(call=call, names="SFTTrainer"))
    return program


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def run(folder: Path, name: str, *pins: str, at: str = ".") -> None:
    write(folder, f"{at}/wandb/{name}/files/requirements.txt", "\n".join(pins) + "\n")


def severities(program: Path) -> set[str]:
    return {one.severity for one in lint_file(program).diagnostics}


def version(program: Path, package: str = "trl") -> str | None:
    pin = lint_file(program).target.pins.get(package)
    return None if pin is None else pin.version or pin.spec


def test_the_newest_run_counts(tmp_path: Path) -> None:
    program = project(tmp_path)
    run(tmp_path, "run-20240601_101112-abc", "trl==0.9.6", "transformers==4.42.4")
    run(tmp_path, "offline-run-20240501_101112-abd", "trl==0.8.6")
    run(tmp_path, "run-20250101_101112-abe/logs", "trl==0.13.0")
    run(tmp_path, "latest-run", "trl==0.14.0")
    report = lint_file(program)
    assert [report.target.pins[one].version for one in ("trl", "transformers")] == [
        "0.9.6",
        "4.42.4",
    ]
    assert report.target.assumed
    assert "what a run had installed" in described(report.target)
    assert "weak: nothing else states it" in render_target(report.target, None)


def test_the_nearest_folder_of_runs_counts(tmp_path: Path) -> None:
    program = project(tmp_path)
    run(tmp_path, "run-20240601_101112-abc", "trl==0.9.6")
    run(tmp_path, "run-20240101_101112-abc", "trl==0.8.6", at="train")
    assert version(program) == "0.8.6"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("requirements.txt", "trl==0.12.0\n", "0.12.0"),
        ("requirements.txt", "trl>=0.12\n", ">=0.12"),
        # What is asked for without a release may be of any.
        ("requirements.txt", "trl\n", "0.9.6"),
        # A record that contradicts what is stated is of another environment.
        ("requirements.txt", "trl\ntransformers==4.50.0\n", None),
        ("requirements.txt", "trl\ntransformers>=4.40\n", "0.9.6"),
    ],
)
def test_what_is_stated_counts_first(
    tmp_path: Path, name: str, text: str, expected: str | None
) -> None:
    program = project(tmp_path)
    run(tmp_path, "run-20240601_101112-abc", "trl==0.9.6", "transformers==4.42.4")
    write(tmp_path, name, text)
    assert version(program) == expected


AXOLOTL = (
    "base_model: a/b\ndatasets:\n  - path: a/b\n    type: {kind}\nmicro_batch_size: 4\n{more}"
    "gradient_accumulation_steps: 8\nlearning_rate: 0.00002\nnum_epochs: 1\noutput_dir: out\n"
)


def test_weak_evidence_takes_errors_back(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    config = tmp_path / "train.yml"
    config.write_text(AXOLOTL.format(kind="sharegpt", more=""))
    assert severities(config) == {"error"}
    run(tmp_path, "run-20240601_101112-abc", "axolotl==0.4.1")
    assert "error" not in severities(config)
    # What every release refuses is an error, whichever was installed.
    config.write_text(AXOLOTL.format(kind="alpaca", more="eval_strategy: no\n"))
    assert severities(config) == {"error"}


def test_weak_evidence_makes_no_errors(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    config = tmp_path / "train.yml"
    config.write_text(AXOLOTL.format(kind="alpaca", more="model_type: 0\nreward_model: true\n"))
    assert "error" not in severities(config)
    run(tmp_path, "run-20240601_101112-abc", "axolotl==0.6.0")
    report = lint_file(config)
    assert ("TYP005", "warning") in {(one.code, one.severity) for one in report.diagnostics}
    assert "stated" not in described(report.target)
    # A key that is newer shows that a later one runs.
    config.write_text(AXOLOTL.format(kind="alpaca", more="chat_template_kwargs: {a: 1}\n"))
    assert severities(config) == set()


def test_a_folder_beside(tmp_path: Path) -> None:
    program = project(tmp_path)
    write(tmp_path, "generate/requirements.txt", "trl==0.9.6\nvllm==0.5.0\n")
    assert version(program) == "0.9.6"
    assert "requirements.txt, of another folder" in described(lint_file(program).target)
    # Two that differ state nothing.
    write(tmp_path, "more/requirements.txt", "trl==0.12.0\n")
    assert version(program) is None


@pytest.mark.parametrize("folder", ["eval", "third_party", "old", ".hidden", "a/b"])
def test_folders_that_say_nothing_of_it(tmp_path: Path, folder: str) -> None:
    program = project(tmp_path)
    write(tmp_path, f"{folder}/requirements.txt", "trl==0.9.6\n")
    assert version(program) is None


def test_the_project_s_own_requirements_count_first(tmp_path: Path) -> None:
    program = project(tmp_path)
    write(tmp_path, "generate/requirements.txt", "trl==0.9.6\n")
    write(tmp_path, "requirements.txt", "trl==0.12.0\n")
    assert version(program) == "0.12.0"
