"""Why each term of a run is as large as it is."""

from __future__ import annotations

from cfglint.base.record import FrozenDict
from cfglint.runs.memory.run import Because
from cfglint.runs.memory.sequences import RECOMPUTED


def reasons(
    weights: Because,
    trained: Because,
    division: tuple[str, ...],
    optimizer: Because,
    lengths: Because | None = None,
    *,
    reference: tuple[str, ...] = (),
    **further: Because,
) -> FrozenDict[str, Because]:
    """Term -> why it is as large as it is.

    Args:
        division: the path of the key that divides the states.
        lengths: the reason of what is kept for the backward pass; None if that is not counted.
        reference: the path of the key that asks for a model to compare with.
        further: the reasons of terms that only some frameworks have.
    """
    found = {
        "weights": weights,
        "adapter": trained,
        "reference": Because("a copy of the weights to compare with", reference),
        "masters": Because("32 bits a trained parameter", division),
        "states": optimizer,
        "gradients": trained,
        "buckets": Because("the buckets in which gradients are averaged"),
        "reduction": Because("the buffers in which gradients are reduced", division),
        "step": Because("copies while the optimizer steps", optimizer.path),
        **further,
    }
    if lengths is not None:
        found |= {"layers": lengths, "recomputed": RECOMPUTED, "logits": lengths}
    return FrozenDict(found)
