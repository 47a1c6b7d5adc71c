"""The fields of verl's dataclasses, as its releases declare them."""

from __future__ import annotations

from pathlib import Path

from tools.verl_release.classes import fields_of, history, targets_of

_BASE = """
@dataclass
class Base(collections.abc.Mapping):
    _target_: str = ""
"""
_ACTOR = """
@dataclass(frozen=True)
class Actor(Base):
    strategy: str = "fsdp"
    note = 1

@dataclass
class Strange(Unknown):
    size: int = 1

class Plain:
    size: int = 1
"""


def test_fields_are_those_of_the_bases_too(tmp_path: Path) -> None:
    for name, text in {"base.py": _BASE, "actor.py": _ACTOR}.items():
        (tmp_path / "verl").mkdir(exist_ok=True)
        (tmp_path / "verl" / name).write_text(text, encoding="utf-8")
    assert fields_of(tmp_path) == {"Actor": ["_target_", "strategy"], "Base": ["_target_"]}


def test_a_name_of_two_classes_is_left_out(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / "verl").mkdir(exist_ok=True)
        (tmp_path / "verl" / f"{name}.py").write_text(_BASE, encoding="utf-8")
    assert fields_of(tmp_path) == {}


def test_targets_are_found_at_any_depth() -> None:
    tree = {"a": {"_target_": "verl.A", "b": {"_target_": "verl.inner.B"}}, "c": 1}
    assert targets_of(tree) == {"A", "B"}


def test_a_field_has_the_releases_that_have_it() -> None:
    fields = {"1": {}, "2": {"A": ["x", "y"]}, "3": {"A": ["x"]}, "4": {"A": ["x", "y", "z"]}}
    assert history(["1", "2", "3", "4"], fields, {"A", "B"}) == {
        "A": {"": ["2"], "x": ["2"], "y": ["2", "3", "4"], "z": ["4"]}
    }
