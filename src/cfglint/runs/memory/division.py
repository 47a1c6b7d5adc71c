"""Who divides weights, gradients and optimizer states among the GPUs of a run."""

from __future__ import annotations

from typing import Any

from cfglint.base.record import Record
from cfglint.runs.memory.run import Because, Shards

#: Nothing is certain to be on a GPU.
NOWHERE = Shards(0, 0, 0)


class Division(Record):
    """How a run is divided, and by what."""

    shards: Shards
    #: `one`, `split` (over several GPUs in a way that is not known), `ddp`, `zero`, `fsdp`,
    #: `fsdp1`, `fsdp2`, `unknown`.
    way: str
    because: Because
    #: The settings of the library that shards, when these decide, and their stage.
    settings: dict[str, Any] | None = None
    stage: int = 0
    #: Whether each GPU has all weights of a layer while it is computed.
    gathers_layers: bool = False
    #: Whether settings that are not at hand may put parts into the machine's memory.
    may_move: bool = False


def on_one() -> Division:
    """One process with everything."""
    return Division(Shards(), "one", Because("all on one GPU"))


def copies(text: str = "a whole copy on each GPU") -> Division:
    """A process with everything for each GPU, as DistributedDataParallel has it."""
    return Division(Shards(), "ddp", Because(text))


def undecided(gpus: int, text: str, *, usual: bool, started: str = "") -> Division:
    """A run of which nothing shows how it is divided over several GPUs.

    Args:
        text: what may divide it.
        started: what usually starts a process for each GPU.
        usual: how it usually is: a process with a copy for each GPU. Otherwise the least that is
            certain: a share of everything.
    """
    if usual:
        starts = f" ({started} starts a process for each)" if started else ""
        return copies(f"a whole copy on each GPU{starts}, as nothing shows that the run is sharded")
    return Division(Shards(gpus, gpus, gpus, gpus), "split", Because(text))
