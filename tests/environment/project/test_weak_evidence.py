"""Weak evidence of releases: records of runs, and the requirements of folders beside."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.base.type_names import Any
from cfglint.environment.pins import Pin
from cfglint.environment.project.stated_versions import Place, Source, Statement
from cfglint.environment.project.weak_evidence import is_missing, weak_pins
from cfglint.report.settings import render_target
from cfglint.report.target import described
from tests.draws import each

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


PLACE = Place("/x/list.txt", 1)


def listed(**versions: str) -> Source:
    """A list of packages: exact versions, ranges, or names alone."""
    statements = tuple(
        Statement(name, PLACE, spec=text)
        if text[:1] in ("<", ">")
        else Statement(name, PLACE, version=text or None)
        for name, text in versions.items()
    )
    return Source("/x/list.txt", "requirements", 0, statements)


def added(stated: dict[str, Pin], record: Source | None = None, *beside: Source) -> dict[str, str]:
    """Package -> the version or range that such evidence adds."""
    found = weak_pins(("trl", "transformers"), stated, record, beside, str)
    assert all(pin.weak and pin.inferred for pin in found.values())
    return {name: str(pin) for name, pin in found.items()}


def pin(version: str | None, **others: Any) -> Pin:
    return Pin(version, None, "here", **others)


BOTH = {"trl": "0.20.0", "transformers": "4.55.0"}


@each(
    ("stated", "record", "expected"),
    [
        ({}, BOTH, BOTH),
        ({"trl": pin("0.20.0")}, BOTH, {"transformers": "4.55.0"}),
        ({"trl": pin("0.20.0+x")}, BOTH, {"transformers": "4.55.0"}),
        ({"torch": pin("2.6.0")}, {**BOTH, "torch": "2.6.0"}, BOTH),
        ({"trl": pin(None, spec=">=0.19")}, BOTH, {"transformers": "4.55.0"}),
        ({"trl": pin(None, spec=">=0.19", inferred=True)}, BOTH, BOTH),
        ({"trl": Pin(None, "abcdef0", "here")}, BOTH, BOTH),
        # It contradicts what is stated.
        ({"trl": pin("0.19.0")}, BOTH, {}),
        ({"trl": pin(None, spec=">=0.21")}, BOTH, {}),
        ({"torch": pin("2.5.0")}, {**BOTH, "torch": "2.6.0"}, {}),
        # Nothing is missing, or nothing is said of what is.
        ({"trl": pin("0.20.0"), "transformers": pin("4.55.0")}, {**BOTH, "torch": "2.6.0"}, {}),
        ({}, {"torch": "2.6.0"}, {}),
        ({}, {"trl": "", "transformers": "4.55.0"}, {"transformers": "4.55.0"}),
        ({}, {"trl": "99.0.0", "transformers": "4.55.0"}, {}),
        ({}, {"trl": ">=0.19"}, {"trl": ">=0.19"}),
        ({}, {"trl": "x.y", "transformers": "4.55.0"}, {"transformers": "4.55.0"}),
        ({}, {**BOTH, "made-up": "1"}, BOTH),
    ],
)
def test_what_a_run_had_installed(
    stated: dict[str, Pin], record: dict[str, str], expected: dict[str, str]
) -> None:
    assert added(stated, listed(**record)) == expected


def test_lists_of_other_folders() -> None:
    assert added({}, None, listed(**BOTH)) == BOTH
    assert added({}, listed(torch="2.6.0"), listed(**BOTH)) == BOTH
    assert added({}, None) == {}
    assert added({}, None, listed(torch="2.6.0")) == {}
    # Lists that differ about these packages state nothing.
    assert added({}, None, listed(**BOTH), listed(**BOTH, torch="2.6.0")) == BOTH
    assert added({}, None, listed(**BOTH), listed(trl="0.19.0")) == {}
    assert added({}, None, listed(**BOTH), listed(torch="2.6.0")) == BOTH


def test_packages_of_which_no_release_is_stated() -> None:
    stated = {
        "a": pin("1"),
        "b": pin(None, spec=">=1", inferred=True),
        "c": Pin(None, "abcdef0", "here"),
        "d": Pin(None, "abcdef0", "here", fork="me/it"),
    }
    assert is_missing("abcde", stated) == {"b", "c", "e"}
