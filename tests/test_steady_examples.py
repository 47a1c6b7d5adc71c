"""Property tests try the same examples, whatever else was imported (see `tests/conftest.py`)."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import PROFILE


def examples() -> list[str]:
    tried: list[str] = []

    @settings(max_examples=100, database=None)
    @given(st.text())
    def look(text: str) -> None:
        tried.append(text)

    look()
    return tried


@pytest.mark.skipif(PROFILE == "explore", reason="other examples are what is wanted")
def test_what_is_imported_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = examples()
    names = [f"constant {number}" for number in range(500)]
    (tmp_path / "some_constants.py").write_text(f"NAMES = {names}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "some_constants", import_module("some_constants"))
    assert examples() == before
