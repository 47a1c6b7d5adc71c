"""GitLab's code quality report: each entry as it must be, since GitLab stops at the first other."""

from __future__ import annotations

from cfglint.report.formats import gitlab
from cfglint.report.run import RunReport
from cfglint.source.text import Span
from tests.draws import each
from tests.report import official
from tests.report.building import finding, report
from tests.report.cases import CASES


@each("case", CASES)
def test_every_report_is_valid(case: str) -> None:
    made = CASES[case]()
    entries = official.gitlab(gitlab.render(made))
    assert len(entries) == sum(len(file.diagnostics) for file in made.files)


def test_nothing_found_is_an_empty_list() -> None:
    assert gitlab.render(RunReport([report("train.yml", "a: 1\n")], [])) == "[]\n"


def test_an_entry() -> None:
    text = "a: 1\nb:\n  - 1\n"
    found = [
        finding("AAA001", Span(5, 13), severity=severity, path=("b",))
        for severity in ("error", "warning", "note")
    ]
    entries = official.gitlab(gitlab.render(RunReport([report("./c/train.yml", text, *found)], [])))
    # Three findings of one rule at one key: the fingerprints differ all the same.
    assert [entry["severity"] for entry in entries] == ["major", "minor", "info"]
    assert entries[0]["location"] == {"path": "c/train.yml", "lines": {"begin": 2, "end": 3}}
    assert entries[0]["check_name"] == "AAA001 some-rule"
