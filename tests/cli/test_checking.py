"""How much `cfglint check` reads."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cfglint.source.text import MAX_BYTES
from tests.cli.running import run
from tests.draws import each

START = b"base_model: a/b\nmicro_batch_size: 2\n"


@each("more", [1, 5000])
def test_standard_input_that_is_too_large(more: int) -> None:
    """It is not checked by its beginning, and still comes out whole."""
    data = START + b"#" * (MAX_BYTES - len(START) + more - 1) + b"\n"
    result = run("-", "--isolated", "--fix", stdin=data)
    assert result.code == 1
    assert result.stdout == data
    assert "YML009" in result.err
    assert "TYP004" not in result.err


def test_what_a_search_missed_is_told_unless_only_changes_were_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "a.yml").write_text("base_model: a/b\nload_in_4bit: true\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    said = "looked like one, and was not checked"
    assert said in run(".").both
    assert said not in run(".", "--staged").both
