"""What the playground's page asks, and the answers: the part that runs inside the browser.

Requests and answers are JSON. Positions in answers count UTF-16 code units, as the page's texts do.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from cfglint.diagnostic import Diagnostic, Fix
from cfglint.engine.file_report import FileReport
from cfglint.engine.needs import option_for
from cfglint.engine.session import RunError, UnrecognizedError
from cfglint.report import target
from cfglint.report.blocks import blocks
from cfglint.report.formats.diff import render as patch
from cfglint.report.formats.text import aside
from cfglint.report.run import RunReport, count_phrase
from cfglint.report.snippet import Mark, snippet
from cfglint.source.text import BOM
from tools.playground.texts import Offsets, Refused, Texts

#: Columns of a line of a config that are shown with a finding.
_WIDTH = 88
#: Other places of a finding that are shown.
_MAX_PLACES = 6
#: What the page calls the options that decide a rule.
_FIELDS = {"--gpus N": "the number of GPUs", "--gpu NAME": "the GPU model"}
#: Where the command line would say that something comes from; here it comes from the form.
_ORIGIN = re.compile(r" \(--\w+\)")


def answer(request: str) -> str:
    """The answer to a request, both as JSON."""
    asked = json.loads(request)
    try:
        return json.dumps(_answer(asked))
    except UnrecognizedError as error:
        return _refused(f"{error.reason}. Choose the framework that it is for.")
    except (Refused, RunError) as error:
        return _refused(str(error))
    except ModuleNotFoundError as error:
        # Settings can ask for more than a check of a config does: own rules, schemas.
        said = f"The settings ask for something that the playground lacks ({error.name})."
        return _refused(said)


def _refused(why: str) -> str:
    """The answer to a request that cannot be met."""
    # Where the files are in the browser's memory is of no interest.
    return json.dumps({"refused": why.replace(os.path.join(os.getcwd(), ""), "")})


def check(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The findings in all files, and a summary."""
    texts = Texts(asked)
    reports = texts.reports()
    run = RunReport(reports, [])
    return {
        "files": [_file(report) for report in reports],
        "assumed": reports[0].title if texts.assumed and reports else None,
        "unchecked": [
            os.path.relpath(path)
            for path in texts.together
            if path not in {report.path for report in reports}
        ],
        "apart": [os.path.relpath(path) for path in texts.paths if path not in texts.together],
        "problems": texts.problems,
        "counts": count_phrase(run.counts()),
        "targets": list(dict.fromkeys(_target(report) for report in reports)),
        "warnings": list(target.warnings(report.target for report in reports)),
        "undecided": [
            {"rules": count, "field": _field(option_for(fact))}
            for fact, count in sorted(run.undecided().items(), key=lambda pair: -pair[1])
        ],
        "suppressed": sum(report.suppressed for report in reports),
    }


def fixed(asked: Mapping[str, Any]) -> dict[str, Any]:
    """All files with their safe fixes, what was done, and the changes as a patch."""
    texts = Texts(asked)
    out = []
    for path in texts.together:
        report = texts.report(path, fix=True)
        if report is None or report.fixed_source is None:
            continue
        source = report.fixed_source
        out.append(
            {
                "name": os.path.relpath(path),
                "text": (BOM if source.bom else "") + source.text,
                "fixed": [
                    {"code": fix.code, "title": fix.title, "line": fix.line} for fix in report.fixed
                ],
                "patch": patch([report], for_terminal=True).splitlines(),
            }
        )
    return {"files": out}


def _answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a request; what only some questions need is imported with them.

    Raises:
        Refused: it cannot be answered.
        RunError: settings among the files cannot be used.
    """
    ask = asked["ask"]
    if ask == "check":
        return check(asked)
    if ask == "fixed":
        return fixed(asked)
    if ask in ("hover", "complete"):
        from tools.playground import editing

        return editing.hovered(asked) if ask == "hover" else editing.completions(asked)
    from tools.playground import views

    return views.VIEWS[ask](asked)


def _target(report: FileReport) -> str:
    """What a file was checked for."""
    return _ORIGIN.sub("", target.described(report.target))


def _field(option: str) -> str:
    """What the page calls an option."""
    package = option.removeprefix("--target ").partition("==")[0]
    return _FIELDS.get(option, f"the version of {package}")


def _file(report: FileReport) -> dict[str, Any]:
    offsets = Offsets(report.source)
    return {
        "name": os.path.relpath(report.path),
        "framework": report.framework,
        "findings": [
            _finding(report, found, offsets)
            for _, of_file in blocks([report])
            for block in of_file
            for found in (*block.findings, *block.settled)
        ],
    }


def _finding(report: FileReport, found: Diagnostic, offsets: Offsets) -> dict[str, Any]:
    here = [other for other in found.related if other.file is None]
    marks = [Mark(found.span, "", True)]
    marks += [Mark(other.span, other.note, False) for other in here[:_MAX_PLACES]]
    line, column = report.source.position(found.span.start)
    return {
        "code": found.code,
        "name": found.name,
        "severity": found.severity,
        "message": found.message,
        "cost": found.cost + aside(found, report.title) if found.cost else "",
        "decided_by": [_field(option) for option in found.needs],
        "other_releases": found.other_releases,
        "line": line,
        "column": column,
        "from": offsets(found.span.start),
        "to": offsets(found.span.end),
        "rows": [
            {"number": row.number, "text": row.text, "marks": row.marks, "primary": row.primary}
            for row in snippet(report.source, marks, _WIDTH)
        ],
        "elsewhere": [
            {"name": os.path.relpath(other.file.path), "line": _line(other), "note": other.note}
            for other in found.related
            if other.file is not None
        ],
        "fixes": [_fix(fix, offsets) for fix in found.fixes],
        "undecided": found.undecided,
    }


def _line(other: Any) -> int:
    """The line of a place in another file."""
    return int(other.file.source.position(other.span.start).line)


def _fix(fix: Fix, offsets: Offsets) -> dict[str, Any]:
    return {
        "title": fix.title,
        "safety": fix.safety,
        "refused": fix.refused,
        "edits": [
            {"from": offsets(edit.start), "to": offsets(edit.end), "insert": edit.text}
            for edit in fix.edits
        ],
    }
