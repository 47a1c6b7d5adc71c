"""The comment that silences a finding, as an edit of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.diagnostic import Diagnostic, Edit
from cfglint.engine.suppressions import Suppressions
from cfglint.fixes.applying import apply_edits
from cfglint.framework import Framework
from cfglint.source.document import Document
from cfglint.source.problems import SourceError
from cfglint.source.text import Span

_LISTED = re.compile(r"#\s*cfglint:\s*ignore\s*\[([^\]]*)\]")


def silencing(
    document: Document, found: Diagnostic, framework: Framework, reason: str
) -> Edit | None:
    """An edit after which a comment silences a finding and the text means the same.

    None where there is no place for a comment: in JSON, or inside a text of several lines.

    Args:
        found: one whose span counts in the document.
        reason: stands behind the code, for whoever reads the file.
    """
    for edit in _candidates(document, found, reason):
        text = apply_edits(document.text, [edit])
        try:
            after = framework.language.read(document.source.replaced(text))
        except SourceError:
            continue
        same_values = len(list(after.walk())) == len(list(document.walk()))
        if not same_values or len(after.problems) > len(document.problems):
            continue
        shift = len(edit.text) - (edit.end - edit.start) if edit.start <= found.span.start else 0
        moved = found.replaced(span=Span(found.span.start + shift, found.span.end + shift))
        suppressions = Suppressions.read(after, framework.knowledge.renamed)
        if suppressions.cover(moved, after.source):
            return edit
    return None


def _candidates(document: Document, found: Diagnostic, reason: str) -> Iterator[Edit]:
    """Beside the codes that the line's comment lists, at its end, or on a line above it."""
    source = document.source
    line = source.position(found.span.start).line
    start, end = source.line_span(line)
    listed = _LISTED.search(source.text, start, end)
    if listed is not None:
        yield Edit(listed.end(1), listed.end(1), f", {found.code}")
    said = f"# cfglint: ignore[{found.code}] {reason}"
    yield Edit(end, end, f"  {said}")
    text = source.line(line)
    indent = text[: len(text) - len(text.lstrip(" "))]
    yield Edit(start, start, f"{indent}{said}{source.newline}")
