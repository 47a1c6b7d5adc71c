"""What is certain of a run, as its framework's rules tell it: the ground of the bound."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.record import FrozenDict, Record
from cfglint.fit.parts import Kind, Shape

GIB = 1 << 30
#: Nobody trains on longer sequences.
MOST_TOKENS = 1 << 34


class Because(Record):
    """Why something is as it is, and the key that a reader would change."""

    text: str
    #: The path of the key, written or not; empty when no key decides.
    path: tuple[str, ...] = ()


class Shards(Record):
    """Over how many GPUs each kind of tensor is divided; 0 when it may lie elsewhere.

    Where a tensor is divided unevenly, one GPU holds more than its share, so a share is a bound.
    """

    weights: int = 1
    gradients: int = 1
    states: int = 1
    #: What the layers compute, where these lie on several GPUs.
    layers: int = 1


class Usual(Record):
    """What is usual of a run, for an estimate: its sequences are full."""

    #: Tokens of one forward pass.
    tokens: int
    #: Whether layers keep their inputs alone, from which the rest is computed again.
    checkpoints: bool
    #: Whether the logits of all tokens exist at once.
    logits: bool
    #: Bytes of a trained parameter in optimizer states that are not certain to be on the GPU.
    state_bytes: float = 0


def usual_of(
    length: object, batch: object, *, checkpoints: bool, logits: bool, state_bytes: float | None
) -> Usual | None:
    """What is usual of sequences of a length; None where sizes or optimizer states are not known."""
    if type(length) is not int or type(batch) is not int or state_bytes is None:
        return None
    tokens = length * batch
    return Usual(tokens, checkpoints, logits, state_bytes) if 0 < tokens < MOST_TOKENS else None


class MemoryRun(Record):
    """What one GPU has to hold for certain. What is not known is 0, or absent."""

    shape: Shape
    shards: Shards
    #: Bytes of a parameter of each kind as it is loaded; kinds that are not named take `plain`.
    plain: float
    packed: Mapping[Kind, float] = FrozenDict()
    #: Parameters that are trained, and the bytes of each and of its gradient.
    trained: int = 0
    trained_bytes: float = 0
    gradient_bytes: float = 0
    #: Whether what is trained are tensors beside the loaded ones, as an adapter's.
    beside: bool = False
    #: Bytes of a trained parameter's copy in full precision, and of its optimizer states.
    master_bytes: float = 0
    state_bytes: float = 0
    #: Bytes that the states of an embedding's parameter have beyond those.
    embedding_state_bytes: float = 0
    #: Bytes of a trained parameter in what the optimizer's step takes for a moment.
    step_bytes: float = 0
    #: Bytes of a trained parameter in the buckets that gradients are exchanged in.
    bucket_bytes: float = 0
    #: Bytes of the buffers that hold gradients while they are reduced, whatever is trained, and
    #: whether these are there between backward passes, too.
    reduction: int = 0
    keeps_reduction: bool = False
    #: Whether the shares of a layer's weights come together on each GPU while it is computed.
    gathers_layers: bool = False
    #: How often the loaded weights lie there a second time, for a reference model.
    references: int = 0
    #: How often a generator in the same process has the model, in 16 bits.
    generators: float = 0
    #: Whether gradients are kept from one backward pass to the next.
    accumulates: bool = False
    #: Tokens of one forward pass; 0 when they are not certain.
    tokens: int = 0
    #: Whether the input of every layer is kept for the backward pass.
    keeps_layers: bool = False
    #: Whether what the layers compute is kept, too, as it is without checkpointing, as far as
    #: gradients pass through it: not through the first layer where an adapter is trained.
    keeps_inside: bool = False
    #: Whether a checkpointed layer recomputes all of that, at once, before its backward pass.
    recomputes_layers: bool = False
    #: Whether the model is compiled, which may change the order of what is computed, and compute
    #: again what is cheap. (Of matrices and attention the results are kept: torch's partitioner,
    #: `torch/_functorch/partitioners.py`, does not let them be computed twice.)
    compiled: bool = False
    #: Bytes of a token's logits for each entry of the vocabulary; 0 when they may not exist.
    logit_bytes: float = 0
    #: Whether the base model's weights may be put elsewhere when they do not fit.
    may_move: bool = False
    #: What an estimate goes by; None where too little is known.
    usual: Usual | None = None
    #: Term -> why it is as it is.
    because: Mapping[str, Because] = FrozenDict()
