"""How much `cfglint check` reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cfglint.engine.workers import check_files
from cfglint.source.text import MAX_BYTES
from tests.cli.files import CLEAN
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


@pytest.mark.parametrize("after", [0, 1, 2])
def test_an_interrupted_check_says_how_far_it_has_come(
    after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.yml", "b.yml", "c.yml"):
        (tmp_path / name).write_text(CLEAN, encoding="utf-8")

    def interrupted(*given: Any, **options: Any) -> Iterator[Any]:
        for number, one in enumerate(check_files(*given, **options)):
            if number == after:
                raise KeyboardInterrupt
            yield one

    monkeypatch.setattr("cfglint.cli.checking.check_files", interrupted)
    result = run(str(tmp_path), "--isolated")
    assert result.code == 130
    assert f"cfglint: interrupted; {after} of 3 files were checked\n" in result.err


def test_what_a_search_missed_is_told_unless_only_changes_were_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import subprocess

    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "a.yml").write_text("base_model: a/b\nload_in_4bit: true\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    said = "looked like one, and was not checked"
    assert said in run(".").both
    assert said not in run(".", "--staged").both
