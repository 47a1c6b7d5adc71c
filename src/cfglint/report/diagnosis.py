"""The answer of `cfglint diagnose`, for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cfglint.framework import load_framework
from cfglint.report.escaping import line_start, visible, visible_path
from cfglint.report.json_text import json_text
from cfglint.report.prose import terminal
from cfglint.report.style import Style

if TYPE_CHECKING:
    from cfglint.logs.causes import ProbableCause
    from cfglint.logs.diagnosis import ConfigFinding, RunDiagnosis
    from cfglint.logs.failures import Failure

#: Characters of a failure that are shown; failures without a known cause; other errors of the config.
_MAX_FAILURE, _MAX_UNEXPLAINED, _MAX_ERRORS = 300, 2, 5


def render_text(found: RunDiagnosis, log: str, style: Style, width: int) -> str:
    """What is known about the end of a run, the most probable cause first."""
    lines: list[str] = []
    for failure in dict.fromkeys(cause.failure for cause in found.causes):
        lines += _failure(failure, log, style, width)
        for cause in found.causes:
            if cause.failure is failure:
                lines += _cause(cause, found, style, width)
        lines.append("")
    lines += _unexplained(found, log, style, width)
    if found.other_errors:
        lines.append("Errors of the config that the log does not mention:")
        lines += [_error(one, style) for one in found.other_errors[:_MAX_ERRORS]]
        left = len(found.other_errors) - _MAX_ERRORS
        lines += [f"  and {left} more; `cfglint CONFIG` lists them"] if left > 0 else []
        lines.append("")
    lines.append(style.dim(_read_from(found)))
    return "\n".join(lines) + "\n"


def _failure(failure: Failure, log: str, style: Style, width: int) -> list[str]:
    rank = f" (rank {failure.rank})" if failure.rank else ""
    place = style.bold(f"{visible_path(log)}:{failure.line}") + visible(rank)
    text = failure.text
    shown = text if len(text) <= _MAX_FAILURE else f"{text[:_MAX_FAILURE]}…"
    return [place, *(f"  {visible(line)}" for line in _wrapped(shown, width - 2))]


def _cause(cause: ProbableCause, found: RunDiagnosis, style: Style, width: int) -> list[str]:
    def filled(text: str, indent: str) -> list[str]:
        return [indent + line for line in terminal(text, style, width - len(indent))]

    if cause.end is not None:
        return [
            *filled(f"**{cause.end.title}.** {cause.end.why}", "  "),
            *filled(cause.end.remedy, "    "),
            *(f"    {visible(url)}" for _, _, url in cause.end.references[:1]),
        ]
    lines: list[str] = []
    for code, framework in zip(cause.codes, cause.frameworks, strict=True):
        knowledge = load_framework(home_of(framework)).knowledge
        details = knowledge.details(code)
        place = found.places.get(code)
        if place is not None:
            where = f"{visible_path(place.path)}:{place.line}"
            lines += [
                f"  {style.bold(code)} at {style.bold(where)}",
                *filled(place.diagnostic.message, "    "),
            ]
        else:
            lines += filled(f"Probably {code}: {details.summary}.", "  ")
            lines += filled(details.why.split("\n\n")[0], "    ")
        lines += [f"    {visible(url)}" for _, _, url in details.references[:1]]
        lines.append(f"    cfglint explain {code}")
    return lines


def _unexplained(found: RunDiagnosis, log: str, style: Style, width: int) -> list[str]:
    """The failures that no cause is known of, without those that only pass on others."""
    explained = {cause.failure for cause in found.causes}
    own = [one for one in found.failures if one not in explained and not one.is_consequence]
    if not own and not explained:
        own = list(found.failures[:1])
    if not own:
        return [] if explained else ["The log has no error that cfglint recognizes.", ""]
    lines = []
    for failure in own[:_MAX_UNEXPLAINED]:
        lines += _failure(failure, log, style, width)
        lines += ["  cfglint does not know what this is a symptom of.", ""]
    return lines


def _error(one: ConfigFinding, style: Style) -> str:
    text = f"{visible_path(one.path)}:{one.line} {one.diagnostic.code} {visible(one.diagnostic.message)}"
    return f"  {line_start(text)}"


def _read_from(found: RunDiagnosis) -> str:
    """What was taken from the log, in a line."""
    stated = found.stated
    parts = [f"{name} {version}" for name, (version, _) in stated.versions.items()]
    parts += [f"{stated.gpus[0]} GPUs"] if stated.gpus is not None else []
    parts += [f"config {stated.config[0]}"] if stated.config is not None else []
    shown = ", ".join(map(visible, parts[:6]))
    more = f" and {len(parts) - 6} more" if len(parts) > 6 else ""
    return f"The log states {shown}{more}" if parts else "The log states no versions"


def _wrapped(text: str, width: int) -> list[str]:
    from textwrap import wrap

    return wrap(text, max(20, width), break_long_words=True) or [""]


def home_of(framework: str) -> str:
    """A framework whose knowledge has a rule's texts."""
    from cfglint.knowledge.recognition import usual

    return (usual() or "") if framework == "any" else framework


def render_json(found: RunDiagnosis, log: str) -> str:
    """The same as one JSON object."""
    return json_text(
        {
            "version": 1,
            "log": log,
            "stated": {
                "versions": {name: row[0] for name, row in found.stated.versions.items()},
                "gpus": found.stated.gpus[0] if found.stated.gpus is not None else None,
                "config": found.stated.config[0] if found.stated.config is not None else None,
            },
            "failures": [_failure_row(one) for one in found.failures],
            "causes": [row for cause in found.causes for row in _cause_rows(cause, found)],
            "other_errors": [
                {"code": one.diagnostic.code, "path": one.path, "line": one.line}
                for one in found.other_errors
            ],
        }
    )


def _failure_row(failure: Failure) -> dict[str, Any]:
    frame = failure.frames[-1] if failure.frames else None
    return {
        "line": failure.line,
        "rank": failure.rank,
        "type": failure.type,
        "message": failure.message,
        "frame": {"file": frame[0], "line": frame[1], "function": frame[2]} if frame else None,
    }


def _cause_rows(cause: ProbableCause, found: RunDiagnosis) -> list[dict[str, Any]]:
    if cause.end is not None:
        row = {"end": cause.end.name, "title": cause.end.title, "remedy": cause.end.remedy}
        urls = [url for _, _, url in cause.end.references]
        return [{**row, "line": cause.failure.line, "in_config": False, "evidence": urls}]
    rows = []
    for code, framework in zip(cause.codes, cause.frameworks, strict=True):
        details = load_framework(home_of(framework)).knowledge.details(code)
        place = found.places.get(code)
        rows.append(
            {
                "code": code,
                "title": details.summary,
                "line": cause.failure.line,
                "in_config": place is not None,
                "message": place.diagnostic.message if place is not None else None,
                "place": {"path": place.path, "line": place.line} if place is not None else None,
                "evidence": [url for _, _, url in details.references],
            }
        )
    return rows
