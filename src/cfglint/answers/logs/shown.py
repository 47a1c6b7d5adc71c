"""Which frameworks a log shows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from cfglint.answers.logs.failures import Failure
from cfglint.answers.logs.lines import LogLine
from cfglint.knowledge import compiled
from cfglint.roles.framework import frameworks


class ShownFrameworks:
    """The frameworks whose packages or commands a log names, or that are known from elsewhere.

    Args:
        packages: that are stated.
        frameworks: those of the configs of the run.
    """

    def __init__(
        self,
        head: Iterable[LogLine],
        failures: Iterable[Failure],
        packages: Collection[str],
        frameworks: Collection[str],
    ) -> None:
        files = [frame[0] for failure in failures for frame in failure.frames]
        self._text = "\n".join([*(line.text for line in head), *files]).lower()
        self._packages = frozenset(packages)
        self._known = frozenset(frameworks)

    def __contains__(self, framework: str) -> bool:
        if framework == "any" or framework in self._known:
            return True
        tables = compiled.load("frameworks")
        packages = tables.FRAMEWORKS[framework]["packages"]
        if not self._packages.isdisjoint(packages):
            return True
        return any(map(self._names, (*packages, *tables.MARKS[framework]["words"])))

    def _names(self, word: str) -> bool:
        """Whether the log has a word that is no part of another one."""
        return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", self._text) is not None


def frames_of(failures: Iterable[Failure]) -> Iterator[LogLine]:
    """The files of the frames that led to failures, as lines."""
    for failure in failures:
        for file, line, _ in failure.frames:
            yield LogLine(line, failure.rank, file)


def shown_in(failure: Failure) -> tuple[str, ...]:
    """The frameworks that the text of a failure or its frames name."""
    shown = ShownFrameworks([LogLine(failure.line, "", failure.text)], [failure], (), ())
    return tuple(sorted(one for one in frameworks() if one in shown))
