"""Who divides weights, gradients and optimizer states among the GPUs of a run."""

from __future__ import annotations

from typing import Any

from cfglint.base.record import Record
from cfglint.fit.run import Because, Shards

#: Nothing is certain to be on a GPU.
NOWHERE = Shards(0, 0, 0)


class Division(Record):
    """How a run is divided, and by what."""

    shards: Shards
    #: `one`, `split` (over several GPUs in a way that is not known), `ddp`, `zero`, `fsdp1`,
    #: `fsdp2`, `unknown`.
    way: str
    because: Because
    #: The settings of the library that shards, when these decide, and their stage.
    settings: dict[str, Any] | None = None
    stage: int = 0
    #: Whether each GPU has all weights of a layer while it is computed.
    gathers_layers: bool = False
