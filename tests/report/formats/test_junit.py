"""JUnit XML: valid, and red exactly when the run fails."""

from __future__ import annotations

import pytest

from cfglint.report.formats import junit
from cfglint.report.run import RunReport
from cfglint.source.text import Span
from tests.draws import each
from tests.report import official
from tests.report.building import finding, report
from tests.report.cases import CASES


@each("case", CASES)
def test_every_report_is_valid(case: str) -> None:
    made = CASES[case]()
    root = official.junit(junit.render(made))
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases) > 0
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
        names = [(case.get("classname"), case.get("name")) for case in cases]
        assert len(set(names)) == len(names)
    for count in ("tests", "failures", "errors"):
        assert int(root.get(count)) == sum(int(suite.get(count)) for suite in root)
    assert (int(root.get("failures")) > 0) == made.failed()


def test_no_file_at_all() -> None:
    root = official.junit(junit.render(RunReport([], [])))
    assert (len(root), root.get("tests")) == (0, "0")


def test_a_clean_file_is_a_test_that_passes() -> None:
    root = official.junit(junit.render(RunReport([report("train.yml", "a: 1\n")], ["other.yml"])))
    clean, skipped = root
    assert [child.tag for child in clean[0]] == []
    assert [child.tag for child in skipped[0]] == ["skipped"]
    assert (clean.get("name"), skipped.get("skipped")) == ("train.yml", "1")


def test_a_finding_below_the_threshold_passes_with_output() -> None:
    text = "a: 1\nb: 2\n"
    found = [
        finding("AAA001", Span(0, 1), path=("a",)),
        finding("AAA002", Span(5, 6), severity="warning", path=("b",)),
        finding("AAA002", Span(5, 9), severity="warning", path=("b",)),
    ]
    file = report("train.yml", text, *found)
    (suite,) = official.junit(junit.render(RunReport([file], [])))
    assert [case[0].tag for case in suite] == ["failure", "system-out", "system-out"]
    # No line numbers: the test is the same one after lines have moved.
    assert [case.get("name") for case in suite] == [
        "AAA001 some-rule: a",
        "AAA002 some-rule: b",
        "AAA002 some-rule: b (2)",
    ]
    assert suite[0][0].text.startswith("train.yml:1:1: error AAA001 ")
    (suite,) = official.junit(junit.render(RunReport([file], [], fail_on="warning")))
    assert suite.get("failures") == "3"


def test_what_could_not_be_checked_is_an_error() -> None:
    made = RunReport([], [])
    made.failures.append("train.yml: cannot be <read>")
    (suite,) = official.junit(junit.render(made))
    assert (suite.get("errors"), suite[0][0].tag) == ("1", "error")
    assert suite[0][0].get("message") == "train.yml: cannot be <read>"


@pytest.mark.parametrize("hostile", ["\0\x1b\x85\ufffe\uffff\ud800", '<!--"&]]>\n\t\r'])
def test_hostile_text_does_not_break_the_document(hostile: str) -> None:
    found = finding("AAA001", Span(0, 1), path=(hostile,), message=hostile)
    root = official.junit(
        junit.render(RunReport([report(hostile + "x", "a: 1\n", found)], [hostile]))
    )
    assert root[0].get("failures") == "1"
