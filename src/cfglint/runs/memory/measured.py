"""Runs whose memory was measured, and how near they are to a run that is asked about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from cfglint.base.record import Record
from cfglint.runs.memory.run import MemoryRun

# How far apart runs are that differ in a respect: of numbers for each doubling, else altogether.
_DOUBLE_PARAMETERS, _DOUBLE_TOKENS, _DOUBLE_SHARDS = 1.0, 0.5, 1.0
_OTHER_TRAINED, _OTHER_BITS, _OTHER_CHECKPOINTS, _OTHER_LOGITS, _OTHER_STATES = (
    3,
    1.5,
    1.5,
    0.75,
    0.75,
)
#: Numbers that are this near to each other are not listed as a difference.
_ALIKE = 1.1


_SHARING, _ALONE = "GPUs that share the weights", "1 GPU with all weights"


class Traits(Record):
    """What the memory of a run depends on the most."""

    parameters: int
    #: Whether an adapter alone is trained.
    adapter: bool
    #: Of a weight of linear layers, as it is loaded.
    bits: int
    #: Tokens of one forward pass on a GPU.
    tokens: int
    checkpoints: bool
    #: Whether the logits of all tokens exist at once.
    logits: bool
    #: Bytes of the optimizer's states for each trained parameter.
    state_bytes: int
    #: Over how many GPUs the weights are divided.
    shards: int


def traits(run: MemoryRun) -> Traits | None:
    """What a run is like; None where that is not known for an estimate either."""
    usual = run.usual
    if usual is None or not run.shards.weights:
        return None
    linear = run.packed.get("linear", run.plain)
    bits = 4 if linear < 1 else int(8 * linear)
    states = round(run.state_bytes + usual.state_bytes)
    return Traits(
        run.shape.parameters,
        run.is_adapter,
        bits,
        usual.tokens,
        usual.checkpoints,
        usual.logits,
        states,
        run.shards.weights,
    )


class Measured(Record):
    """A run that was measured."""

    #: What was run, in words.
    title: str
    gib: float
    #: What was measured, and where that is published; empty for cfglint's own.
    metric: str
    source: str
    traits: Traits

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Measured:
        """A row of `rules/measured.json`."""
        of_run = Traits(**row["traits"])
        return cls(row["title"], row["gib"], row["metric"], row["source"], of_run)


class Near(Record):
    """A measured run, and what differs from the one that is asked about."""

    measured: Measured
    distance: float
    #: In words: `its model has 3.2 billion parameters, not 8.0`.
    differs: tuple[str, ...]


def nearest(run: Traits, rows: Iterable[Measured], count: int = 3) -> list[Near]:
    """The measured runs that are the nearest to a run."""
    found = [Near(row, *_apart(run, row.traits)) for row in rows]
    return sorted(found, key=lambda near: near.distance)[:count]


def _apart(run: Traits, other: Traits) -> tuple[float, tuple[str, ...]]:
    """How far a measured run is from another one, and in what."""
    numbers = (
        (run.parameters, other.parameters, _DOUBLE_PARAMETERS, "parameters"),
        (run.tokens, other.tokens, _DOUBLE_TOKENS, "tokens at once"),
        (run.shards, other.shards, _DOUBLE_SHARDS, _SHARING),
    )
    distance, words = 0.0, []
    for here, there, each, name in numbers:
        ratio = max(here, there) / max(min(here, there), 1)
        distance += each * math.log2(max(ratio, 1))
        if ratio > _ALIKE:
            named = _ALONE if there == 1 and name == _SHARING else f"{_number(there)} {name}"
            words.append(f"{named}, not {_number(here)}")
    kinds: tuple[tuple[object, object, float, str], ...] = (
        (run.adapter, other.adapter, _OTHER_TRAINED, _trained(other)),
        (run.bits, other.bits, _OTHER_BITS, f"weights in {other.bits} bits"),
        (run.checkpoints, other.checkpoints, _OTHER_CHECKPOINTS, _checkpoints(other)),
        (run.logits, other.logits, _OTHER_LOGITS, _logits(other)),
    )
    for one, another, cost, title in kinds:
        if one != another:
            distance += cost
            words.append(title)
    if not run.adapter and not other.adapter and run.state_bytes != other.state_bytes:
        distance += _OTHER_STATES
        words.append(
            f"{other.state_bytes} bytes of optimizer states a parameter, not {run.state_bytes}"
        )
    return round(distance, 2), tuple(words)


def _trained(run: Traits) -> str:
    return "an adapter is trained" if run.adapter else "all parameters are trained"


def _checkpoints(run: Traits) -> str:
    return "layers are checkpointed" if run.checkpoints else "layers are not checkpointed"


def _logits(run: Traits) -> str:
    return "the logits of all tokens at once" if run.logits else "a fused or chunked loss"


def _number(value: int) -> str:
    return f"{value / 10**9:.1f} billion" if value >= 10**8 else f"{value:,}"
