"""Edits as plain text work: applying, combining, choosing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from cfglint.base.type_names import Protocol, TypeVar
from cfglint.diagnostic import Diagnostic, Edit, Fix
from cfglint.source.document import Path
from cfglint.source.text import Span


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """The text after the edits.

    Raises:
        ValueError: the edits are not sorted, overlap, or leave the text.
    """
    parts: list[str] = []
    position = 0
    for start, end, replacement in edits:
        if not position <= start <= end:
            raise ValueError(f"edit {start}-{end} overlaps the one before it or is out of order")
        parts.append(text[position:start])
        parts.append(replacement)
        position = end
    if position > len(text):
        raise ValueError(f"edit ends at {position}, but the text has {len(text)} characters")
    parts.append(text[position:])
    return "".join(parts)


def merge_touching(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The same edits in order, those that touch joined into one.

    Raises:
        ValueError: two edits overlap.
    """
    out: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        if out and edit.start < out[-1].end:
            raise ValueError(f"edit {edit.start}-{edit.end} overlaps the one before it")
        if out and edit.start == out[-1].end:
            last = out.pop()
            edit = Edit(last.start, edit.end, last.text + edit.text)
        out.append(edit)
    return tuple(out)


def chain_edits(text: str, first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits of `text` that do what `first` does to it and `second` does to the result."""
    # The result of `first` as pieces: a range of the original text, or new text.
    pieces: list[tuple[int, int] | str] = []
    position = 0
    for start, end, replacement in first:
        pieces += [(position, start), replacement]
        position = end
    pieces.append((position, len(text)))

    after: list[tuple[int, int] | str] = []
    rest = pieces[::-1]
    position = 0
    for start, end, replacement in second:
        after += _take(rest, start - position)
        _take(rest, end - start)
        after.append(replacement)
        position = end
    after += rest[::-1]
    return _edits_between(text, after)


def _take(rest: list[tuple[int, int] | str], count: int) -> list[tuple[int, int] | str]:
    """Remove `count` characters from the end of the reversed pieces and return their pieces."""
    taken: list[tuple[int, int] | str] = []
    while count > 0:
        piece = rest.pop()
        if isinstance(piece, str):
            taken.append(piece[:count])
            if len(piece) > count:
                rest.append(piece[count:])
            count -= min(count, len(piece))
        else:
            start, end = piece
            cut = min(end, start + count)
            taken.append((start, cut))
            if cut < end:
                rest.append((cut, end))
            count -= cut - start
    return taken


def _edits_between(text: str, pieces: Sequence[tuple[int, int] | str]) -> tuple[Edit, ...]:
    """The edits that lie between the kept ranges, which are in order."""
    edits: list[Edit] = []
    position = 0
    new = ""
    for piece in pieces:
        if isinstance(piece, str):
            new += piece
            continue
        start, end = piece
        if start == end:
            continue
        if text[position:start] != new:
            edits.append(Edit(position, start, new))
        new, position = "", end
    if text[position:] != new:
        edits.append(Edit(position, len(text), new))
    return tuple(edits)


class _Places:
    """Paths, and which others lie on the way to them or below them."""

    def __init__(self) -> None:
        self._paths: set[Path] = set()
        self._above: set[Path] = set()

    def add(self, paths: Sequence[Path]) -> None:
        self._paths.update(paths)
        self._above.update(path[:length] for path in paths for length in range(1, len(path)))

    def touch(self, paths: Sequence[Path]) -> bool:
        return any(
            path in self._above
            or any(path[:length] in self._paths for length in range(1, len(path) + 1))
            for path in paths
        )


def _meet(first: Edit, second: Edit) -> bool:
    """Whether of two edits the second begins before the first ends, or both insert there."""
    if second.start == first.end:
        # What is replaced on both sides of a place stays apart; new text has to know its place.
        return first.start == first.end or second.start == second.end
    return second.start < first.end


def select(fixes: Sequence[Fix]) -> tuple[list[Fix], list[Fix]]:
    """Split fixes into those that can be applied together and those that wait.

    A fix waits when its hull overlaps the hull of one that comes earlier in the text, when both
    insert at one place, and when it writes a place that an earlier one writes: two that add
    `plugins` would add it twice.
    Two that only take away do not wait for each other: a key may be written a hundred times.
    Fixes with the same edits count once. Fixes without edits are in neither list.
    """
    unique: dict[tuple[Edit, ...], Fix] = {}
    for fix in fixes:
        if fix.edits:
            unique.setdefault(fix.edits, fix)
    chosen: list[Fix] = []
    deferred: list[Fix] = []
    # What the chosen ones change; a fix that only takes away looks at what others write.
    written, changed = _Places(), _Places()
    for fix in sorted(unique.values(), key=lambda fix: (fix.edits[0].start, fix.edits[-1].end)):
        writes = any(edit.text for edit in fix.edits)
        shared = (changed if writes else written).touch(fix.paths)
        if shared or (chosen and _meet(chosen[-1].edits[-1], fix.edits[0])):
            deferred.append(fix)
            continue
        chosen.append(fix)
        changed.add(fix.paths)
        if writes:
            written.add(fix.paths)
    return chosen, deferred


class FixWithFinding(Protocol):
    """A fix, and what it is for."""

    @property
    def diagnostic(self) -> Diagnostic: ...

    @property
    def fix(self) -> Fix: ...


Either = TypeVar("Either", bound=FixWithFinding)


def apart(fixes: Sequence[Either]) -> list[Either]:
    """The fixes that have nothing to do with those before them, in the order that is given.

    One waits when `select` would let it wait for an earlier one, and when one of both edits what the
    finding of the other points at: without the other, it might have no finding to repair.
    """
    chosen: list[Either] = []
    hulls: list[tuple[Edit, Edit]] = []
    pointed: list[Span] = []
    changed = _Places()
    for each in fixes:
        edits = each.fix.edits
        related = [one.span for one in each.diagnostic.related if one.file is None]
        at = bisect_left(hulls, edits[0].start, key=lambda hull: hull[0].start)
        meets = at > 0 and _meet(hulls[at - 1][1], edits[0])
        meets = meets or (at < len(hulls) and _meet(edits[-1], hulls[at][0]))
        if meets or changed.touch(each.fix.paths) or _overlap(edits, pointed):
            continue
        if related and any(_overlap((first, last), related) for first, last in hulls):
            continue
        chosen.append(each)
        hulls.insert(at, (edits[0], edits[-1]))
        pointed += related
        changed.add(each.fix.paths)
    return chosen


def _overlap(edits: Sequence[Edit], spans: Sequence[Span]) -> bool:
    """Whether the hull of some edits has a character of a span in it."""
    start, end = edits[0].start, edits[-1].end
    return any(span.start < end and start < span.end for span in spans)
