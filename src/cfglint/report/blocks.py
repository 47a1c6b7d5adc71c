"""Which findings a report shows together: those of one kind, of several files, of one cause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic
from cfglint.engine.file_report import FileReport

#: What makes findings of several files the same one.
_Alike = tuple[object, ...]


class Block(Record):
    """The findings of one kind in a file, by line, with all that is shown beside them."""

    file: FileReport
    findings: tuple[Diagnostic, ...]
    #: The other files that have the same findings, each with its own.
    others: tuple[tuple[FileReport, tuple[Diagnostic, ...]], ...] = ()
    #: The findings of the file that are gone once these are fixed.
    settled: tuple[Diagnostic, ...] = ()

    @property
    def first(self) -> Diagnostic:
        """The first of them; what is shown of it goes for the others, too."""
        return self.findings[0]

    @property
    def importance(self) -> tuple[int, ...]:
        """That of the most important finding, settled ones included."""
        return min(found.importance for found in (*self.findings, *self.settled))


def blocks(
    files: Sequence[FileReport], *, other_releases: bool = True
) -> Iterator[tuple[FileReport, list[Block]]]:
    """The files with something to show, and the blocks of each; the most important first.

    What several files have in common is in the blocks of the first of them.

    Args:
        other_releases: show also what applies only to other releases.
    """
    shown = [
        (file, [one for one in file.diagnostics if other_releases or not one.other_releases])
        for file in files
    ]
    shown = [(file, found) for file, found in shown if found]
    # In the order of checking, files about which other files may add findings come last.
    shown.sort(key=lambda pair: (_worst(pair[1]), pair[0].is_second or pair[0].framework is None))
    places = _places(shown) if len(shown) > 1 else {}
    done: set[tuple[object, ...]] = set()
    for at, (file, found) in enumerate(shown):
        own = []
        for kind, group in _kinds(at, found, places).items():
            if kind in done:
                continue
            done.add(kind)
            alike = {_alike(one) for one in group}
            elsewhere = places.get(_alike(group[0]), (at,))[1:]
            others = tuple(
                (shown[n][0], tuple(one for one in shown[n][1] if _alike(one) in alike))
                for n in elsewhere
            )
            settled = tuple(_settled(group, found))
            own.append(Block(file, tuple(group), others, settled))
        if own:
            own.sort(key=lambda block: block.importance)
            yield file, own


def _worst(found: list[Diagnostic]) -> tuple[int, ...]:
    return min(one.importance for one in found)


def _places(shown: list[tuple[FileReport, list[Diagnostic]]]) -> dict[_Alike, tuple[int, ...]]:
    """Finding -> the positions of all the files that have it."""
    places: dict[_Alike, dict[int, None]] = {}
    for at, (_, found) in enumerate(shown):
        for one in found:
            places.setdefault(_alike(one), {})[at] = None
    return {alike: tuple(files) for alike, files in places.items()}


def _kinds(
    at: int, found: list[Diagnostic], places: dict[_Alike, tuple[int, ...]]
) -> dict[tuple[object, ...], list[Diagnostic]]:
    """The findings of a file by kind; those that are settled with another one are left out."""
    causes = {(one.code, one.span) for one in found}
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for one in found:
        if one.cause is not None and one.cause in causes:
            continue
        kind: tuple[object, ...] = (one.code, one.severity, one.upstream, one.undecided)
        where = places.get(_alike(one), ())
        # Findings of one file alone, and those that exactly these files have, are of one kind.
        mine = where if len(where) > 1 else (at,)
        groups.setdefault((*kind, one.other_releases, mine), []).append(one)
    return groups


def _settled(group: list[Diagnostic], found: list[Diagnostic]) -> Iterator[Diagnostic]:
    causes = {(one.code, one.span) for one in group}
    return (one for one in found if one.cause is not None and one.cause in causes)


def _alike(found: Diagnostic) -> _Alike:
    """What findings of several files have in common that differ only in their place."""
    keys = tuple(part for part in found.path if isinstance(part, str))
    titles = tuple((fix.title, fix.safety, fix.refused) for fix in found.fixes[:1])
    return (found.code, found.severity, found.upstream, found.undecided, found.other_releases,
            found.message, found.cost, keys, titles, found.cause is None)  # fmt: skip
