"""The campaign about comments: its readers, and a sample of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools.campaigns.comments import READERS, Task, in_gaps, judge, lost, of_lines, of_ruamel

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "fixtures" / "good").rglob("*.y*ml"))


def test_the_readers_find_the_same_comments() -> None:
    text = (
        "# top\na: 1  # one\nb: |  # head\n  # text\nc: '# no'  # it's\nd: [x, # in\n  y]\n# end\n"
    )
    expected = Counter(["# top", "# one", "# head", "# it's", "# in", "# end"])
    assert in_gaps(text) == of_ruamel(text) == of_lines(text) == expected


def test_each_reader_notices_a_comment_that_is_lost_or_new() -> None:
    assert len(list(lost("a: 1  # x\n", "a: 1\n"))) == len(READERS) == 3
    assert len(list(lost("a: 1\n", "# x\na: 1\n"))) == 3
    assert not list(lost("a: 1  # x\nb: 2\n", "# x\nb: 2\n"))
    assert not list(lost("a: 1  # cfglint: ignore[KEY001]\n", "a: 1\n"))


@pytest.mark.parametrize("path", FILES[::12], ids=lambda path: path.name)
def test_no_comment_is_lost(path: Path) -> None:
    for number in range(4):
        assert judge(Task(path, number), seed=1).problems == ()
