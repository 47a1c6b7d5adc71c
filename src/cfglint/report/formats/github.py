"""GitHub workflow commands: findings as annotations on the changed files."""

from __future__ import annotations

import os

from cfglint.base.paths import relative_path
from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport
from cfglint.report import fixed
from cfglint.report.escaping import command_data, command_property
from cfglint.report.run import RunReport, count_phrase

#: GitHub shows this many annotations of a step and drops the others.
SHOWN_PER_STEP = 10
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(run: RunReport) -> str:
    """The most severe findings first; what would not be shown is counted in a last annotation."""
    if run.only_fixes:
        return _repairs(run) if run.files else ""
    found = run.by_importance()
    if len(found) <= SHOWN_PER_STEP:
        return "".join(_command(file, diagnostic) for file, diagnostic in found)
    shown, rest = found[: SHOWN_PER_STEP - 1], found[SHOWN_PER_STEP - 1 :]
    counts: dict[str, int] = {"error": 0, "warning": 0, "note": 0}
    for _, diagnostic in rest:
        counts[diagnostic.severity] += 1
    message = f"{count_phrase(counts)} more; the log and the job summary have them all"
    last = f"::{_COMMANDS[rest[0][1].severity]} title=cfglint::{command_data(message)}\n"
    return "".join(_command(file, diagnostic) for file, diagnostic in shown) + last


def _repairs(run: RunReport) -> str:
    """What was repaired, and how much of it is not shown."""
    made = run.applied()
    shown = made if len(made) < SHOWN_PER_STEP else made[: SHOWN_PER_STEP - 1]
    commands = []
    for file, fix in shown:
        properties = {"file": _repository_path(file.path), "line": str(fix.line)}
        properties["title"] = f"{fix.code} {'would be fixed' if run.dry else 'fixed'}"
        commands.append(_written("notice", properties, command_data(fix.title)))
    text = command_data(f"{fixed.counted(run)}; {fixed.NOT_REPORTED}")
    return "".join((*commands, _written("notice", {"title": "cfglint"}, text)))


def _repository_path(path: str) -> str:
    """The path as GitHub knows the file: from the top of the checkout, with slashes."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if workspace:
        relative = relative_path(path, os.path.abspath(workspace))
        if relative != ".." and not relative.startswith(".." + os.sep):
            path = relative
    return os.path.normpath(path).replace(os.sep, "/")


def _command(file: FileReport, found: Diagnostic) -> str:
    start = file.source.position(found.span.start)
    end = file.source.position(max(found.span.end, found.span.start))
    properties = {
        "file": _repository_path(file.path),
        "line": str(start.line),
        "endLine": str(end.line),
    }
    if start.line == end.line:
        # GitHub refuses columns on an annotation over several lines.
        properties["col"] = str(start.column)
        properties["endColumn"] = str(end.column)
    properties["title"] = f"{found.code} {found.name}"
    fix = found.fix(unsafe=True)
    parts = [found.message, found.cost and f"Cost: {found.cost}", fix and f"Fix: {fix.title}."]
    message = "\n".join(command_data(part) for part in parts if part)
    return _written(_COMMANDS[found.severity], properties, message)


def _written(command: str, properties: dict[str, str], message: str) -> str:
    listed = ",".join(f"{name}={command_property(value)}" for name, value in properties.items())
    return f"::{command} {listed}::" + message.replace("\n", "%0A") + "\n"
