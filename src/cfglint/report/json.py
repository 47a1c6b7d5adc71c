"""The machine-readable report, version 2: one JSON object."""

from __future__ import annotations

import json
from typing import Any

import cfglint
from cfglint.engine.file_report import FileReport, Named
from cfglint.engine.needs import option_for
from cfglint.report.run import RunReport
from cfglint.report.target import as_data

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 2


_NO_FILES = '"files": []'


def render(run: RunReport) -> str:
    """The whole run; ASCII only, so that nothing in it can steer a terminal."""
    targets = [file.target for file in run.files]
    counts = run.counts()
    report = {
        "version": FORMAT_VERSION,
        "tool": {"name": "cfglint", "version": cfglint.__version__},
        "target": as_data(targets[0]) if targets else {},
        "files": [],
        "skipped": run.skipped,
        "failures": run.failures,
        "summary": {**counts, "files": len(run.files), "fixable": run.fixable()},
    }
    text = _text(report)
    if run.files:
        # File by file: as objects the report of many files takes more memory than the check.
        before, after = text.split(_NO_FILES, 1)
        files = ",\n    ".join(_text(_file(file)).replace("\n", "\n    ") for file in run.files)
        text = f'{before}"files": [\n    {files}\n  ]{after}'
    return text + "\n"


def _text(data: dict[str, Any]) -> str:
    # Some CI runners execute `##[command]` anywhere in their log.
    return json.dumps(data, indent=2).replace("##", "#\\u0023")


def _file(file: FileReport) -> dict[str, Any]:
    return {
        "path": file.path,
        "framework": file.framework,
        "target": as_data(file.target),
        "diagnostics": [found.located(file.source).to_dict() for found in file.diagnostics],
        "undecided": [
            {"fact": fact, "rules": count, "option": option_for(fact)}
            for fact, count in sorted(file.undecided.items())
        ],
        "suppressed": file.suppressed,
        "fixed": len(file.fixed),
        "applied": [dict(vars(fix)) for fix in file.fixed],
        **({"names": [_named(one) for one in file.names]} if file.names else {}),
    }


def _named(named: Named) -> dict[str, Any]:
    return {"path": named.path, "framework": named.framework}
