"""The rule in docs/team-rules.md works as written there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.running import run

TEXT = (Path(__file__).parents[3] / "docs" / "team-rules.md").read_text(encoding="utf-8")


def test_the_documented_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings, rule = re.findall(r"```(?:toml|yaml)\n# (\S+)\n(.*?)```", TEXT, re.S)
    for name, text in (settings, rule):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert run("rules", "test", "lint-rules").out == "1 rule, 0 problems\n"
    before = Path(rule[0]).read_bytes()
    assert run("rules", "fmt", "lint-rules").code == 0
    assert Path(rule[0]).read_bytes() == before
    Path("train.yml").write_text("base_model: a/b\nwandb_project: mine\n", encoding="utf-8")
    assert "ACME001" in run("train.yml").out
