"""What can be done about findings: their fixes, all safe fixes at once, a comment that silences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic, Edit
from cfglint.engine.checked_document import CheckedDocument
from cfglint.engine.silencing.ignoring import with_ignores
from cfglint.source.text import SourceText, Span


class Offer(Record):
    """One thing that can be done."""

    title: str
    edits: tuple[Edit, ...]
    #: The finding that it removes.
    found: Diagnostic
    #: Whether it is what most people want.
    preferred: bool = False
    #: Whether it silences the finding, with `ignoring.REASON` where a person says why.
    silences: bool = False


def offers(found: Diagnostic, run: CheckedDocument | None) -> Iterator[Offer]:
    """The fixes of a finding, and the comment that silences it.

    Args:
        run: what the text is checked with; None when it cannot be read.
    """
    preferred = found.fix()
    for fix in found.fixes:
        if fix.edits:
            title = fix.title if fix.safety == "safe" else f"{fix.title} (review it afterwards)"
            yield Offer(f"{title} [{found.code}]", fix.edits, found, fix is preferred)
    if run is not None:
        document = run.document
        outcome = with_ignores(document, lambda read: [found] if read is document else [])
        if outcome.comments:
            edits = line_edits(document.source, outcome.source)
            yield Offer(f"Ignore {found.code} ({found.name})", edits, found, silences=True)


def touches(found: Diagnostic, span: Span) -> bool:
    """Whether a finding overlaps a selection, or touches a cursor (an empty span)."""
    return found.span.start <= span.end and span.start <= found.span.end


def line_edits(before: SourceText, after: SourceText) -> tuple[Edit, ...]:
    """Edits that make one text of another, in lines that differ."""
    old, new = _lines(before), _lines(after)
    edits = []
    for tag, first, last, new_first, new_last in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            start = sum(map(len, old[:first]))
            end = start + sum(map(len, old[first:last]))
            edits.append(Edit(start, end, "".join(new[new_first:new_last])))
    return tuple(edits)


def _lines(source: SourceText) -> Sequence[str]:
    starts = [*source.line_starts, len(source.text)]
    return [source.text[a:b] for a, b in pairwise(starts)]
