"""The machine-readable report, version 2: one JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cfglint
from cfglint.base.type_names import Any
from cfglint.engine.file_report import FileReport, Named
from cfglint.engine.needs import option_for
from cfglint.report.json_text import json_text
from cfglint.report.run import RunReport
from cfglint.report.target import as_data

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 2


def render(run: RunReport) -> str:
    """The whole run; ASCII only, so that nothing in it can steer a terminal.

    A finding is one line: `grep` finds it, a diff shows it, and the encoder of the standard library
    that is written in C, which does not support indentation, takes a tenth of the other's time.
    """
    # Files of a folder share theirs.
    targets = {id(file.target): file.target for file in run.files}
    texts = {key: _text(as_data(target)) for key, target in targets.items()}
    members = {
        "version": _text(FORMAT_VERSION),
        "tool": _text({"name": "cfglint", "version": cfglint.__version__}),
        "target": texts[id(run.files[0].target)] if run.files else "{}",
        "files": _lines("[]", (_file(file, texts[id(file.target)]) for file in run.files), "  "),
        "skipped": _text(run.skipped),
        "failures": _text(run.failures),
        "summary": _text(_summary(run)),
    }
    if run.only_fixes:
        members["only_fixes"] = _text(True)
    if run.left_out:
        members["left_out"] = _text(run.left_out)
    return _lines("{}", _members(members), "") + "\n"


def _summary(run: RunReport) -> dict[str, int]:
    """How many findings, files and fixes there are."""
    counts = {**run.counts(), "files": len(run.files), "fixable": run.fixable()}
    return {**counts, "due": due} if (due := run.due()) else counts


def _file(file: FileReport, target: str) -> str:
    members = {
        "path": _text(file.path),
        "framework": _text(file.framework),
        "target": target,
        "diagnostics": _lines(
            "[]",
            (_text(found.located(file.source).to_dict()) for found in file.diagnostics),
            "      ",
        ),
        "undecided": _text(
            [
                {"fact": fact, "rules": count, "option": option_for(fact)}
                for fact, count in sorted(file.undecided.items())
            ]
        ),
        "suppressed": _text(file.suppressed),
        "fixed": _text(len(file.fixed)),
        "applied": _text([dict(vars(fix)) for fix in file.fixed]),
    }
    if file.copy_of:
        members |= {"copy_of": _text(file.copy_of), "folded": _text(file.folded)}
    if file.names:
        members["names"] = _text([_named(one) for one in file.names])
    return _lines("{}", _members(members), "    ")


def _members(members: dict[str, str]) -> Iterator[str]:
    return (f'"{name}": {text}' for name, text in members.items())


def _lines(brackets: str, parts: Iterable[str], indent: str) -> str:
    """An array or an object with each part on a line of its own."""
    between = f",\n{indent}  "
    inner = between.join(parts)
    return f"{brackets[0]}{between[1:]}{inner}\n{indent}{brackets[1]}" if inner else brackets


def _text(data: Any) -> str:
    return json_text(data, indent=None)


def _named(named: Named) -> dict[str, Any]:
    return {"path": named.path, "framework": named.framework}
