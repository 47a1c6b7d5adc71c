"""The release that a file was written for, as far as its keys show."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.record import Record
from cfglint.knowledge.keys.table import KeyInfo
from cfglint.roles.framework import Framework
from cfglint.source.document import Document, Mapping, Scalar

#: As many unread keys speak against a release as one value that it refuses.
_REFUSED = 2


class WrittenFor(Record):
    """A release, and how many of the keys that some release has it does not read."""

    release: str
    unread: int
    #: How many findings say that it refuses the file for a value.
    refused: int = 0

    @property
    def doubts(self) -> int:
        """How much speaks against it."""
        return self.unread + _REFUSED * self.refused


def written_for(
    document: Document, framework: Framework, refusals: Callable[[str], int] | None = None
) -> WrittenFor:
    """The newest release that reads all keys of a file, or else the newest that reads most.

    Keys without a value do not count: templates are full of them. Nor do keys that no release has.

    Args:
        refusals: for how many reasons a release refuses the file. A value that is refused counts as much
            as two keys that are not read: a file with one never ran, while one with an idle key did.
    """
    versions = framework.releases.versions
    place = {version: number for number, version in enumerate(versions)}
    unread = [0] * len(versions)
    for info in _infos(document, framework):
        since = place.get(info.since, 0)
        gone = len(versions) if info.removed is None else place.get(info.removed, len(versions))
        for number in range(len(versions)):
            unread[number] += not since <= number < gone
    # The newest of those that read as many keys first.
    order = sorted(range(len(versions)), key=lambda number: (unread[number], -number))
    if refusals is None:
        return WrittenFor(versions[order[0]], unread[order[0]])
    best: WrittenFor | None = None
    for number in order:
        if best is not None and unread[number] >= best.doubts:
            break
        found = WrittenFor(versions[number], unread[number], refusals(versions[number]))
        if best is None or found.doubts < best.doubts:
            best = found
    assert best is not None
    return best


def _infos(document: Document, framework: Framework) -> list[KeyInfo]:
    """What is known about the keys that have a value."""
    found = []
    for path, _, node in document.walk():
        if not isinstance(node, Mapping):
            continue
        section = framework.keys.section_at(path)
        for entry in node.entries:
            value = entry.value.target()
            if entry.name is None or (isinstance(value, Scalar) and value.value is None):
                continue
            info = framework.keys.info(section, entry.name)
            if info is not None:
                found.append(info)
    return found
