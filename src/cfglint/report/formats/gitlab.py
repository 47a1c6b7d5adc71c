"""GitLab's code quality report: a list of findings, each with its own fingerprint.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
GitLab stops reading at the first entry that is not valid.
"""

from __future__ import annotations

from cfglint.diagnostic import SeverityName
from cfglint.report.escaping import visible
from cfglint.report.identity import identified
from cfglint.report.json_text import json_text
from cfglint.report.run import RunReport

_SEVERITIES: dict[SeverityName, str] = {"error": "major", "warning": "minor", "note": "info"}


def render(run: RunReport) -> str:
    """All findings, ASCII only; an empty list when there are none."""
    rows = []
    for one in identified(run):
        source = one.file.source
        found = one.found
        rows.append(
            {
                "description": visible(found.message),
                "check_name": f"{found.code} {found.name}",
                "fingerprint": one.fingerprint,
                "severity": _SEVERITIES[found.severity],
                "location": {
                    "path": visible(run.path_from_root(one.file.path) or one.file.path),
                    "lines": {
                        "begin": source.position(found.span.start).line,
                        "end": source.position(max(found.span.end, found.span.start)).line,
                    },
                },
            }
        )
    # Some CI runners execute `##[command]` anywhere in their log.
    return json_text(rows) + "\n"
