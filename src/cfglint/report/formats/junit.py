"""JUnit XML, which every CI server shows: one suite per file, one test case per finding.

A finding below the threshold is a passing test with output: the tests fail if the
run does. Names contain no line numbers, so that a server recognizes a test that failed before.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.engine.file_report import FileReport
from cfglint.report.escaping import xml
from cfglint.report.fixed import NOT_REPORTED
from cfglint.report.formats.concise import line
from cfglint.report.identity import Identified, identified
from cfglint.report.run import RunReport


class _Suite:
    """The test cases of one file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
        self.rows: list[str] = []

    def add(self, name: str, outcome: str = "", count: str = "") -> None:
        """A test case; `outcome` is what is in it, `count` where it is counted."""
        self.counts["tests"] += 1
        if count:
            self.counts[count] += 1
        case = f'    <testcase name="{xml(name)}" classname="{xml(self.name)}"'
        self.rows.append(
            f"{case}>\n      {outcome}\n    </testcase>\n" if outcome else f"{case}/>\n"
        )

    def __str__(self) -> str:
        head = f'  <testsuite name="{xml(self.name)}" {_attributes(self.counts)}>\n'
        return head + "".join(self.rows) + "  </testsuite>\n"


def render(run: RunReport) -> str:
    """The whole run."""
    suites = list(_suites(run))
    names = ("tests", "failures", "errors")
    counts = {name: sum(suite.counts[name] for suite in suites) for name in names}
    head = f'<testsuites name="cfglint" {_attributes(counts)}>\n'
    body = "".join(map(str, suites))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{body}</testsuites>\n'


def _attributes(counts: dict[str, int]) -> str:
    return " ".join(f'{name}="{count}"' for name, count in counts.items())


def _suites(run: RunReport) -> Iterator[_Suite]:
    found: dict[int, list[Identified]] = {}
    for one in identified(run):
        found.setdefault(id(one.file), []).append(one)
    for file in run.files:
        suite = _Suite(run.path_from_root(file.path) or file.path)
        for one in found.get(id(file), ()):
            _add(suite, run, file, one)
        if run.only_fixes:
            for fix in file.fixed if file.fixed_source is not None else ():
                suite.add(f"fixed {fix.code}: {fix.title} (line {fix.line})")
            suite.add("findings", f'<skipped message="{NOT_REPORTED}"/>', "skipped")
        elif not suite.rows:
            suite.add("no findings")
        yield suite
    for path in run.skipped:
        suite = _Suite(run.path_from_root(path) or path)
        suite.add("not checked", '<skipped message="not a training config"/>', "skipped")
        yield suite
    if run.failures:
        suite = _Suite("cfglint")
        for number, failure in enumerate(run.failures, 1):
            error = f'<error type="not-checked" message="{xml(failure)}"/>'
            suite.add(f"could not be checked ({number})", error, "errors")
        yield suite


def _add(suite: _Suite, run: RunReport, file: FileReport, one: Identified) -> None:
    found = one.found
    name = f"{found.code} {found.name}"
    name += f": {one.key}" if one.key else ""
    name += f" ({one.number})" if one.number > 1 else ""
    text = xml(line(run, file, found))
    if run.fails(file, found):
        message = f'type="{found.severity}" message="{xml(found.message)}"'
        suite.add(name, f"<failure {message}>{text}</failure>", "failures")
    else:
        suite.add(name, f"<system-out>{text}</system-out>")
