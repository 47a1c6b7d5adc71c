"""The parameters that a run certainly trains."""

from __future__ import annotations

from collections.abc import Collection

from cfglint.base.record import Record
from cfglint.runs.memory.adapters import in_every_layer, taken_in
from cfglint.runs.memory.optimizers import Optimizer
from cfglint.runs.memory.parts import Shape
from cfglint.runs.memory.run import Because, MemoryRun

#: The largest rank that is accepted.
_MOST_RANK = 1 << 20


class Trained(Record):
    """The trained parameters that are certain."""

    parameters: int
    #: Whether they are those of an adapter, in addition to the loaded ones.
    is_adapter: bool
    because: Because
    #: Whether some of them are in every layer, so that gradients pass through all but the first.
    everywhere: bool = False
    #: The share of them that is surely in one group of the optimizer, which transformers makes of all
    #: that decay: not norms and biases.
    grouped: float = 1.0
    #: The numbers that the modules with an adapter take in for each token, in all layers together.
    taken_in: int = 0


def all_of(shape: Shape, path: tuple[str, ...]) -> Trained:
    """The whole model; `path` is that of the key which says so."""
    because = Because(f"all {in_words(shape.parameters)}", path)
    return Trained(shape.parameters, False, because, True)


def of_adapter(
    count: int, shape: Shape, targets: Collection[str], path: tuple[str, ...]
) -> Trained:
    """An adapter of so many parameters, on the modules of some names."""
    because = Because(f"{in_words(count)} of the adapter", path)
    everywhere, inputs = in_every_layer(shape, targets), taken_in(shape, targets)
    return Trained(count, True, because, everywhere, taken_in=inputs)


def with_training(
    run: MemoryRun, what: Trained, chosen: Optimizer, each: float, master: float
) -> MemoryRun:
    """A run with what it trains: the parameters, their gradients, their copies and their states.

    Args:
        each: bytes of a trained parameter.
        master: bytes of its copy; 0 without one.
    """
    return run.replaced(
        trained=what.parameters,
        trained_bytes=each,
        gradient_bytes=each if chosen.keeps_gradients else 0.0,
        is_adapter=what.is_adapter,
        taken_in=what.taken_in,
        master_bytes=master,
        state_bytes=chosen.states(master or each),
    )


def known_rank(written: object, default: int | None = None) -> int | None:
    """The rank of an adapter; None when it is not known for certain."""
    rank = default if written is None else written
    return rank if type(rank) is int and 0 < rank < _MOST_RANK else None


def in_words(count: int) -> str:
    """A number of parameters: `8.03 billion parameters`."""
    if count >= 10**9:
        return f"{count / 10**9:.2f} billion parameters"
    return f"{count / 10**6:.1f} million parameters"
