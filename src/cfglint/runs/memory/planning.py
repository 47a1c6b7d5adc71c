"""Whether a run fits, and with which changes of the config or the hardware it would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from cfglint.base.record import Record
from cfglint.runs.memory.estimate import estimate
from cfglint.runs.memory.measures import Choice
from cfglint.runs.memory.run import GIB, MemoryRun
from cfglint.runs.memory.terms import Bound, bound
from cfglint.source.document import Path

#: The smallest sufficient GPUs are reported for these numbers of GPUs.
COUNTS = (1, 2, 4, 8, 16)
#: What is shown as 0.1 GiB or more.
LEAST_SHOWN = GIB // 20
#: Lengths are tried in steps of so many tokens, up to a million; batches up to a thousand rows.
_LENGTH_STEP = 256
_LENGTHS, _BATCHES = 4096, 1024


class NotCertainError(ValueError):
    """Nothing is known for certain about a run; the text says why, and what would change that."""


class Alternative(Record):
    """A change of the config, or of the hardware, with another use of memory."""

    title: str
    #: The key that it changes first; empty for other hardware.
    path: tuple[str, ...]
    gpus: int
    run: MemoryRun
    #: The run as it usually is, for the estimate.
    usual: MemoryRun | None = None

    @property
    def bound(self) -> Bound:
        return bound(self.run)


class Planner(Protocol):
    """The memory of one config, as its framework computes it."""

    #: The key of the base model.
    model_key: tuple[str, ...]

    def run(self, gpus: int) -> MemoryRun | None:
        """The certain quantities on each of `gpus` GPUs; None when there are none."""

    def obstacle(self, gpus: int) -> str:
        """Why there is no run, and what would change that; empty when there is one."""

    def usual(
        self, gpus: int, *, length: int | None = None, batch: int | None = None
    ) -> MemoryRun | None:
        """The run as it usually is: a copy for each process where nothing shows that it is divided.

        Args:
            length: of the sequences, in tokens, instead of the written one.
            batch: the rows on each GPU, instead of the written ones.
        """

    def changes(self, gpus: int) -> Iterator[Alternative]:
        """The alternatives that the config's release supports."""

    def choices(self, gpus: int) -> Iterator[Choice]:
        """What could be written to need less, each with its cost; of each choice one."""

    def changed(self, changes: Mapping[Path, Any], gpus: int) -> MemoryRun | None:
        """The run as it usually is, with other values at some paths."""


def of_bound(change: Alternative) -> int:
    """What is certain of an alternative, in bytes."""
    return change.bound.total


def of_estimate(change: Alternative) -> int:
    """What an alternative probably needs, in bytes; 0 where there is no estimate."""
    found = None if change.usual is None else estimate(change.usual)
    return 0 if found is None else found.likely


def lighter(
    changes: Iterable[Alternative], total: int, size_of: Callable[[Alternative], int] = of_bound
) -> list[Alternative]:
    """The alternatives whose size is below a number of bytes, the lightest first.

    Of other hardware only the least is reported, and last. A change with which nothing is certain, as
    when everything is offloaded, is left out, and so is another value of the same key that saves no
    more: `adapter: qlora` where the frozen weights are offloaded in any case.
    """
    found = [(size_of(change), change) for change in changes]
    less = [(size, change) for size, change in found if 0 < size < total]
    settings = sorted((one for one in less if one[1].path), key=lambda one: one[0])
    different = {(size, change.path): change for size, change in reversed(settings)}
    hardware = [change for _, change in less if not change.path][:1]
    return [*reversed(different.values()), *hardware]


class Largest(Record):
    """What probably fits on a GPU, in tokens and in rows; None where nothing does."""

    length: int | None
    batch: int | None


def largest(planner: Planner, gpus: int, memory: int) -> Largest:
    """The longest sequence and the largest batch that probably fit, each with the other as it is.

    Args:
        memory: of each GPU, in bytes.
    """

    def fits(run: MemoryRun | None) -> bool:
        found = None if run is None else estimate(run)
        return found is not None and found.likely <= memory

    length = _most(lambda steps: fits(planner.usual(gpus, length=steps * _LENGTH_STEP)), _LENGTHS)
    batch = _most(lambda rows: fits(planner.usual(gpus, batch=rows)), _BATCHES)
    return Largest(length * _LENGTH_STEP or None, batch or None)


def _most(fits: Callable[[int], bool], limit: int) -> int:
    """The largest number up to a limit that fits, by bisection; 0 when none does."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def smallest(total: int, gpus: Mapping[str, Mapping[str, Any]]) -> tuple[int, list[str]] | None:
    """The least memory of a known GPU, in GB, that a number of bytes fits in, and who has it.

    GPUs that share the memory of the machine are left out: their memory is not a limit.
    """
    sizes: dict[int, list[str]] = {}
    for name, row in gpus.items():
        memory = row.get("memory_gb")
        if memory is not None and not row.get("unified"):
            sizes.setdefault(memory, []).append(name)
    enough = [memory for memory in sizes if memory * GIB >= total]
    return (min(enough), sizes[min(enough)]) if enough else None


def gib(size: int) -> str:
    """A size in words: GiB with one decimal, or MiB where that would be 0."""
    return (
        f"{size / GIB:.1f} GiB" if not size or size >= LEAST_SHOWN else f"{max(size >> 20, 1)} MiB"
    )
