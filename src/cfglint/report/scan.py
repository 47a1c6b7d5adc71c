"""The summary of a scan, as text and as JSON."""

from __future__ import annotations

import cfglint
from cfglint.base.type_names import TYPE_CHECKING
from cfglint.report.escaping import visible, visible_path
from cfglint.report.json_text import json_text
from cfglint.report.run import plural

if TYPE_CHECKING:
    from cfglint.api.scan.result import Summary

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 1
#: Lines of a list; the tables have the rest.
_SHOWN = 20


def render_text(summary: Summary, seconds: float, resumed: int, findings: str, files: str) -> str:
    """Releases, rules and the reasons for files that were not checked, one per line, then the totals.

    Args:
        seconds: what the run took.
        resumed: files that an earlier run had done.
        findings, files: where the tables were written.
    """
    lines = [f"{'files':>9} {'with errors':>12} {'findings':>9}  checked for\n"]
    for (framework, release), (count, wrong, found) in summary.frameworks.items():
        lines.append(f"{count:9} {wrong:12} {found:9}  {framework} {release}\n")
    lines += ["\n", f"{'findings':>9} {'files':>12}  rule\n"]
    rules = list(summary.rules.items())
    for (code, name), (found, count, worst) in rules[:_SHOWN]:
        lines.append(f"{found:9} {count:12}  {worst:8}{code} {name}\n")
    if len(rules) > _SHOWN:
        lines.append(f"{'':22}  and {plural(len(rules) - _SHOWN, 'more rule')}\n")
    if not summary.frameworks:
        lines = []
    if summary.reasons:
        lines += ["\n"] if lines else []
        lines.append(f"{'files':>9}  not checked\n")
        reasons = list(summary.reasons.items())
        for (status, reason), count in reasons[:_SHOWN]:
            lines.append(f"{count:9}  {status}: {visible(reason)}\n")
        if len(reasons) > _SHOWN:
            lines.append(f"{'':9}  and {plural(len(reasons) - _SHOWN, 'more reason')}\n")
    done = summary.files - resumed
    counts = ", ".join(f"{count} {status}" for status, count in summary.statuses.items() if count)
    lines.append(
        f"\n{plural(summary.files, 'file')}{f' ({counts})' if counts else ''}, "
        f"{plural(summary.findings, 'finding')}\n"
        f"{done} of them in {seconds:.0f} s: {done / max(seconds, 1e-3):.0f} files per second\n"
        f"wrote {visible_path(findings)}, {visible_path(files)}\n"
    )
    return "".join(lines)


def render_json(summary: Summary, seconds: float, resumed: int, findings: str, files: str) -> str:
    """The whole summary as JSON."""
    report = {
        "version": FORMAT_VERSION,
        "tool": {"name": "cfglint", "version": cfglint.__version__},
        "findings_table": findings,
        "files_table": files,
        "files": summary.files,
        "findings": summary.findings,
        "resumed": resumed,
        "seconds": round(seconds, 3),
        "judging_seconds": round(summary.seconds, 3),
        "statuses": summary.statuses,
        "not_checked": [
            {"status": status, "reason": reason, "files": count}
            for (status, reason), count in summary.reasons.items()
        ],
        "frameworks": [
            {
                "framework": framework,
                "release": release,
                "files": count,
                "files_with_errors": wrong,
                "findings": found,
            }
            for (framework, release), (count, wrong, found) in summary.frameworks.items()
        ],
        "rules": [
            {"code": code, "name": name, "severity": worst, "findings": found, "files": count}
            for (code, name), (found, count, worst) in summary.rules.items()
        ],
    }
    # Some CI runners execute `##[command]` anywhere in their log.
    return json_text(report) + "\n"
