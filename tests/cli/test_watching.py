"""`--watch`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cfglint.cli.options import CheckOptions
from cfglint.cli.watching import watch
from tests.cli.files import CLEAN, MISSPELT
from tests.cli.running import run


def test_it_checks_again_after_each_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("train.yml")
    path.write_text(MISSPELT, encoding="utf-8")

    def changes() -> Iterator[None]:
        yield  # nothing
        path.write_text(CLEAN + "\n", encoding="utf-8")
        yield
        Path("requirements.txt").write_text("axolotl==0.21.0\n", encoding="utf-8")
        yield
        raise KeyboardInterrupt

    steps = changes()
    assert watch((str(path),), CheckOptions(color="never"), lambda: next(steps)) == 0
    out = capsys.readouterr().out
    assert out.count("Waiting for changes; Ctrl-C ends.") == 3
    first, second, third, _ = out.split("Waiting for changes; Ctrl-C ends.\n")
    assert "KEY001" in first
    assert "changed" not in first
    assert second.startswith("── train.yml changed\n\nNo problems")
    assert third.startswith("── requirements.txt changed\n")
    assert "axolotl 0.21.0 (requirements.txt line 1)" in third


def test_interrupted_before_the_first_check_nothing_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("cfglint.cli.watching.check", interrupted)
    assert watch(("train.yml",), CheckOptions()) == 0


def test_standard_input_is_not_watched() -> None:
    result = run("-", "--watch")
    assert result.code == 2
    assert "--watch does not go with standard input" in result.err
