"""The release that a file was written for, as far as its keys show."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.record import Record
from cfglint.framework import Framework
from cfglint.knowledge.keys.table import KeyInfo
from cfglint.source.document import Document, Mapping, Scalar


class WrittenFor(Record):
    """A release, and how many of the keys that some release has it does not read."""

    release: str
    unread: int
    #: How many findings say that it refuses the file for a value.
    refused: int = 0


def written_for(
    document: Document, framework: Framework, refusals: Callable[[str], int] | None = None
) -> WrittenFor:
    """The newest release that reads all keys of a file, or else the newest that reads most.

    Keys without a value do not count: templates are full of them. Nor do keys that no release has.

    Args:
        refusals: for how many reasons a release refuses the file; of those that read as many keys,
            the newest that refuses it for the fewest is taken.
    """
    versions = framework.releases.versions
    place = {version: number for number, version in enumerate(versions)}
    unread = [0] * len(versions)
    for info in _infos(document, framework):
        since = place.get(info.since, 0)
        gone = len(versions) if info.removed is None else place.get(info.removed, len(versions))
        for number in range(len(versions)):
            unread[number] += not since <= number < gone
    fewest = min(unread)
    possible = [versions[number] for number, count in enumerate(unread) if count == fewest]
    if refusals is None:
        return WrittenFor(possible[-1], fewest)
    least: WrittenFor | None = None
    for version in reversed(possible):
        refused = refusals(version)
        if least is None or refused < least.refused:
            least = WrittenFor(version, fewest, refused)
        if not refused:
            break
    assert least is not None
    return least


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
