"""The tool that finds what grows faster than its input: a sample, and that it notices."""

from __future__ import annotations

import pytest

from tools.growth.inputs import cases
from tools.growth.patterns import Found, patterns, slow


def found(pattern: str) -> Found:
    return Found("a.py", 1, pattern, 0, anchored=False)


@pytest.mark.parametrize(
    "pattern", [r"^(a+)+$", r"[ \t]*,?[ \t]*$", r"#(?:.*&)?egg=", r"\d[\d_]*\.?[\d_]*e"]
)
def test_a_pattern_that_backtracks_is_noticed(pattern: str) -> None:
    assert slow(found(pattern)) is not None


def test_a_linear_pattern_is_not_reported() -> None:
    assert slow(found(r"[a-z]+(?:-[a-z]+)*")) is None


#: Each of these took minutes for a text of some hundred kilobytes, or for ever for a short one.
MENDED = [
    "checks/scalar_traps.py",
    "source/shell_values.py",
    "frameworks/accessory/checks/words.py",
    "environment/project/readers/launch.py",
    "environment/project/readers/toml_locks.py",
]  # fmt: skip


@pytest.mark.parametrize("path", MENDED)
def test_patterns_that_once_backtracked(path: str) -> None:
    own = [one for one in patterns() if one.path == path]
    assert own
    assert [str(one) for pattern in own if (one := slow(pattern)) is not None] == []


def test_the_names_of_cases_differ() -> None:
    names = [case.name for case in cases()]
    assert len(names) == len(set(names)) > 100
