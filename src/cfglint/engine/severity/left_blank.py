"""Keys that are written without a value, for the users of a file to fill in: `dataset:`."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.written_keys import is_null
from cfglint.diagnostic import Diagnostic, as_note
from cfglint.engine.file_report import FileReport
from cfglint.source.document import Document

#: What is to be filled in: a place or a name, of each run's own. `save_steps:` says that there is none.
_OF_THEIRS = lazy_pattern(
    r"(?!eval_|test_|val_)(?:\w{1,60}_)?(?:datasets?|dir|file|id|model|name|path|project|template)"
)


def as_notes_if_blank(report: FileReport, document: Document) -> FileReport:
    """The report on a file of a search, with a note for what it needs where it has the key and leaves it blank."""
    if not any(found.refuses for found in report.diagnostics):
        return report
    blank = [
        f"`{entry.name}`"
        for entry in document.root.entries
        if entry.name and is_null(entry) and _OF_THEIRS.fullmatch(entry.name)
    ]

    def weighed(found: Diagnostic) -> Diagnostic:
        key = next((one for one in blank if found.refuses and one in found.message), None)
        return found if key is None else as_note(found, f"{key} is there, and left blank.")

    return report.replaced(diagnostics=tuple(map(weighed, report.diagnostics)))
