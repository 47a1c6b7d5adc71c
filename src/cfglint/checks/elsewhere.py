"""Findings whose place is in another file of the project than the one that is checked."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.checks.context import Hit
from cfglint.diagnostic import OtherFile, SeverityName
from cfglint.environment.project.project import Project
from cfglint.environment.project.stated_versions import Place
from cfglint.source.text import SourceText, Span


def hit_at(
    project: Project,
    place: Place,
    params: dict[str, Any],
    severity: SeverityName | None = None,
) -> Hit:
    """A finding in another file than the config."""
    source = SourceText(project.text(place.path))
    return Hit(
        (),
        _span(source, place),
        params,
        severity=severity,
        file=OtherFile(place.path, source),
    )


def _span(source: SourceText, place: Place) -> Span:
    if not source.text:
        return Span(0, 0)
    start, end = source.line_span(min(place.line, source.line_count()))
    begin = min(start + place.column - 1, end)
    return Span(begin, min(begin + place.length, end) if place.length else end)
