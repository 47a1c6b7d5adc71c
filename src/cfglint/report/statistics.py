"""How often each rule fires, the most frequent first."""

from __future__ import annotations

from collections import Counter

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
    severity: SeverityName
    findings: int
    files: int


def count(run: RunReport) -> list[RuleCount]:
    """The rules that fired, the most frequent first, each with its worst severity."""
    findings: Counter[tuple[str, str]] = Counter()
    files: Counter[tuple[str, str]] = Counter()
    worst: dict[tuple[str, str], int] = {}
    for file in run.files:
        for found in file.diagnostics:
            rule = (found.code, found.name)
            findings[rule] += 1
            rank = SEVERITIES.index(found.severity)
            worst[rule] = min(worst.get(rule, rank), rank)
        files.update({(found.code, found.name) for found in file.diagnostics})
    return [
        RuleCount(*rule, SEVERITIES[worst[rule]], number, files[rule])
        for rule, number in sorted(findings.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def render(run: RunReport) -> str:
    """A line per rule: findings, files, severity, code, name."""
    lines = [
        f"{row.findings:6}  in {plural(row.files, 'file'):10}  {row.severity:8}{row.code} {row.name}\n"
        for row in count(run)
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
