"""What is missing in the folder of an adapter that training goes on from."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import cfglint
from tests.cli.files import CLEAN

MORE = """\
adapter: mixlora
lora_target_modules: [q_proj, v_proj]
plugins:
  - axolotl.integrations.mixlora.MixLoraPlugin
lora_model_dir: {folder}
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "old").mkdir()
    return tmp_path


def codes(repo: Path, folder: str = "./old") -> list[str]:
    kept = [line for line in CLEAN.splitlines() if not line.startswith(("adapter", "lora_"))]
    (repo / "train.yml").write_text("\n".join(kept) + "\n" + MORE.format(folder=folder))
    report = cfglint.lint_file(repo / "train.yml", select=["PEF804"], target=["axolotl==0.21.0"])
    return [found.code for found in report.diagnostics]


def test_routers_and_experts_are_missing(repo: Path) -> None:
    assert codes(repo) == []  # No adapter at all.
    (repo / "old" / "adapter_config.json").write_text("{}")
    assert codes(repo) == ["PEF804"]
    (repo / "old" / "mixlora_model.safetensors").write_text("")
    assert codes(repo) == []


def test_weights_that_only_git_has_are_not_missing(repo: Path) -> None:
    for name in ("adapter_config.json", "mixlora_model.safetensors"):
        (repo / "old" / name).write_text("{}")
    for words in (("init", "-q"), ("add", "old")):
        subprocess.run(["git", "-C", str(repo), *words], check=True)
    (repo / "old" / "mixlora_model.safetensors").unlink()
    assert codes(repo) == []


@pytest.mark.parametrize("folder", ["[./old]", "null", "org/name", "./none", "../..", '"\\0"'])
def test_what_is_no_folder_of_the_project(repo: Path, folder: str) -> None:
    (repo / "old" / "adapter_config.json").write_text("{}")
    assert codes(repo, folder) == []
