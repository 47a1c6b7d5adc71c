"""The memory that a run probably needs on each GPU when its sequences have their full length.

The bound counts only what is certain. The estimate adds activations and logits of full sequences,
and the memory that the allocator reserves in addition to its tensors. Its constants are fitted to
published measurements by `python -m tools.fit_rows ROWS --estimate`, which fits them to one half
and tests them on the other.
"""

from __future__ import annotations

from typing import NamedTuple

from cfglint.base.record import Record
from cfglint.runs.memory.parts import Shape
from cfglint.runs.memory.run import GIB, MemoryRun, Usual
from cfglint.runs.memory.terms import bound, sizes


class Constants(NamedTuple):
    """The fitted constants of the estimate."""

    #: Numbers in 16 bits that a layer keeps of each token without checkpointing: for each of its
    #: hidden size, and for each of its feed-forward block's inner size.
    hidden: float
    inner: float
    #: The share of these that is kept where an adapter alone is trained.
    adapter: float
    #: Numbers in 16 bits that an adapter keeps of each number that its module takes in.
    taken_in: float
    #: Bytes of each of a token's logits, with their copies in 32 bits and gradients.
    logits: float
    #: Memory that the allocator reserves, divided by the memory of the tensors.
    slack: float
    #: GiB that every run needs: workspaces, batches, the CUDA context.
    fixed: float


#: Fitted to 86 measurements, which docs/fit.md names.
FITTED = Constants(
    hidden=7.7, inner=5.0, adapter=0.5, taken_in=2.3, logits=18.0, slack=1.06, fixed=1.25
)
#: More than nine of ten measurements lie between the estimate over this and the estimate times
#: this, also of those that the constants were not fitted to.
SPREAD = 1.28


class Estimate(Record):
    """Bytes on each GPU: probably, and the limits between which nine of ten runs lie."""

    likely: int
    low: int
    high: int


def estimate(run: MemoryRun, constants: Constants = FITTED) -> Estimate | None:
    """The memory that a run probably needs; None if too little is known about it.

    It is never below the bound.
    """
    usual = run.usual
    if usual is None or not run.shape.layers:
        return None
    if not all((run.shards.weights, run.shards.gradients, run.shards.states)):
        return None
    size = sizes(run)
    base = sum(
        size.get(name, 0)
        for name in ("weights", "adapter", "reference", "generator", "masters", "states")
    )
    base += int(run.trained * usual.state_bytes // run.shards.states)
    reduction = size["reduction"]
    forward = _activations(run, usual, constants) + reduction
    if run.accumulates:
        forward += size["gradients"]
    backward = size["gradients"] + size["buckets"] + reduction
    step = size["gradients"] + size["buckets"] + size["step"] + _matrix_step(run, usual)
    held = base + max(forward, backward, step)
    certain = bound(run).total
    likely = max(int(held * constants.slack + constants.fixed * GIB), certain)
    return Estimate(likely, max(int(likely / SPREAD), certain), int(likely * SPREAD))


def _activations(run: MemoryRun, usual: Usual, constants: Constants) -> int:
    shape = run.shape
    share = constants.adapter if run.is_adapter else 1.0
    numbers = constants.hidden * shape.hidden + constants.inner * inner_size(shape)
    layer = numbers * share + constants.taken_in * run.taken_in / shape.layers
    kept = shape.hidden * shape.layers + layer if usual.checkpoints else shape.layers * layer
    logits = shape.vocabulary * constants.logits if usual.logits else 0.0
    return int(usual.tokens * (2 * kept + logits) / (run.shards.layers or 1))


def _matrix_step(run: MemoryRun, usual: Usual) -> int:
    """What the step of the largest matrix takes, where all parameters are trained."""
    largest = max((part.inputs * part.outputs for part in run.shape.parts), default=0)
    return 0 if run.is_adapter else int(largest * usual.matrix_step_bytes)


def inner_size(shape: Shape) -> int:
    """The inner size of the feed-forward block that each token passes.

    It is taken as four times the hidden size where all blocks have experts, of which a token
    passes a few.
    """
    found = (
        part.outputs
        for part in shape.parts
        if part.kind == "linear" and part.name in ("gate_proj", "up_proj", "gate_up_proj", "fc1")
    )
    return max(found, default=4 * shape.hidden)
