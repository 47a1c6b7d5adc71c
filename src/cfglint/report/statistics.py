"""How often each rule fires, the most frequent first."""

from __future__ import annotations

from collections import Counter

from cfglint.diagnostic import SEVERITIES
from cfglint.report.run import RunReport, count_phrase, plural


def render(run: RunReport) -> str:
    """A line a rule: findings, files, severity, code, name."""
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
    lines = []
    for rule, count in sorted(findings.items(), key=lambda pair: (-pair[1], pair[0])):
        severity = SEVERITIES[worst[rule]]
        lines.append(
            f"{count:6}  in {plural(files[rule], 'file'):10}  {severity:8}{rule[0]} {rule[1]}\n"
        )
    total = count_phrase(run.counts()) or "nothing found"
    return "".join(lines) + f"{total} in {plural(len(run.files), 'file')}\n"
