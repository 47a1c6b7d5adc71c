"""Edits as plain text work: applying, combining, choosing."""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.diagnostic import Edit, Fix
from cfglint.source.document import Path


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


def select(fixes: Sequence[Fix]) -> tuple[list[Fix], list[Fix]]:
    """Split fixes into those that can be applied together and those that wait.

    A fix waits when its hull overlaps or touches the hull of one that comes earlier in the text, and
    when it writes a place that an earlier one writes: two that add `plugins` would add it twice.
    Two that only take away do not wait for each other: a key may be written a hundred times.
    Fixes with the same edits count once. Fixes without edits are in neither list.
    """
    unique: dict[tuple[Edit, ...], Fix] = {}
    for fix in fixes:
        if fix.edits:
            unique.setdefault(fix.edits, fix)
    chosen: list[Fix] = []
    deferred: list[Fix] = []
    last_end = -1
    # What the chosen ones change; a fix that only takes away looks at what others write.
    written, changed = _Places(), _Places()
    for fix in sorted(unique.values(), key=lambda fix: (fix.edits[0].start, fix.edits[-1].end)):
        writes = any(edit.text for edit in fix.edits)
        shared = (changed if writes else written).touch(fix.paths)
        if shared or fix.edits[0].start <= last_end:
            deferred.append(fix)
            continue
        chosen.append(fix)
        last_end = fix.edits[-1].end
        changed.add(fix.paths)
        if writes:
            written.add(fix.paths)
    return chosen, deferred
