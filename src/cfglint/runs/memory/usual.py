"""What is usual of a run where nothing is certain, for the estimate."""

from __future__ import annotations

from cfglint.runs.memory.optimizers import matrix_step, usual_states
from cfglint.runs.memory.run import MOST_TOKENS, Usual


def usual_of(
    length: object, batch: object, *, checkpoints: bool, logits: bool, optimizer: object
) -> Usual | None:
    """What is usual of sequences of a length; None where sizes or optimizer states are not known."""
    states = usual_states(optimizer)
    if type(length) is not int or type(batch) is not int or states is None:
        return None
    tokens = length * batch
    if not 0 < tokens < MOST_TOKENS:
        return None
    return Usual(tokens, checkpoints, logits, states, matrix_step(optimizer))
