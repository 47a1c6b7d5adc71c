"""One line a finding, for `grep` and editors."""

from __future__ import annotations

from cfglint.report.escaping import visible, visible_path
from cfglint.report.run import RunReport


def render(run: RunReport) -> str:
    """`path:line:column: severity CODE message`."""
    lines = []
    for file in run.files:
        path = visible_path(file.path)
        for found in file.diagnostics:
            line, column = file.source.position(found.span.start)
            mark = " [*]" if found.fix(unsafe=run.unsafe_fixes) else ""
            lines.append(
                f"{path}:{line}:{column}: {found.severity} {found.code}{mark} {visible(found.message)}\n"
            )
    return "".join(lines)
