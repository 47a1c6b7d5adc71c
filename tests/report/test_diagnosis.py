"""What is shown of the end of a run."""

from __future__ import annotations

import pytest

from cfglint.answers.logs.causes import End, ProbableCause
from cfglint.answers.logs.diagnosis import RunDiagnosis
from cfglint.answers.logs.failures import Failure
from cfglint.answers.logs.stated import LogFacts
from cfglint.report.diagnosis import render_text
from cfglint.report.style import Style


def failure(kind: str, message: str, line: int, rank: str = "") -> Failure:
    return Failure(kind, message, (), rank, line)


def shown(*failures: Failure, **stated: object) -> list[str]:
    facts = LogFacts(**{"versions": {}, "gpus": None, "config": None, **stated})  # type: ignore[arg-type]
    found = RunDiagnosis(failures, (), {}, {}, {}, (), {}, False, facts)
    return render_text(found, "run.log", Style(color=False), 80).splitlines()


@pytest.mark.parametrize(
    ("failures", "lines"),
    [
        ((), ["The log has no error that cfglint recognizes.", ""]),
        (
            (failure("ValueError", "no such thing", 12, "1"), failure("", "killed", 14)),
            [
                "run.log:12 (rank 1)",
                "  ValueError: no such thing",
                "  cfglint knows no cause of this error.",
                "",
                "run.log:14",
                "  killed",
                "  cfglint knows no cause of this error.",
                "",
            ],
        ),
    ],
)
def test_failures_without_a_known_cause(failures: tuple[Failure, ...], lines: list[str]) -> None:
    assert shown(*failures) == [*lines, "The log states no versions"]


def test_what_the_log_states() -> None:
    versions = {"trl": ("1.0.0", 3), "torch": ("2.9.0", 4)}
    assert shown(versions=versions)[-1] == "The log states trl 1.0.0, torch 2.9.0"
    many = {f"p{number}": ("1", number) for number in range(8)}
    assert shown(versions=many)[-1].endswith("p5 1 and 2 more")


def test_failures_that_the_same_end_leads_are_explained_once() -> None:
    end = End("e", "It ended", "Start again.", "", "It did.", (), False, ())
    first, second = failure("ValueError", "no", 12), failure("", "gone", 14)
    causes = (
        ProbableCause(first, (), (), end, 9, leads=True),
        ProbableCause(second, (), (), end, 9, leads=True),
        ProbableCause(second, ("LCH820",), ("any",), None, 8),
    )
    facts = LogFacts(versions={}, gpus=None, config=None)
    found = RunDiagnosis((first, second), causes, {}, {}, {}, (), {}, False, facts)
    text = render_text(found, "run.log", Style(color=False), 80)
    assert text.count("It ended.") == 1
    assert "run.log:12" in text
    assert "run.log:14" in text
