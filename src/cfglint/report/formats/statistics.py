"""How often each rule fires, the most frequent first."""

from __future__ import annotations

from collections.abc import Mapping

import cfglint
from cfglint.base.record import Record
from cfglint.diagnostic import SEVERITIES, SeverityName
from cfglint.report.run import RunReport, count_phrase, plural

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 1


class RuleCount(Record):
    """How often one rule fired in a run."""

    code: str
    name: str
    #: The worst of its findings.
    severity: SeverityName
    findings: int
    files: int
    #: How many of the findings have each severity, the most severe first.
    severities: Mapping[SeverityName, int]
    #: How many of them `--fix` would repair, or `--fix --unsafe-fixes` where that is given.
    fixable: int


class _Count:
    """Findings of one rule and severity."""

    def __init__(self) -> None:
        self.findings = self.fixable = 0
        self.files: set[str] = set()


def _counted(run: RunReport) -> dict[tuple[str, str], dict[SeverityName, _Count]]:
    """Rule -> severity -> its findings."""
    found: dict[tuple[str, str], dict[SeverityName, _Count]] = {}
    for file in run.files:
        for one in file.diagnostics:
            by_severity = found.setdefault((one.code, one.name), {})
            count = by_severity.setdefault(one.severity, _Count())
            count.findings += 1
            count.fixable += one.fix(unsafe=run.unsafe_fixes) is not None
            count.files.add(file.path)
    return found


def count(run: RunReport) -> list[RuleCount]:
    """The rules that fired, the most frequent first."""
    rows = []
    for (code, name), counts in _counted(run).items():
        severities = {one: counts[one].findings for one in SEVERITIES if one in counts}
        rows.append(
            RuleCount(
                code,
                name,
                next(iter(severities)),
                sum(severities.values()),
                len(set().union(*(one.files for one in counts.values()))),
                severities,
                sum(one.fixable for one in counts.values()),
            )
        )
    return sorted(rows, key=lambda row: (-row.findings, row.code, row.name))


def render(run: RunReport) -> str:
    """A line per rule and severity: findings, files, severity, fixable, code, name."""
    rows = [
        (one.findings, len(one.files), severity, one.fixable, code, name)
        for (code, name), counts in _counted(run).items()
        for severity, one in counts.items()
    ]
    rows.sort(key=lambda row: (-row[0], row[4], row[5], SEVERITIES.index(row[2])))
    lines = [
        f"{findings:6}  in {plural(files, 'file'):10}  {severity:8}"
        f"{f'{fixable} fixable' if fixable else '':14}{code} {name}\n"
        for findings, files, severity, fixable, code, name in rows
    ]
    total = count_phrase(run.counts()) or "nothing found"
    return "".join(lines) + f"{total} in {plural(len(run.files), 'file')}\n"


def render_json(run: RunReport) -> str:
    """The same for programs."""
    from cfglint.report.json_text import json_text

    report = {
        "version": FORMAT_VERSION,
        "tool": {"name": "cfglint", "version": cfglint.__version__},
        "files": len(run.files),
        "failures": run.failures,
        "rules": [dict(vars(row)) for row in count(run)],
    }
    # Some CI runners execute `##[command]` anywhere in their log.
    return json_text(report) + "\n"
