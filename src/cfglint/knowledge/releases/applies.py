"""The versions of a package that a rule applies to, computed for every release of a framework."""

from __future__ import annotations

from cfglint.base.record import Record


class Applies(Record):
    """One package of a rule's `applies`, with the answer for every known release computed.

    The masks have one bit a release of the framework: `yes`, its pin is surely in `spec`;
    `maybe`, it may be (no exact pin, or a build between releases).
    """

    spec: str
    yes: int
    maybe: int
    #: Affected commits (prefixes) when builds between releases are meant.
    commits: tuple[str, ...] = ()
