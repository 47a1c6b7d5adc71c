"""The comparison of final values: what counts as a difference, and what is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from packaging.specifiers import SpecifierSet

from cfglint.answers.resolved.resolve import resolve
from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tools.parity import effective, resolved
from tools.parity.effective import Difference, differences, dump, leaves
from tools.parity.release import Prepared

if TYPE_CHECKING:
    from collections.abc import Sequence

AXOLOTL = Axolotl()
TARGET = build_environment(AXOLOTL.releases, pins=("axolotl==0.21.0",), gpus=1, gpu="h100")
TEXT = "base_model: x\nmicro_batch_size: 1\nlearning_rate: 0.1\ndatasets: [{path: a, type: b}]\n"


def ours() -> dict[str, Any]:
    return resolve(compose(SourceText(TEXT)), AXOLOTL, TARGET).data


def test_equal_answers_do_not_differ() -> None:
    assert differences(TEXT.encode(), ours(), AXOLOTL, TARGET) == []


@pytest.mark.parametrize(
    ("path", "value", "shown"),
    [
        ("micro_batch_size", 1.0, (1, 1.0)),
        ("micro_batch_size", True, (1, True)),
        ("sequence_len", 513, (512, 513)),
        ("new_key", "x", (None, "x")),
    ],
)
def test_a_value_of_another_kind_differs(path: str, value: Any, shown: tuple[Any, Any]) -> None:
    theirs = {**ours(), path: value}
    assert differences(TEXT.encode(), theirs, AXOLOTL, TARGET) == [Difference(path, *shown)]


def test_what_the_machine_decides_is_left_out() -> None:
    theirs = {**ours(), "dataset_num_proc": 2, "axolotl_config_path": "/somewhere"}
    assert differences(TEXT.encode(), theirs, AXOLOTL, TARGET) == []


def test_a_file_that_cannot_be_read_differs() -> None:
    (found,) = differences(b"a: [", {}, AXOLOTL, TARGET)
    assert found.theirs == "read"


def test_keys_are_counted_without_positions() -> None:
    assert Difference("datasets[12].type", 1, 2).key == "datasets[].type"
    assert Difference("a[0][1].b", 1, 2).key == "a[][].b"


def test_leaves() -> None:
    nested = {"a": {"b": 1, "c": {}}, "d": [1, 2], "e": [{"f": 3}, {}], "g": []}
    assert dict(leaves(nested)) == {
        "a.b": 1,
        "a.c": {},
        "d": [1, 2],
        "e[0].f": 3,
        "e[1]": {},
        "g": [],
    }


def test_recorded_answers_hold_what_differs_from_the_first() -> None:
    answers = {"0.21.0": [{"a": 1, "b": 2}, {"a": 1, "c": 3}, None]}
    assert json.loads(dump(["one", "two", "three"], answers)) == {
        "0.21.0": {"first": {"a": 1, "b": 2}, "two": {"changed": {"c": 3}, "gone": ["b"]}}
    }


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A release that answers as cfglint does, but for the second file; the files it was asked."""
    asked: list[Path] = []
    facts = tmp_path / "facts.json"
    facts.write_text('{"versions": {"torch": "2.13.0"}}', encoding="utf-8")
    prepared = Prepared("0.21.0", tmp_path, facts, SpecifierSet(""), "2.12.5")

    def ask(_release: Any, _python: Path, files: dict[str, Path], _gpus: int) -> dict[str, Any]:
        asked.extend(files.values())
        answers: dict[str, Any] = {}
        for name, file in files.items():
            config = {**ours(), "dataset_num_proc": 2}
            if file.stem == "other":
                config["sequence_len"] = 1
            answers[name] = None if file.stem == "refused" else config
        return answers

    monkeypatch.setattr(resolved, "_ask", ask)
    monkeypatch.setattr(effective, "prepare", lambda *_: prepared)
    monkeypatch.setattr(effective, "environment", lambda *_: Path("python"))
    return asked


def compare(folder: Path, *more: str) -> int:
    arguments: Sequence[str] = ("--release", "0.21.0", "--cache", str(folder / "cache"), *more)
    return effective.main([*arguments, str(folder / "files")])


def test_the_comparison(
    tmp_path: Path, release: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for name in ("equal", "refused"):
        (files / f"{name}.yml").write_text(TEXT + f"# {name}\n", encoding="utf-8")
    record = tmp_path / "recorded.json"
    assert compare(tmp_path, "--record", str(record)) == 0
    assert "1 accepted     1 equal  100.00 %" in capsys.readouterr().out
    assert json.loads(record.read_text("utf-8"))["0.21.0"]["first"]["sequence_len"] == 512
    (files / "other.yml").write_text(TEXT + "# other\n", encoding="utf-8")
    assert compare(tmp_path) == 1
    out = capsys.readouterr().out
    assert "2 accepted     1 equal   50.00 %" in out
    assert "1  sequence_len" in out
    assert "512 should be 1" in out
    # What was known already was not asked again.
    assert [path.stem for path in release] == ["equal", "refused", "other"]
