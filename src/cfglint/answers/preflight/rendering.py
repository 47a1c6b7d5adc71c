"""A preflight as text for people, as lines for coding agents, and as data."""

from __future__ import annotations

import json
import os

import cfglint
from cfglint.answers.preflight.judging import EXIT_CODES, Preflight
from cfglint.answers.preflight.launched import RunPart
from cfglint.report.escaping import visible, visible_path
from cfglint.report.fit import render_json as fit_as_json
from cfglint.report.formats import agent
from cfglint.report.formats import json as as_json
from cfglint.report.formats.text import render as render_findings
from cfglint.report.json_text import json_text
from cfglint.report.style import Style
from cfglint.report.summary import hanging
from cfglint.report.target import of_run

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 1
#: Of a longer command, so many characters are shown.
_LONGEST = 400
_SEVERITIES = {"do not start": "error", "undecided": "warning"}


def render_text(found: Preflight, style: Style, width: int = 100) -> str:
    """What starts what, the report, the memory, the verdict."""
    lines = [style.bold(row) for row in hanging(_title(found), width)]
    shown = _files(found)
    longest = max((len(name) for name, _ in shown), default=0)
    for name, text in shown:
        lines += [f"  {row}" for row in hanging(f"{name:<{longest}}  {text}", width - 2)]
    report = render_findings(found.run, style, width) if found.run.files else ""
    tail = [
        row
        for one in found.memory
        for row in hanging(f"Memory of {visible_path(one.path)}: {visible(one.words)}.", width)
    ]
    verdict = hanging(_verdict(found), width)
    severity = _SEVERITIES.get(found.verdict)
    tail += [style.severity(row, severity) if severity else style.added(row) for row in verdict]
    return "\n".join([*lines, "", report + "\n".join(tail)]) + "\n"


def render_agent(found: Preflight) -> str:
    """One line for each fact; the last is `verdict: `, and what it rests on."""
    lines = [f"run: {_title(found)}"]
    lines += [f"file: {name}: {text}" for name, text in _files(found)]
    if found.run.files:
        targets = of_run(file.target for file in found.run.files)
        lines.append(f"checked for: {visible(found.run.in_words(targets))}")
    report = agent.render(found.run) if found.run.files else ""
    tail = [f"memory: {visible_path(one.path)}: {visible(one.words)}" for one in found.memory]
    tail.append(f"verdict: {found.verdict}: {visible(_reasons(found))}")
    return "\n".join(lines) + "\n" + report + "\n".join(tail) + "\n"


def render_json(found: Preflight) -> str:
    """One JSON object (docs/json-preflight.schema.json); ASCII only."""
    titles = _titles(found)
    unread = dict(found.unread)
    data = {
        "version": FORMAT_VERSION,
        "tool": {"name": "cfglint", "version": cfglint.__version__},
        "run": found.launched.title,
        "files": [
            {
                "path": part.path,
                "role": part.role,
                "by": part.by or None,
                "framework": titles.get(os.path.abspath(part.path)),
                "problem": part.missing or unread.get(part.path),
            }
            for part in found.launched.parts
        ],
        "report": json.loads(as_json.render(found.run)),
        "memory": [
            {
                "path": one.path,
                "summary": one.words,
                "fit": None
                if one.answer is None
                else json.loads(fit_as_json(one.answer, one.document, one.release)),
            }
            for one in found.memory
        ],
        "verdict": found.verdict,
        "exit_code": EXIT_CODES[found.verdict],
        "against": list(found.against),
        "undecided": list(found.doubts),
    }
    return json_text(data) + "\n"


def _title(found: Preflight) -> str:
    title = visible(found.launched.title)
    return title if len(title) <= _LONGEST else f"{title[:_LONGEST]}…"


def _titles(found: Preflight) -> dict[str, str]:
    """Absolute path -> whose file it is."""
    read = (file for file in found.run.files if file.framework is not None)
    return {os.path.abspath(file.path): file.title for file in read}


def _files(found: Preflight) -> list[tuple[str, str]]:
    """(path, what it is) of every file of the run, those that others name included."""
    titles, unread = _titles(found), dict(found.unread)
    rows = []
    for part in found.launched.parts:
        kind = titles.get(os.path.abspath(part.path), "")
        if part.role == "command" and not kind:
            continue
        problem = part.missing or unread.get(part.path, "")
        # The settings of a launcher are known by its name alone.
        kind = "" if kind and kind == part.by else kind
        text = ", ".join(filter(None, (kind, _role(part), problem)))
        rows.append((visible_path(part.path), visible(text)))
    named: dict[tuple[str, str], list[str]] = {}
    for file in found.run.files:
        for other in file.names:
            named.setdefault((other.path, other.title), []).append(file.path)
    listed = {os.path.abspath(part.path) for part in found.launched.parts}
    return rows + [
        (visible_path(path), visible(f"{title}, named by {' and '.join(dict.fromkeys(by))}"))
        for (path, title), by in named.items()
        if os.path.abspath(path) not in listed
    ]


def _role(part: RunPart) -> str:
    if part.role == "command":
        return "the command itself"
    if not part.by:
        return part.role
    return {
        "config": f"config of {part.by}",
        "launcher settings": f"settings of {part.by}",
        "file": f"given to {part.by}",
    }.get(part.role, part.role)


def _verdict(found: Preflight) -> str:
    lead = {"start": "Start", "do not start": "Do not start", "undecided": "Not decided"}
    return f"{lead[found.verdict]}: {visible(_reasons(found))}."


def _reasons(found: Preflight) -> str:
    if found.verdict == "start":
        return "no problem was found"
    return "; ".join(found.against or found.doubts)
