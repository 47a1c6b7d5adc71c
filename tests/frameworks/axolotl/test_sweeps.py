"""A sweep file as data: what varies, with each of its values and their places."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.engine.sweeps.reading import read_sweep
from cfglint.frameworks.axolotl.sweeps import dimensions
from cfglint.runs.settings.sweeps import sweep_from_bytes
from cfglint.source.files.disk import Disk
from cfglint.source.problems import ProblemKind
from cfglint.source.values import to_python
from tests.draws import each


def varied(text: str) -> list[list[dict[object, object]]]:
    document = sweep_from_bytes("/sweep.yml", text.encode()).document
    assert document is not None
    return [
        [{swept.name: to_python(swept.value) for swept in choice} for choice in choices]
        for choices in dimensions(document.root)
    ]


def test_keys_with_lists_in_their_order_and_pairs_last() -> None:
    text = "_:\n  - {a: 1, b: 2}\n  - a: 3\nlr: [x, 2]\nr:\n- [1]\n- {k: v}\n"
    assert varied(text) == [
        [{"lr": "x"}, {"lr": 2}],
        [{"r": [1]}, {"r": {"k": "v"}}],
        [{"a": 1, "b": 2}, {"a": 3}],
    ]


def test_the_last_of_repeated_keys_counts() -> None:
    assert varied("a: [1]\na: [2, 3]\n") == [[{"a": 2}, {"a": 3}]]


def test_merged_keys_and_aliases_are_followed() -> None:
    text = "x: &x\n  a: [1]\n<<: *x\nb: [*x]\n"
    assert varied(text)[0] == [{"a": 1}]
    assert [{"b": {"a": [1]}}] in varied(text)


def test_a_single_value_is_taken_for_the_one_that_was_meant() -> None:
    assert varied("a: 1\nb: text\nc: {d: 1}\n") == [[{"a": 1}], [{"b": "text"}], [{"c": {"d": 1}}]]


@each("text", ["a: []\n", "a:\n", "_:\n", "_: []\n", "_: {a: 1}\n", "_: [1]\n"])
def test_what_offers_no_choice_is_left_out(text: str) -> None:
    assert varied(text) == []


def test_places_are_those_of_the_sweep_file() -> None:
    document = sweep_from_bytes("/s.yml", b"a: [1, 2]\n_:\n  - b: 3\n    c: [4]\n").document
    assert document is not None
    paths = [s.path for choices in dimensions(document.root) for choice in choices for s in choice]
    assert paths == [("a", 0), ("a", 1), ("_", 0, "b"), ("_", 0, "c")]
    assert all(document.node(path) is not None for path in paths)


@each(
    ("data", "kind"),
    [
        (b"", ProblemKind.EMPTY),
        (b"- a\n", ProblemKind.ROOT_NOT_MAPPING),
        (b"a: [1\n", ProblemKind.SYNTAX),
        (b"\xff", ProblemKind.NOT_UTF8),
        (b"a: " + b"[" * 3000 + b"]" * 3000, ProblemKind.TOO_DEEP),
        (b"a: [1]\n" * 200_000, ProblemKind.TOO_LARGE),
    ],
)
def test_what_cannot_be_read_has_an_error(data: bytes, kind: ProblemKind) -> None:
    sweep = sweep_from_bytes("/s.yml", data)
    assert sweep.document is None
    assert sweep.error is not None
    assert sweep.error.kind is kind


def test_a_file_is_read_with_its_absolute_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.yml").write_text("a: [1]\n")
    assert read_sweep("s.yml", Disk()).path == str(tmp_path / "s.yml")
    with pytest.raises(OSError, match="missing"):
        read_sweep("missing.yml", Disk())
