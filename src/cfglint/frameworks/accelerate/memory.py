"""Where a run has its parts when accelerate may start it."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.fit.division import NOWHERE, Division
from cfglint.fit.run import Because, Shards


def on_one_gpu(around: Surroundings) -> Division:
    """All on one GPU, unless accelerate's own settings may put parts into the machine's memory."""
    return elsewhere(around) or Division(Shards(), "one", Because("all on one GPU"))


def elsewhere(around: Surroundings) -> Division | None:
    """Nothing for certain where a launch line shows accelerate, whose settings may offload."""
    for line in around.launches:
        started = line.launcher == "accelerate" and not line.own
        if started or line.option("accelerate_config"):
            return Division(NOWHERE, "unknown", Because("accelerate's settings decide"))
    return None
