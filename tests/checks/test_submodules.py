"""Keys of later releases beside a submodule with the framework."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint import lint_file

MODULES = '[submodule "a"]\n\tpath = a\n\turl = https://github.com/axolotl-ai-cloud/{}\n'
LATER = "base_model: a/b\nattn_implementation: sdpa\n"


@pytest.mark.parametrize(
    ("modules", "expected"),
    [
        ("", "error"),
        (MODULES.format("other.git"), "error"),
        (MODULES.format("axolotl.git"), "warning"),
        (MODULES.format("axolotl"), "warning"),
    ],
)
def test_what_a_lock_states_may_not_be_what_runs(
    tmp_path: Path, modules: str, expected: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "uv.lock").write_text('[[package]]\nname = "axolotl"\nversion = "0.6.0"\n')
    if modules:
        (tmp_path / ".gitmodules").write_text(modules)
    config = tmp_path / "train.yml"
    config.write_text(LATER)
    found = lint_file(config, framework="axolotl", select=["KEY006"]).diagnostics
    assert [one.severity for one in found] == [expected]


@pytest.mark.parametrize(
    ("url", "severity"),
    [
        ("git@github.com:volcengine/verl.git", "note"),
        ("git@github.com:someone/other.git", "warning"),
    ],
)
def test_a_submodule_is_some_commit(url: str, severity: str, tmp_path: Path) -> None:
    """What the newest release of a framework refuses, where the project has another commit of it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitmodules").write_text(f'[submodule "a"]\n\tpath = a\n\turl = {url}\n')
    script = tmp_path / "run.sh"
    key = "actor_rollout_ref.rollout.multi_turn.interaction_config_path"
    script.write_text(f"python3 -m verl.trainer.main_ppo {key}=x.yaml\n")
    found = lint_file(script, select=["KEY005"]).diagnostics
    assert [one.severity for one in found] == [severity]
