"""SARIF 2.1.0, the format of code scanning: GitHub, Azure DevOps, editors.

GitHub reads a part of the format, within limits: 25,000 results a run, 1,000 locations a result,
1,024 characters in a rule's descriptions, 255 in its identifier
(https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from urllib.parse import quote

import cfglint
from cfglint.base.documentation import rule_page
from cfglint.base.type_names import Any
from cfglint.diagnostic import Diagnostic, Fix, SeverityName
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.rule import Rule
from cfglint.report.escaping import markdown, visible
from cfglint.report.formats.line_hashes import line_hashes
from cfglint.report.identity import Identified, identified
from cfglint.report.json_text import json_text
from cfglint.report.pages.rule_page import cost_in_general, silencing, title_of, with_title
from cfglint.report.run import RunReport, plural
from cfglint.roles.framework import frameworks, load_framework
from cfglint.source.document import format_path
from cfglint.source.text import SourceText, Span

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
#: What relative addresses count from: the top of the repository.
_BASE = "%SRCROOT%"
_MAX_RESULTS = 25_000
_MAX_LOCATIONS = 1_000
_MAX_DESCRIPTION = 1_024
_LEVELS: dict[SeverityName, str] = {"error": "error", "warning": "warning", "note": "note"}
_PROBLEM: dict[SeverityName, str] = {**_LEVELS, "note": "recommendation"}


def render(run: RunReport) -> str:
    """One run, ASCII only; the rules that have results are described."""
    found = sorted(identified(run), key=_rank)
    rules = {rule["id"]: rule for rule in _rules(run, found)}
    places = {code: index for index, code in enumerate(rules)}
    hashes: dict[str, list[str]] = {}
    results = []
    for one in found[:_MAX_RESULTS]:
        path = one.file.path
        if path not in hashes:
            hashes[path] = line_hashes(one.file.source)
        results.append(_result(run, one, places[one.found.code], hashes[path]))
    report = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "cfglint",
                        "version": cfglint.__version__,
                        "rules": list(rules.values()),
                    }
                },
                "invocations": [_invocation(run, len(found))],
                "originalUriBaseIds": {
                    _BASE: {"description": {"text": "The top of the repository."}}
                },
                "newlineSequences": ["\r\n", "\n", "\r"],
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }
    # Some CI runners execute `##[command]` anywhere in their log.
    return json_text(report) + "\n"


def _rank(one: Identified) -> int:
    return list(_LEVELS).index(one.found.severity)


def _invocation(run: RunReport, count: int) -> dict[str, Any]:
    notifications = [("error", failure) for failure in run.failures]
    if count > _MAX_RESULTS:
        left_out = plural(count - _MAX_RESULTS, "finding")
        notifications.append(("warning", f"{left_out} of the least severe are left out."))
    row: dict[str, Any] = {"executionSuccessful": not run.failures}
    if notifications:
        row["toolExecutionNotifications"] = [
            {"level": level, "message": _message(text)} for level, text in notifications
        ]
    return row


def _rules(run: RunReport, found: list[Identified]) -> Iterator[dict[str, Any]]:
    """The rules with results, in the order of codes."""
    first: dict[str, Identified] = {}
    for one in found:
        first.setdefault(one.found.code, one)
    for code in sorted(first):
        yield _rule(run, first[code])


def _rule(run: RunReport, one: Identified) -> dict[str, Any]:
    code, name = one.found.code, one.found.name
    row: dict[str, Any] = {"id": code, "name": name}
    known = _known(run, one)
    if known is None:  # a project's own rule that was changed during the run
        return row
    rule, knowledge = known
    details, words = knowledge.details(code), knowledge.words(code)
    title = title_of(rule)
    cost = cost_in_general(words.cost, title)
    why = with_title(details.why, title).strip()
    releases = " and ".join(f"{package} {spec}" for package, spec in details.applies)
    silence = silencing(rule)
    help_ = [why, f"**Cost:** {markdown(cost)}"]
    help_ += [f"**Releases:** {markdown(releases)}"] if releases else []
    if details.references:
        listed = [
            f"- {kind}: [{markdown(label)}]({_link(url)})"
            for kind, label, url in details.references
        ]
        help_.append("**Evidence**\n\n" + "\n".join(listed))
    return {
        **row,
        "shortDescription": {"text": _short(details.summary)},
        "fullDescription": {"text": _short(f"{details.summary}. Cost: {cost}")},
        "help": {"text": f"{why}\n\n{silence}", "markdown": "\n\n".join([*help_, silence])},
        **({"helpUri": _link(page)} if (page := rule_page(code)) else {}),
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "precision": rule.confidence,
            "problem.severity": _PROBLEM[rule.severity],
            "tags": [rule.bites, "config"],
        },
    }


def _known(run: RunReport, one: Identified) -> tuple[Rule, Knowledge] | None:
    """The rule of a finding, as the framework of its file has it."""
    own = one.file.framework
    known = [run.knowledge(own, one.file.path)] if own is not None else []
    for knowledge in [*known, *(load_framework(name).knowledge for name in frameworks())]:
        for rule in knowledge.all_rules():
            if rule.code == one.found.code:
                return rule, knowledge
    return None


def _link(url: str) -> str:
    return quote(url, safe=":/?#@!$&*+,;=%~")


def _short(text: str) -> str:
    return text if len(text) <= _MAX_DESCRIPTION else text[: _MAX_DESCRIPTION - 1] + "…"


def _result(run: RunReport, one: Identified, rule: int, hashes: list[str]) -> dict[str, Any]:
    found, source = one.found, one.file.source
    at = _artifact(run, one.file.path)
    line = source.position(found.span.start).line
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": at, "region": _region(found.span, source)}
    }
    if found.path:
        name = visible(format_path(found.path))
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "property"}]
    row: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": _LEVELS[found.severity],
        "message": _message(found.message),
        "locations": [location],
        "partialFingerprints": {
            "cfglintFinding/v1": one.fingerprint,
            "primaryLocationLineHash": hashes[min(line, len(hashes)) - 1],
        },
        "properties": {
            "confidence": found.confidence,
            "bites": found.bites,
            "upstream": found.upstream,
            "cost": visible(found.cost),
        },
    }
    if found.related:
        row["relatedLocations"] = _related(run, found, one)
    fixes = [_fix(fix, at, source) for fix in found.fixes if fix.edits]
    if fixes:
        row["fixes"] = fixes
    return row


def _related(run: RunReport, found: Diagnostic, one: Identified) -> list[dict[str, Any]]:
    rows = []
    for number, related in enumerate(found.related[: _MAX_LOCATIONS - 1], 1):
        other = related.file
        source = other.source if other is not None else one.file.source
        path = other.path if other is not None else one.file.path
        rows.append(
            {
                "id": number,
                "physicalLocation": {
                    "artifactLocation": _artifact(run, path),
                    "region": _region(related.span, source),
                },
                "message": _message(related.note),
            }
        )
    return rows


def _fix(fix: Fix, at: dict[str, str], source: SourceText) -> dict[str, Any]:
    return {
        "description": _message(f"{fix.title} ({fix.safety})"),
        "artifactChanges": [
            {
                "artifactLocation": at,
                "replacements": [
                    {
                        "deletedRegion": _region(Span(edit.start, edit.end), source),
                        "insertedContent": {"text": edit.text},
                    }
                    for edit in fix.edits
                ],
            }
        ],
    }


def _message(text: str) -> dict[str, str]:
    # `[text](place)` would be a link.
    return {"text": visible(text).replace("](", "] (")}


def _region(span: Span, source: SourceText) -> dict[str, int]:
    """A region; the end is exclusive, as in SARIF."""
    start, end = source.position(span.start), source.position(max(span.end, span.start))
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _artifact(run: RunReport, path: str) -> dict[str, str]:
    """Where a file is: counted from the top of the repository, or absolute outside it."""
    inside = run.path_from_root(path)
    if inside is not None:
        return {"uri": _address(inside), "uriBaseId": _BASE}
    absolute = os.path.abspath(path).replace(os.sep, "/")
    return {"uri": "file://" + _address(re.sub("^(?!/)", "/", absolute))}


def _address(path: str) -> str:
    try:
        data = os.fsencode(path)
    except UnicodeEncodeError:  # not the name of a file: it was given for standard input
        data = path.encode("utf-8", "surrogatepass")
    return quote(data, safe="/-._~")
