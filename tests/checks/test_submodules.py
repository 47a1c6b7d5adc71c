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
