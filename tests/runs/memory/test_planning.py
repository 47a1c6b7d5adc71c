"""Which changes would make a run fit, and what probably fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from cfglint.runs.memory.planning import (
    LEAST_SHOWN,
    Alternative,
    Largest,
    Planner,
    gib,
    largest,
    lighter,
    of_bound,
    of_estimate,
    smallest,
)
from cfglint.runs.memory.run import GIB, MemoryRun, Usual
from tests.draws import each
from tests.runs.memory.test_terms import whole

RUN = whole()
USUAL = Usual(tokens=1024, checkpoints=True, logits=True)


def change(title: str, path: str, size: int) -> Alternative:
    """An alternative that certainly needs so many bytes."""
    parameters = RUN.shape.parameters
    run = whole(plain=size / parameters, trained=0)
    return Alternative(title, (path,) if path else (), 1, run)


def titles(changes: list[Alternative], total: int, **others: Any) -> list[str]:
    return [one.title for one in lighter(changes, total, **others)]


def test_the_lightest_changes_come_first() -> None:
    changes = [change("b", "b", 20_000), change("a", "a", 10_000), change("c", "c", 30_000)]
    assert titles(changes, 40_000) == ["a", "b", "c"]
    assert titles(changes, 20_000) == ["a"]
    assert titles(changes, 10_000) == []


def test_of_other_hardware_the_least_comes_last() -> None:
    changes = [change("2 GPUs", "", 8_000), change("4 GPUs", "", 4_000), change("a", "a", 10_000)]
    assert titles(changes, 40_000) == ["a", "2 GPUs"]
    assert titles(changes, 8_000) == ["4 GPUs"]


def test_what_is_no_change() -> None:
    # Nothing is certain with it, or it saves no more than another value of its key.
    changes = [change("none", "n", 0), change("a 1", "a", 9_000), change("a 2", "a", 9_000)]
    assert titles(changes, 40_000) == ["a 1"]
    different = [change("a 1", "a", 9_000), change("a 2", "a", 8_000), change("b", "b", 9_000)]
    assert titles(different, 40_000) == ["a 2", "a 1", "b"]


def test_the_sizes_of_an_alternative() -> None:
    one = change("a", "a", 10_000)
    assert abs(of_bound(one) - 10_000) < 2
    assert of_estimate(one) == 0
    usual = one.replaced(usual=whole(usual=USUAL))
    assert of_estimate(usual) > GIB
    assert titles([one, usual], 8 * GIB, size_of=of_estimate) == ["a"]


@each(
    ("size", "words"),
    [
        (0, "0.0 GiB"),
        (1, "1 MiB"),
        (5 << 20, "5 MiB"),
        (LEAST_SHOWN - 1, "51 MiB"),
        (LEAST_SHOWN, "0.0 GiB"),
        (GIB, "1.0 GiB"),
        (10 * GIB + GIB // 2, "10.5 GiB"),
    ],
)
def test_a_size_in_words(size: int, words: str) -> None:
    assert gib(size) == words


GPUS = {
    "small": {"memory_gb": 16},
    "shared": {"memory_gb": 20, "unified": True},
    "large": {"memory_gb": 80},
    "other": {"memory_gb": 80},
    "unknown": {},
}


@each(
    ("total", "expected"),
    [
        (1, (16, ["small"])),
        (16 * GIB, (16, ["small"])),
        (16 * GIB + 1, (80, ["large", "other"])),
        (80 * GIB, (80, ["large", "other"])),
        (80 * GIB + 1, None),
    ],
)
def test_the_smallest_gpu(total: int, expected: tuple[int, list[str]] | None) -> None:
    assert smallest(total, GPUS) == expected


class Growing:
    """A planner of runs that take a byte for each token, or for each row, beyond a number of them."""

    def __init__(self, size_of: Callable[[int, int], int | None]) -> None:
        self._size_of = size_of

    def usual(self, gpus: int, *, length: int = 0, batch: int = 0) -> MemoryRun | None:
        size = self._size_of(length, batch)
        if size is None:
            return None
        return whole(plain=size / RUN.shape.parameters, trained=0, usual=USUAL)


@each(
    ("longest", "most", "expected"),
    [
        (1000, 3, Largest(768, 3)),
        (1024, 1, Largest(1024, 1)),
        (255, 0, Largest(None, None)),
        (1 << 30, 1 << 20, Largest(1 << 20, 1024)),
    ],
)
def test_what_probably_fits(longest: int, most: int, expected: Largest) -> None:
    planner = Growing(lambda length, batch: (length > longest or batch > most) * 90 * GIB)
    assert largest(cast("Planner", planner), 1, 80 * GIB) == expected


def test_nothing_fits_of_which_nothing_is_known() -> None:
    planner = cast("Planner", Growing(lambda length, batch: None))
    assert largest(planner, 1, 80 * GIB) == Largest(None, None)
    unknown = cast("Planner", Growing(lambda length, batch: 0))
    assert largest(unknown, 1, GIB) == Largest(None, None)
