"""Findings in a script whose arguments are known to be none, in the lines that the file has.

Such a script is read with blanks in place of `"$@"`: all else keeps its place.
"""

from __future__ import annotations

from cfglint.diagnostic import Edit, Fix
from cfglint.engine.file_report import FileReport
from cfglint.source.text import SourceText


def as_written(file: FileReport, written: SourceText) -> FileReport:
    """The report on the text of the file itself, with the fixes that change none of what was blank."""
    read = file.source.text
    if len(read) != len(written.text):
        return file.without_fixes()

    def is_of_the_file(fix: Fix) -> bool:
        return all(_is_in_both(edit, read, written.text) for edit in fix.edits)

    kept = tuple(
        found.replaced(fixes=tuple(filter(is_of_the_file, found.fixes)))
        for found in file.diagnostics
    )
    return file.replaced(diagnostics=kept, source=written)


def _is_in_both(edit: Edit, read: str, written: str) -> bool:
    """Whether an edit is about characters that both texts have, or between such."""
    if edit.start < edit.end:
        return read[edit.start : edit.end] == written[edit.start : edit.end]
    around = slice(max(edit.start - 1, 0), edit.start + 1)
    return any(one == other for one, other in zip(read[around], written[around], strict=True))
