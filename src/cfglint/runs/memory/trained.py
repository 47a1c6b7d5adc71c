"""The parameters that a run certainly trains."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.runs.memory.run import Because

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


def known_rank(written: object, default: int | None = None) -> int | None:
    """The rank of an adapter; None when it is not known for certain."""
    rank = default if written is None else written
    return rank if type(rank) is int and 0 < rank < _MOST_RANK else None


def in_words(count: int) -> str:
    """A number of parameters: `8.03 billion parameters`."""
    if count >= 10**9:
        return f"{count / 10**9:.2f} billion parameters"
    return f"{count / 10**6:.1f} million parameters"
