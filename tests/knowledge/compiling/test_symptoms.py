"""Symptoms as tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cfglint.knowledge import compiled as tables
from cfglint.knowledge.compiling.files import RuleFileError
from cfglint.knowledge.compiling.symptoms import compiled, pieces

END = """- name: gone
  title: It is gone
  symptoms: ["nothing is left of the run"]
  remedy: Start again.
  why: It ended.
  references: [{kind: docs, title: t, url: https://a.example/b}]
"""


def test_pieces_are_what_does_not_vary() -> None:
    assert pieces("a  b … c…") == ("a b", "c")
    assert pieces("plain") == ("plain",)


def test_ends(tmp_path: Path) -> None:
    (tmp_path / "ends.yaml").write_text(END)
    (row,) = compiled(tmp_path, [])["ENDS"]
    assert row[0] == "gone"
    assert row[-2:] == (False, (("nothing is left of the run",),))
    assert compiled(tmp_path / "none", []) == {"RULES": (), "BORROWED": (), "ENDS": ()}


def test_a_symptom_is_of_one_end() -> None:
    of_ends = Counter(one for row in tables.load("symptoms").ENDS for one in row[-1])
    assert [one for one, times in of_ends.items() if times > 1] == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("nothing is left of the run", "gone…", "at least 16 characters"),
        ("name: gone", "name: Gone", "name"),
        ("  why: It ended.\n", "", "why"),
    ],
)
def test_what_is_wrong_in_the_list_of_ends(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    (tmp_path / "ends.yaml").write_text(END.replace(old, new))
    with pytest.raises(RuleFileError, match=problem):
        compiled(tmp_path, [])
