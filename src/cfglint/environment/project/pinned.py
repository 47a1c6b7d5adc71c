"""From a statement of a project's files to a version, a range or a place among the releases."""

from __future__ import annotations

from cfglint.environment.pins import Pin
from cfglint.environment.project.stated_versions import Statement
from cfglint.knowledge.releases.commits import place_commit, place_day, place_development


def pinned(statement: Statement, own: str, origin: str) -> Pin:
    """What a statement says of its package.

    Args:
        own: the package whose releases are known commit by commit.
        origin: where it is stated, in words.
    """
    return _pin(statement, own, origin).replaced(in_project=True, path=statement.place.path)


def _pin(statement: Statement, own: str, origin: str) -> Pin:
    if statement.fork and not statement.version:
        # Its commits are in no history that is known.
        return Pin(None, None, origin, fork=statement.fork)
    if statement.package == own and (statement.commit or statement.day):
        place = (
            place_commit(own, statement.commit)
            if statement.commit
            else place_day(own, statement.day or "")
        )
        if place is not None:
            between = (place.after, place.before)
            if statement.frozen:
                origin += f", a tag last built on {statement.day}"
            elif statement.day:
                origin += f", the build of {statement.day}"
            return Pin(None, statement.commit, origin, None, between, place.commits)
    if statement.package == own and statement.version and ".dev" in statement.version:
        place = place_development(own, statement.version)
        if place is not None:
            between = (place.after, place.before)
            return Pin(None, statement.commit, origin, None, between)
    if statement.is_lost:
        return Pin(None, statement.written, origin)
    if statement.commit and not statement.version:
        return Pin(None, statement.commit, origin)
    return Pin(
        statement.version,
        None,
        origin,
        statement.spec,
        implied=statement.implied,
        inferred=statement.tested,
        fork=statement.fork,
        alone=statement.alone,
    )
