"""The answer of `cfglint diagnose` as JSON."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from cfglint.answers.logs.causes import home_of
from cfglint.answers.logs.guesses import condition
from cfglint.answers.logs.lacked import account
from cfglint.report.diagnosis_words import NO_SUBJECT, Subject, message, remedy
from cfglint.report.json_text import json_text
from cfglint.roles.framework import load_framework

if TYPE_CHECKING:
    from cfglint.answers.logs.causes import ProbableCause
    from cfglint.answers.logs.diagnosis import Mention, RunDiagnosis
    from cfglint.answers.logs.failures import Failure
    from cfglint.answers.logs.found import ConfigFinding
    from cfglint.answers.logs.launched import FirstFailed
    from cfglint.answers.logs.refused import RefusedKey


def render_json(found: RunDiagnosis, log: str, subject: Subject = NO_SUBJECT) -> str:
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
            "first_failed": _first_failed_row(found.first_failed),
            "failures": [_failure_row(one) for one in found.failures],
            "causes": [row for cause in found.causes for row in _cause_rows(cause, found, subject)],
            "other_errors": [
                {"code": one.diagnostic.code, "path": one.path, "line": one.line}
                for one in (*chain.from_iterable(found.named.values()), *found.other_errors)
            ],
        }
    )


def _first_failed_row(first: FirstFailed | None) -> dict[str, Any] | None:
    if first is None:
        return None
    row = {"rank": first.rank, "local_rank": first.local_rank, "host": first.host}
    return {**row, "exit_code": first.exit_code, "line": first.line}


def _failure_row(failure: Failure) -> dict[str, Any]:
    frame = failure.frames[-1] if failure.frames else None
    return {
        "line": failure.line,
        "rank": failure.rank if failure.rank.isdigit() else "",
        "printed_by": failure.printed_by,
        "type": failure.type,
        "message": failure.message,
        "frame": {"file": frame[0], "line": frame[1], "function": frame[2]} if frame else None,
    }


def _cause_rows(
    cause: ProbableCause, found: RunDiagnosis, subject: Subject
) -> list[dict[str, Any]]:
    if cause.end is not None:
        advised = remedy(cause.end, found, subject)
        row = {"end": cause.end.name, "title": cause.end.title, "remedy": advised}
        urls = [url for _, _, url in cause.end.references]
        return [{**row, "line": cause.failure.line, "in_config": False, "evidence": urls}]
    if cause.key is not None:
        return [_key_row(cause, cause.key, found)]
    if cause.lacked is not None:
        name = cause.lacked.name
        row = {"lacked": f"{name.module}.{name.last_part}", "package": name.package}
        row["title"] = account(cause.lacked, found.versions)
        return [{**row, "line": cause.failure.line, "in_config": False, "evidence": []}]
    rows = []
    for code, framework in cause.rules.items():
        details = load_framework(home_of(framework)).knowledge.details(code)
        place = found.places.get(code)
        rows.append(
            {
                "code": code,
                "title": details.summary,
                "only_if": condition(framework, details.applies, found.versions)
                if cause.is_guess and place is None
                else None,
                "line": cause.failure.line,
                "in_config": place is not None,
                "message": place.diagnostic.message if place is not None else None,
                "place": {"path": place.path, "line": place.line} if place is not None else None,
                "evidence": [url for _, _, url in details.references],
            }
        )
    return rows


def _key_row(cause: ProbableCause, key: RefusedKey, found: RunDiagnosis) -> dict[str, Any]:
    place = found.keys.get(key.name)
    at: ConfigFinding | Mention | None = place or found.mentions.get(key.name)
    return {
        "key": key.name,
        "code": cause.codes[0] if cause.codes else None,
        "title": key.title,
        "line": cause.failure.line,
        "in_config": at is not None,
        "message": message(key, place, found) if place is not None else None,
        "place": {"path": at.path, "line": at.line} if at is not None else None,
        "evidence": [],
    }
