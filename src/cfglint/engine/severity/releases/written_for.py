"""The release that a file was written for, as far as its keys show."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.record import Record
from cfglint.environment.environment import Environment
from cfglint.environment.pins import Pin
from cfglint.roles.framework import Framework
from cfglint.roles.key_policy import LATER, REMOVED, UNREAD
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
    names = _names(document, framework)
    unread = [_unread(names, version, framework) for version in versions]
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


def _unread(names: list[tuple[str, str]], version: str, framework: Framework) -> int:
    """How many of some keys a release does not read in a file of this kind."""
    releases, policy = framework.releases, framework.key_policy
    keys = policy.keys_in(Environment(releases, {releases.package: Pin(version, None, "")}))
    verdicts = (policy.by_name(section, name, keys) for section, name in names)
    return sum(one.state == UNREAD and one.why in (LATER, REMOVED) for one in verdicts)


def _names(document: Document, framework: Framework) -> list[tuple[str, str]]:
    """The keys with a value that some release has, each with its section."""
    found = []
    for path, _, node in document.walk():
        if not isinstance(node, Mapping):
            continue
        section = framework.keys.section_at(path)
        for entry in node.entries:
            value = entry.value.target()
            if entry.name is None or (isinstance(value, Scalar) and value.value is None):
                continue
            if framework.keys.info(section, entry.name) is not None:
                found.append((section, entry.name))
    return found
