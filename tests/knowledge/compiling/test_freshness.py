"""Compiled rules are made again when their sources have changed, and only then."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cfglint.knowledge.compiling import freshness, modules

Made = list[str]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    """The texts of the rules each time they were compiled; they are compiled to themselves."""
    texts: Made = []

    def build(folder: Path) -> dict[str, str]:
        texts.append((folder / "inner" / "a.yaml").read_text(encoding="utf-8"))
        return {"__init__.py": "", "a.py": texts[-1]}

    monkeypatch.setattr(modules, "build", build)
    return texts


@pytest.fixture
def refresh(tmp_path: Path) -> Callable[[], None]:
    (tmp_path / "rules" / "inner").mkdir(parents=True)
    (tmp_path / "rules" / "inner" / "a.yaml").write_text("first", encoding="utf-8")
    return lambda: freshness.refresh(str(tmp_path / "rules"), str(tmp_path / "new" / "compiled"))


def test_once_for_all_runs(tmp_path: Path, made: Made, refresh: Callable[[], None]) -> None:
    refresh()
    refresh()
    assert made == ["first"]
    compiled = tmp_path / "new" / "compiled"
    assert sorted(os.listdir(compiled)) == ["__init__.py", "a.py", "stamp.txt"]
    assert (compiled / "a.py").read_text(encoding="utf-8") == "first"


def test_again_after_a_change(tmp_path: Path, made: Made, refresh: Callable[[], None]) -> None:
    refresh()
    compiled = tmp_path / "new" / "compiled"
    (compiled / "gone.py").write_text("", encoding="utf-8")
    (tmp_path / "rules" / "inner" / "a.yaml").write_text("second", encoding="utf-8")
    # Other files say nothing of rules.
    (tmp_path / "rules" / "notes.txt").write_text("x", encoding="utf-8")
    refresh()
    refresh()
    assert made == ["first", "second"]
    assert (compiled / "a.py").read_text(encoding="utf-8") == "second"
    # What is not made any more does not stay.
    assert sorted(os.listdir(compiled)) == ["__init__.py", "a.py", "stamp.txt"]
    (tmp_path / "rules" / "notes.txt").write_text("y", encoding="utf-8")
    refresh()
    assert len(made) == 2
    (tmp_path / "rules" / "more.json").write_text("{}", encoding="utf-8")
    refresh()
    assert len(made) == 3


def test_files_that_may_be_newer(
    tmp_path: Path, made: Made, refresh: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    refresh()
    changed = tmp_path / "rules" / "inner" / "a.yaml"
    other = tmp_path / "rules" / "b.yaml"
    monkeypatch.setattr(freshness, "TOLERATED", {str(changed), str(other)})
    changed.write_text("second", encoding="utf-8")
    refresh()
    assert made == ["first"]
    (tmp_path / "rules" / "c.yaml").write_text("", encoding="utf-8")
    refresh()
    assert made == ["first", "second"]


def test_what_has_changed(tmp_path: Path, made: Made, refresh: Callable[[], None]) -> None:
    rules, compiled = str(tmp_path / "rules"), str(tmp_path / "new" / "compiled")
    path = str(tmp_path / "rules" / "inner" / "a.yaml")
    never = freshness.changed_files(rules, compiled)
    assert path in never
    # The code that compiles them is a source, too.
    assert any(one.endswith("freshness.py") for one in never)
    refresh()
    assert freshness.changed_files(rules, compiled) == set()
    Path(path).write_text("second", encoding="utf-8")
    assert freshness.changed_files(rules, compiled) == {path}
    assert made == ["first"]
