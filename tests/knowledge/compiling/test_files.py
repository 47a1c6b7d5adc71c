"""Files of a rules folder, and what is said of those that are wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from cfglint.knowledge.compiling.files import RuleFileError, line_of, read_yaml, validate
from tests.draws import each


class Part(BaseModel):
    size: int


class Whole(BaseModel):
    name: str = Field(description="What it is called.")
    count: int = 1
    parts: list[Part] = []
    bare: str = ""


TEXT = """\
name: a
parts:
  - size: 1

  - size: 2
    more: {deep: 1}
name: b
"""


@each(
    ("place", "line"),
    [
        ((), 1),
        # Of a key that is written twice, the last one.
        (("name",), 7),
        (("parts",), 2),
        (("parts", 0), 3),
        (("parts", 1, "size"), 5),
        (("parts", 1, "more", "deep"), 6),
        # Or else what is nearest.
        (("parts", 1, "none", "deep"), 5),
        (("none",), 1),
        (("none", "name"), 1),
        (("parts", "size", 0), 2),
        (("parts", "size"), 2),
        (("name", 0), 7),
    ],
)
def test_the_line_of_a_place(place: tuple[str | int, ...], line: int, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(TEXT, encoding="utf-8")
    assert line_of(path, place) == line


@each(
    ("data", "said"),
    [
        ({}, ["`name` is missing: what it is called"]),
        ({"name": 1, "count": "x"}, ["count: Input should be a valid integer", "name: Input"]),
        ({"name": "a", "parts": [{"size": 1}, {}]}, ["`parts.1.size` is missing"]),
    ],
)
def test_what_does_not_fit(data: dict[str, Any], said: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    with pytest.raises(RuleFileError) as caught:
        validate(Whole, data, path)
    assert len(caught.value.problems) == len(said)
    for problem, words in zip(sorted(caught.value.problems), said, strict=True):
        assert problem.startswith(f"{path}: {words}")
    with pytest.raises(RuleFileError) as caught:
        validate(Whole, data, path, "own")
    assert all("own." in problem for problem in caught.value.problems)


def test_where_it_does_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("name: 1\nown:\n  count: x\n  name: 2\n", encoding="utf-8")
    with pytest.raises(RuleFileError) as caught:
        validate(Whole, {"name": 1, "count": "x"}, path, at=("own",))
    # In the order of the lines.
    assert [
        problem.removeprefix(f"{path}:").split(" ")[:2] for problem in caught.value.problems
    ] == [
        ["3:", "count:"],
        ["4:", "name:"],
    ]
    # A file that is not there has no lines.
    with pytest.raises(RuleFileError) as caught:
        validate(Whole, {"name": 1}, tmp_path / "none.yaml", at=("own",))
    assert str(caught.value).startswith(f"{tmp_path / 'none.yaml'}: name: ")


def test_what_fits_is_a_model(tmp_path: Path) -> None:
    found = validate(Whole, {"name": "a", "parts": [{"size": 2}]}, tmp_path / "a.yaml")
    assert (found.name, found.parts[0].size) == ("a", 2)


@each("data", [b"a: [1\n", b"a: \xff\n", b"a: 1\n\tb: 2\n"])
def test_what_is_no_yaml(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(data)
    with pytest.raises(RuleFileError, match=r"a\.yaml: "):
        read_yaml(path)


@each(
    ("problems", "brief"),
    [
        (("a",), "a"),
        (("a", "b"), "a (and 1 more problem; `cfglint rules test` lists them)"),
        (("a", "b", "c"), "a (and 2 more problems; `cfglint rules test` lists them)"),
    ],
)
def test_many_problems_in_a_line(problems: tuple[str, ...], brief: str) -> None:
    error = RuleFileError(*problems)
    assert error.brief == brief
    assert str(error) == "\n".join(problems)
