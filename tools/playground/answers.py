"""What the playground's page asks, and the answers: the part that runs inside the browser.

Requests and answers are JSON. Positions in answers count UTF-16 code units, as the page's texts do.
"""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import Any

from cfglint.diagnostic import Diagnostic, Fix
from cfglint.engine.file_report import FileReport
from cfglint.engine.needs import option_for
from cfglint.engine.session import RunError, UnrecognizedError
from cfglint.files.memory import InMemory
from cfglint.framework import frameworks
from cfglint.report import target
from cfglint.report.blocks import blocks
from cfglint.report.diff import render as patch
from cfglint.report.run import RunReport, count_phrase
from cfglint.report.snippet import Mark, snippet
from cfglint.report.text import aside
from cfglint.server.snapshot import OpenText, Snapshot, read_options
from cfglint.source.text import BOM, SourceText

#: Columns of a line of a config that are shown with a finding.
_WIDTH = 88
#: Other places of a finding that are shown.
_MAX_PLACES = 6
#: What the page calls the options that decide a rule.
_FIELDS = {"--gpus N": "the number of GPUs", "--gpu NAME": "the GPU model"}
#: Where the command line would say that something comes from; here it comes from the form.
_ORIGIN = re.compile(r" \(--\w+\)")


class Refused(Exception):
    """The request cannot be answered; the message is for the reader of the page."""


def answer(request: str) -> str:
    """The answer to a request, both as JSON."""
    asked = json.loads(request)
    try:
        return json.dumps(_ANSWERS[asked["ask"]](asked))
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


class Texts:
    """The texts of a request, and the snapshots that they are checked in.

    Args:
        asked: `files` is a list of objects with `name` and `text`, the first of which is the
            config; `framework`, `target`, `gpus` and `gpu` may be missing.

    Raises:
        Refused: a name or an option cannot be used.
    """

    def __init__(self, asked: Mapping[str, Any]) -> None:
        self.paths: list[str] = []
        texts = {}
        for file in asked["files"]:
            path = _path(file["name"])
            if path in texts:
                raise Refused(f"Two files are called {file['name']}.")
            self.paths.append(path)
            texts[path] = OpenText(path, path, 0, file["text"])
        told = {name: asked.get(name) for name in ("target", "gpus", "gpu")}
        chosen = asked.get("framework")
        if chosen and chosen not in frameworks():
            raise Refused(f"{chosen!r} is not a framework that cfglint knows.")
        try:
            options = read_options(told)
            self.snapshot = Snapshot(options, texts, InMemory({}))
            # Only the first file is said to be of that framework.
            forced = options.replaced(framework=chosen)
            self.first = Snapshot(forced, texts, InMemory({})) if chosen else self.snapshot
        except (TypeError, ValueError) as error:
            raise Refused(str(error)) from None

    def report(self, path: str, *, fix: bool = False) -> FileReport | None:
        """The report on one file; None when it is not a config.

        Raises:
            UnrecognizedError: it is the first one, and not known to be of a framework.
            RunError: settings among the files cannot be used.
        """
        is_first = path == self.paths[0]
        snapshot = self.first if is_first else self.snapshot
        runner = snapshot.fixing if fix else snapshot.runner
        return runner.check_bytes(snapshot.texts[path].data, path, named=is_first)

    def reports(self) -> list[FileReport]:
        """The reports on all files that are configs.

        Raises:
            UnrecognizedError: the first one is not known to be of a framework.
            RunError: settings among the files cannot be used.
        """
        found = (self.report(path) for path in self.paths)
        return self.snapshot.merged(report for report in found if report is not None)

    @property
    def assumed(self) -> bool:
        """Whether the first file has too few keys to be certainly for its framework."""
        return self.first.framework(self.paths[0]) is None


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
            for path in texts.paths
            if path not in {report.path for report in reports}
        ],
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
    for path in texts.paths:
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


_ANSWERS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "check": check,
    "fixed": fixed,
}


def _path(name: str) -> str:
    """The path of a file of the page, below the current folder."""
    path = os.path.abspath(name)
    if not name.strip() or "\0" in name or not path.startswith(os.path.join(os.getcwd(), "")):
        raise Refused(f"{name!r} is not a valid file name.")
    return path


def _target(report: FileReport) -> str:
    """What a file was checked for."""
    return _ORIGIN.sub("", target.described(report.target))


def _field(option: str) -> str:
    """What the page calls an option."""
    package = option.removeprefix("--target ").partition("==")[0]
    return _FIELDS.get(option, f"the version of {package}")


def _file(report: FileReport) -> dict[str, Any]:
    offsets = _Offsets(report.source)
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


def _finding(report: FileReport, found: Diagnostic, offsets: _Offsets) -> dict[str, Any]:
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


def _fix(fix: Fix, offsets: _Offsets) -> dict[str, Any]:
    return {
        "title": fix.title,
        "safety": fix.safety,
        "refused": fix.refused,
        "edits": [
            {"from": offsets(edit.start), "to": offsets(edit.end), "insert": edit.text}
            for edit in fix.edits
        ],
    }


class _Offsets:
    """The page's offsets for those of the engine, which counts code points after the mark."""

    def __init__(self, source: SourceText) -> None:
        self._mark = 1 if source.bom else 0
        # Only these take two code units.
        self._wide = (
            []
            if source.text.isascii()
            else [place for place, char in enumerate(source.text) if char > "\uffff"]
        )

    def __call__(self, offset: int) -> int:
        return self._mark + offset + bisect_left(self._wide, offset)
