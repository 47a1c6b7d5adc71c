"""Programs that say in their first lines what they are installed with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

HEAD = "# pip install trl peft vllm\n"
PROGRAM = "from trl import SFTConfig\n\nargs = SFTConfig(output_dir='out', max_steps=2)\n"
LOCK = "vllm==0.6.3\ntransformers==4.47.1\naccelerate==1.3.0\n"


def target(folder: Path, program: str, **files: str) -> dict[str, str | None]:
    """Package -> the release that `train.py` is checked for."""
    (folder / ".git").mkdir()
    for name, text in {"train_dot_py": program, **files}.items():
        (folder / name.replace("_dot_", ".")).write_text(text, encoding="utf-8")
    (report,) = json.loads(run("--format", "json", str(folder / "train.py")).out)["files"]
    return {name: pin["version"] for name, pin in report["target"].items()}


def test_a_list_that_shares_a_package_is_of_another_environment(tmp_path: Path) -> None:
    assert "vllm" not in target(tmp_path, HEAD + PROGRAM, requirements_dot_txt=LOCK)


def test_a_list_that_shares_none_stays(tmp_path: Path) -> None:
    head = "# pip install trl==0.18.0\n"
    found = target(tmp_path, head + PROGRAM, requirements_dot_txt=LOCK)
    assert (found["trl"], found["transformers"]) == ("0.18.0", "4.47.1")


@pytest.mark.parametrize("stated", ["trl==0.9.6\n", "peft==0.11.0\n"])
def test_a_file_that_states_what_it_trains_with_counts(tmp_path: Path, stated: str) -> None:
    found = target(tmp_path, HEAD + PROGRAM, requirements_dot_txt=LOCK + stated)
    package, _, version = stated.strip().partition("==")
    assert (found[package], found["vllm"]) == (version, "0.6.3")


@pytest.mark.parametrize(
    ("start", "counts"), [("uv run train.py\n", True), ("python train.py\n", False)]
)
def test_the_block_for_uv(tmp_path: Path, start: str, counts: bool) -> None:
    block = '# /// script\n# dependencies = ["trl==0.18.0"]\n# ///\n'
    found = target(tmp_path, block + PROGRAM, run_dot_sh=start)
    assert (found.get("trl") == "0.18.0") is counts
