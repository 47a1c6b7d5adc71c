"""Builds behind the newest known release: what the next one may have."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file
from cfglint.knowledge.releases.table import releases_of

CONFIG = (
    "model_name_or_path: a/b\nstage: sft\ndo_train: true\nfinetuning_type: lora\ntemplate: qwen\n"
    "dataset: identity\noutput_dir: out\nlearning_rate: 1.0e-4\n"
)
NEWEST = releases_of("llamafactory").newest
NEXT = f"{NEWEST[:-1]}{int(NEWEST[-1]) + 1}.dev0"
GIT = "llamafactory @ git+https://github.com/hiyouga/LLaMA-Factory.git"


def severity(folder: Path, key: str) -> list[str]:
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "sft.yaml").write_text(f"{CONFIG}{key}: 1\n")
    found = lint_file(folder / "sft.yaml", framework="llamafactory").diagnostics
    return [one.severity for one in found if one.code == "KEY001"]


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        (f"llamafactory=={NEXT}", "note"),
        # A commit of no known place.
        (f"{GIT}@abcdefabcdef0123", "note"),
        (f"llamafactory=={NEWEST}", "error"),
        # A build between two known releases has no keys that neither has.
        ("llamafactory==0.9.4.dev0", "error"),
        ("llamafactory", "error"),
    ],
)
def test_an_unknown_key(tmp_path: Path, requirement: str, expected: str) -> None:
    (tmp_path / "requirements.txt").write_text(f"{requirement}\n")
    assert severity(tmp_path, "brand_new_thing") == [expected]
    # What is a typing mistake for certain is one in any build.
    assert severity(tmp_path, "cutoff_lenn") == ["error"]


def test_a_copy_in_the_project_shows_its_keys(tmp_path: Path) -> None:
    version = tmp_path / "src" / "llamafactory" / "extras" / "env.py"
    version.parent.mkdir(parents=True)
    version.write_text(f'VERSION = "{NEXT}"\n')
    assert severity(tmp_path, "brand_new_thing") == ["error"]
