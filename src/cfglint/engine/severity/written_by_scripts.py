"""Files that a script of their project writes anew before each run: `cat > ds.json <<EOF`, `envsubst < a > b`."""

from __future__ import annotations

import os
import re

from cfglint.engine.case import Case
from cfglint.engine.file_report import FileReport
from cfglint.environment.project.naming import may_be, text_in_force
from cfglint.environment.project_texts import project_texts
from cfglint.environment.python_sources import project_root
from cfglint.files.scripts import SCRIPTS

_SCRIPTS = (*SCRIPTS, ".ipynb")
_PAGES = (".md",)


def as_notes_if_written(report: FileReport, case: Case) -> FileReport:
    """The report on a file of a search, with notes in place of errors and warnings if a script writes the file."""
    if all(found.severity == "note" for found in report.diagnostics):
        return report
    script = _writer_of(case)
    return (
        report.as_notes(f"{script} writes this file anew: change it there.") if script else report
    )


def _writer_of(case: Case) -> str:
    """The script that writes a file, as a path from the top of its project; empty if there is none."""
    around = case.around
    if around.folder is None or not around.path:
        return ""
    root = project_root(around, around.folder)
    own = os.path.abspath(around.path)
    name = os.path.basename(own)
    written = re.compile(
        rf"(?:(?<![<>&\\d])>[ \t]*|\btee[ \t]+|%%writefile[ \t]+)[\"']?([^\s\"'<>|;&]{{0,300}}{re.escape(name)})(?![\w.-])"
    )
    for path, text in project_texts(around, root, _SCRIPTS):
        if path == own or path.endswith(_PAGES) or text is None or name not in text:
            continue
        for match in written.finditer(text_in_force(path, text)):
            if may_be(match[1], own, os.path.dirname(path), is_open="$" in match[1]):
                return os.path.relpath(path, root).replace(os.sep, "/")
    return ""
