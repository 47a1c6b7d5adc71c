"""The certain quantities of a run, which its framework determines and the bound is computed from."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.record import FrozenDict, Record
from cfglint.runs.memory.parts import Kind, Shape

GIB = 1 << 30
#: The largest number of tokens that is accepted.
MOST_TOKENS = 1 << 34


class Because(Record):
    """The reason of a term, and the key that a reader would change."""

    text: str
    #: The path of the key, even if the file does not have it; empty when no key decides.
    path: tuple[str, ...] = ()


class Shards(Record):
    """Over how many GPUs each kind of tensor is divided; 0 when it may lie elsewhere.

    Where a tensor is divided unevenly, one GPU has more than its share, so a share is a lower bound.
    """

    weights: int = 1
    gradients: int = 1
    states: int = 1
    #: What the layers compute, where these lie on several GPUs.
    layers: int = 1


class Usual(Record):
    """The usual quantities of a run with sequences of full length, for the estimate."""

    #: Tokens of one forward pass.
    tokens: int
    #: Whether layers keep their inputs alone, from which the rest is computed again.
    checkpoints: bool
    #: Whether the logits of all tokens exist at once.
    logits: bool
    #: Bytes of a trained parameter in optimizer states that are not certain to be on the GPU.
    state_bytes: float = 0
    #: Bytes of a parameter in what the optimizer computes while it steps a single matrix.
    matrix_step_bytes: float = 0


class MemoryRun(Record):
    """The memory that one GPU certainly needs. Unknown quantities are 0 or absent."""

    shape: Shape
    shards: Shards
    #: Bytes of a parameter of each kind as it is loaded; kinds that are not named take `plain`.
    plain: float
    packed: Mapping[Kind, float] = FrozenDict()
    #: Parameters that are trained, and the bytes of each and of its gradient.
    trained: int = 0
    trained_bytes: float = 0
    gradient_bytes: float = 0
    #: Whether the trained parameters are those of an adapter, in addition to the loaded ones.
    is_adapter: bool = False
    #: The numbers that the modules with an adapter take in for each token, in all layers together.
    taken_in: int = 0
    #: Bytes of a trained parameter's copy in full precision, and of its optimizer states.
    master_bytes: float = 0
    state_bytes: float = 0
    #: Bytes that the states of an embedding's parameter have beyond those.
    embedding_state_bytes: float = 0
    #: Bytes of a trained parameter in what the optimizer's step takes for a moment.
    step_bytes: float = 0
    #: Bytes of a trained parameter in the buckets that gradients are exchanged in.
    bucket_bytes: float = 0
    #: Bytes of the buffers for the reduction of gradients, independent of the trained parameters, and
    #: whether they also exist between backward passes.
    reduction: int = 0
    keeps_reduction: bool = False
    #: Whether the shares of a layer's weights come together on each GPU while it is computed.
    gathers_layers: bool = False
    #: The number of further copies of the loaded weights, for reference models.
    references: int = 0
    #: The number of copies of the model in 16 bits, for generators in the same process.
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
    #: The input of the estimate; None if too little is known.
    usual: Usual | None = None
    #: How it is divided among GPUs, and by what.
    divided: Because = Because("")
    #: Term -> the reason of its size.
    because: Mapping[str, Because] = FrozenDict()
