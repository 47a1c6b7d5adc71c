"""A warm `Linter` against bare PyYAML: what one more text costs an editor or a bulk run."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import yaml

from cfglint import Linter
from tools.bench.runs import Spread

_TURNS = 15


class Warm(NamedTuple):
    """Ratios of checking a text over loading it, and the seconds of each."""

    ratios: Spread
    ours: Spread
    theirs: Spread


def warm(texts: Iterable[str]) -> Warm:
    """The least time of several turns for each text, after one that warms up."""
    linter = Linter()
    ours, theirs = [], []
    for text in texts:
        linter.lint(text)
        ours.append(_least(lambda: linter.lint(text)))  # noqa: B023
        theirs.append(_least(lambda: _load(text)))  # noqa: B023
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return Warm(Spread.of(ratios), Spread.of(ours), Spread.of(theirs))


def _load(text: str) -> None:
    with contextlib.suppress(yaml.YAMLError, ValueError):
        yaml.load(text, yaml.CSafeLoader)


def _least(run: Callable[[], object]) -> float:
    times = []
    for _ in range(_TURNS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)
