"""Keys that are written without a value, for the users of a file to fill in: `dataset:`."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.checks.written_keys import is_null
from cfglint.diagnostic import Diagnostic, as_note
from cfglint.engine.file_report import FileReport
from cfglint.knowledge.rules.views import written_value
from cfglint.source.document import Document

#: What is to be filled in: a place or a name, of each run's own. `save_steps:` says that there is none.
_OF_THEIRS = lazy_pattern(
    r"(?!eval_|test_|val_)(?:\w{1,60}_)?(?:adapters?|datasets?|dir|file|id|model|name|path|project|template)"
)
#: The switch of a training, and the data that are needed without one.
_TRAINS, _EVALUATED = "do_train", "eval_dataset"
#: The check of options of a script that end without a value.
_WITHOUT_WORD = "option-without-word"


def as_notes_if_blank(report: FileReport, document: Document) -> FileReport:
    """The report on a file of a search, with a note for what it needs where it has the key and leaves it blank."""
    if not any(found.refuses for found in report.diagnostics):
        return report
    trains = written_value(document, (_TRAINS,)) is True
    blank = [
        name
        for entry in document.root.entries
        if (name := entry.name) and is_null(entry)
        # What is only evaluated needs data, while a training may go without.
        if _OF_THEIRS.fullmatch(name) or (name == _EVALUATED and not trains)
    ]

    def weighed(found: Diagnostic) -> Diagnostic:
        if not found.refuses:
            return found
        if found.name == _WITHOUT_WORD and found.path and _OF_THEIRS.fullmatch(str(found.path[0])):
            return as_note(found, "It is left blank, to be filled in.")
        key = next((one for one in blank if f"`{one}`" in found.message), None)
        return found if key is None else as_note(found, f"`{key}` is there, and left blank.")

    return report.replaced(diagnostics=tuple(map(weighed, report.diagnostics)))
