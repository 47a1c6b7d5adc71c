"""What is known about a framework before one of its files is met."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.frameworks import compiled, described
from tests.draws import each

LEAST: dict[str, Any] = {"title": "Own", "packages": ["own"], "language": "yaml"}


def home(folder: Path, name: str = "accessory", **parts: Any) -> Path:
    """The folder of a framework; it has code if it is named as one that has."""
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "framework.yaml").write_text(yaml.safe_dump({**LEAST, **parts}))
    return folder / name


def tables(folder: Path, *homes: Path) -> dict[str, Any]:
    lists = {
        "asked": ["torch", "own"], "of_training": [], "telling_words": ["trl"], "shown": ["torch"],
    }  # fmt: skip
    (folder / "packages.yaml").write_text(yaml.safe_dump(lists))
    (folder / "programs.yaml").write_text(
        "other: {title: Other, has: [[a, b], [c]]}\nmore: {title: More, has: [[d]], text: ^x}\n"
    )
    return compiled(folder, list(homes))


def test_what_a_framework_need_not_say(tmp_path: Path) -> None:
    row = described(home(tmp_path))
    said = {name: value for name, value in row.items() if value}
    assert set(said) == {"title", "packages", "language", "offers", "marks"}
    own = tables(tmp_path, home(tmp_path))
    assert (own["FALLBACKS"], own["ABOVE"], own["NAMED_FILES"], own["RECOGNIZED"]) == (
        {},
        {},
        {},
        {},
    )
    assert own["MARKS"]["accessory"]["package"] == "own"


def test_frameworks_without_code_have_marks_alone(tmp_path: Path) -> None:
    named = {"x.json": {"kind": "x", "never": ["a"]}}
    parts: dict[str, Any] = {
        "fallback": True,
        "below": "lower",
        "named_files": named,
        "packages": ["own", "more"],
    }
    found = tables(tmp_path, home(tmp_path, **parts), home(tmp_path, "other", **parts))
    assert list(found["FRAMEWORKS"]) == ["accessory"]
    assert found["FRAMEWORKS"]["accessory"]["packages"] == ("own", "more")
    assert list(found["MARKS"]) == ["accessory", "other"]
    assert [one["package"] for one in found["MARKS"].values()] == ["own", "own"]
    assert found["FALLBACKS"] == {"yaml": "accessory"}
    # Its own package is the first.
    assert found["ABOVE"] == {"accessory": "own"}
    assert found["NAMED_FILES"] == {"x.json": ("accessory", frozenset({"a"}))}


def test_how_files_are_recognized(tmp_path: Path) -> None:
    signs = [{"has": ["a"]}, {"own": 1, "all": 2}]
    recognized = {"own": ["a", "b"], "shared": ["c"], "when": signs, "never": ["d"]}
    row = tables(tmp_path, home(tmp_path, recognized=recognized))["RECOGNIZED"]["accessory"]
    assert row == (
        frozenset("ab"),
        frozenset("abc"),
        ((frozenset("a"), 0, 0), (frozenset(), 1, 2)),
        frozenset("d"),
        # A file that is named needs one key of its own, if nothing else is said.
        ((frozenset(), 1, 0),),
    )
    named = recognized | {"when": [{"own": 0}], "named": [{"all": 3}]}
    row = tables(tmp_path, home(tmp_path, recognized=named))["RECOGNIZED"]["accessory"]
    assert (row[2], row[4]) == (((frozenset(), 0, 0),), ((frozenset(), 0, 3),))


def test_packages_of_frameworks_are_asked_for(tmp_path: Path) -> None:
    found = tables(
        tmp_path,
        home(tmp_path, packages=["own", "more"]),
        home(tmp_path, "trl", packages=["upper"]),
        # Those of a framework of classes say nothing by themselves.
        home(tmp_path, "trl_programs", packages=["transformers"], of_sections=True),
        home(tmp_path, "other", packages=["unchecked"]),
    )
    assert found["ASKED"] == ("torch", "own", "more", "upper")
    assert found["OF_TRAINING"] == ("own", "more", "upper")
    assert found["TELLING_WORDS"] == ("trl", "own", "more", "upper")
    assert found["SHOWN"] == ("torch",)


def test_other_programs(tmp_path: Path) -> None:
    assert tables(tmp_path, home(tmp_path))["PROGRAMS"] == (
        ("Other", (frozenset("ab"), frozenset("c")), ""),
        ("More", (frozenset("d"),), "^x"),
    )


@each(
    "parts",
    [
        {"packages": []},
        {"language": "toml"},
        {"titel": "Own"},
        {"recognized": {"own": ["a"], "when": []}},
        {"recognized": {"own": ["a"], "when": [{"own": -1}]}},
        {"recognized": {"own": ["a"], "when": [{"all": -1}]}},
        {"families": {"abc": "Small"}},
        {"documented": {"project": "http://a", "files": "f", "recognized_by": "r"}},
    ],
)
def test_what_is_refused(parts: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(RuleFileError, match=r"framework\.yaml: "):
        described(home(tmp_path, **parts))
