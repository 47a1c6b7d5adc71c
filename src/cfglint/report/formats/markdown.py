"""A Markdown table of all findings, for a job summary or a comment."""

from __future__ import annotations

from cfglint.environment.environment import Environment
from cfglint.report import fixed
from cfglint.report.escaping import markdown, markdown_message
from cfglint.report.run import RunReport, count_phrase, plural
from cfglint.report.target import release_described, warnings

#: GitHub refuses job summaries over 1 MiB; a row is far below 1 KiB.
_MAX_ROWS = 500


def render(run: RunReport) -> str:
    """A heading with the counts, then one row per finding, the most severe first."""
    counts = count_phrase(run.counts()) or "nothing found"
    heading = f"{counts} in {plural(len(run.files), 'file')}"
    if run.only_fixes:
        heading = f"{fixed.counted(run)} ({fixed.NOT_REPORTED})"
    lines = [f"### cfglint: {heading}\n"]
    found = run.by_importance()
    if found:
        lines.append("\n| | where | rule | what |\n|---|---|---|---|\n")
    for file, diagnostic in found[:_MAX_ROWS]:
        line = file.source.position(diagnostic.span.start).line
        cells = (
            diagnostic.severity,
            f"{markdown(file.path)}:{line}",
            f"{diagnostic.code} {markdown(diagnostic.name)}",
            markdown_message(diagnostic.message),
        )
        lines.append("| " + " | ".join(cells) + " |\n")
    if len(found) > _MAX_ROWS:
        lines.append(f"\n{len(found) - _MAX_ROWS} more are not listed here.\n")
    fixes = run.applied()
    if fixes:
        verb = "Would fix" if run.dry else "Fixed"
        lines.append(f"\n{verb} {plural(len(fixes), 'finding')}:\n\n")
    for file, fix in fixes[:_MAX_ROWS]:
        where = f"{markdown(file.path)}:{fix.line}"
        lines.append(f"- {where} {markdown(fix.code)} {markdown(fix.title)}\n")
    if len(fixes) > _MAX_ROWS:
        lines.append(f"- and {len(fixes) - _MAX_ROWS} more\n")
    if run.files:
        releases = dict.fromkeys(_release(file.target) for file in run.files)
        lines.append(f"\nChecked for {', '.join(releases)}.\n")
        for warning in warnings(file.target for file in run.files):
            lines.append(f"\nWarning: {markdown(warning)}\n")
    return "".join(lines)


def _release(target: Environment) -> str:
    """The release that a file was checked for, and where that is stated."""
    if target.placed:
        return markdown(release_described(target))
    package, origin = target.releases.package, markdown(target.release_origin)
    return f"{package} {markdown(target.release)} ({origin})"
