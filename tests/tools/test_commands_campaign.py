"""The campaign of random command lines, on a few."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tools.campaigns import commands

RULES = Path(__file__).resolve().parents[2] / "rules"


def test_a_few_command_lines_hold() -> None:
    outcomes = list(commands.trial(RULES, 3, 60))
    assert [one for one in outcomes if isinstance(one, commands.Failure)] == []
    assert len({one[0] for one in outcomes}) > 3


@pytest.mark.parametrize(
    ("behaves", "problem"),
    [
        ("raise ValueError('x')", "ValueError"),
        ("raise SystemExit(3)", "exit code 3"),
        ("print('CFG003 a rule failed')", "a rule failed"),
        ("open('train.yml', 'w').close()", "changed train.yml"),
    ],
)
def test_what_does_not_hold_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behaves: str, problem: str
) -> None:
    monkeypatch.setattr(commands, "cfglint", lambda _words: exec(behaves))
    project = commands.Project("train.yml", {"train.yml": b"a: 1\n"})
    found = commands.problem(("train.yml",), project, tmp_path / "project")
    assert found is not None
    assert found.startswith(problem)


def test_odd_values_take_the_place_of_values() -> None:
    changed = commands.with_odd_value(Random(1), "a: 1\nb: 2\n").decode()
    assert changed != "a: 1\nb: 2\n"
    assert changed.startswith("a: ")
