"""The file of DeepSpeed that a config of a trainer names, and that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

#: Whether the file is in a repository where one that is named is missed.
ANYWHERE, IN_REPOSITORY, NOWHERE = {True, False}, {True}, set[bool]()
CONFIG = """\
base_model: a/b
datasets: [{path: x.jsonl, type: alpaca}]
micro_batch_size: 1
gradient_accumulation_steps: 1
learning_rate: 0.0001
deepspeed: """


@pytest.mark.parametrize("in_repository", [True, False])
@pytest.mark.parametrize(
    ("written", "missed", "said"),
    [
        # Elsewhere the folder that the run starts in decides.
        ("zero9.json", IN_REPOSITORY, "zero1.json"),
        ("./zero9.json", IN_REPOSITORY, "zero1.json"),
        ("sub/other.json", ANYWHERE, "sub"),
        ("../shared/zero9.json", IN_REPOSITORY, ""),
        # It is there, or no path of the project, or no file of DeepSpeed's.
        ("zero1.json", NOWHERE, ""),
        ("../shared/there.json", NOWHERE, ""),
        ("zero9.yaml", NOWHERE, ""),
    ],
)
def test_what_is_missed(
    tmp_path: Path, written: str, missed: set[bool], said: str, in_repository: bool
) -> None:
    for folder in ("configs/sub", "shared", *([".git"] if in_repository else [])):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("configs/zero1.json", "configs/sub/a.json", "shared/there.json"):
        (tmp_path / file).write_text("{}")
    path = tmp_path / "configs" / "train.yml"
    path.write_text(f"{CONFIG}{written}\n")
    found = [
        one for one in lint_file(path).diagnostics if one.name.endswith("deepspeed-file-missing")
    ]
    assert bool(found) is (in_repository in missed)
    assert all(said in one.message for one in found)


@pytest.mark.parametrize(
    ("written", "proposed"),
    [
        ("zero9.json", "zero1.json"),
        ("./zero9.json", "./zero1.json"),
        ("./sub/b.json", "./sub/a.json"),
        ("nothing-like-it.json", None),
    ],
)
def test_the_file_that_may_be_meant(tmp_path: Path, written: str, proposed: str | None) -> None:
    for folder in (".git", "sub"):
        (tmp_path / folder).mkdir()
    for file in ("zero1.json", "sub/a.json"):
        (tmp_path / file).write_text("{}")
    path = tmp_path / "train.yml"
    path.write_text(f"{CONFIG}{written}\n")
    (found,) = [
        one for one in lint_file(path).diagnostics if one.name.endswith("deepspeed-file-missing")
    ]
    assert [one.text for fix in found.fixes for one in fix.edits] == (
        [proposed] if proposed else []
    )
    assert ("there is" in found.message) is (proposed is not None)
