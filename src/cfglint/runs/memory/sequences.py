"""The memory that the tokens of a forward pass need until the backward pass, if it is certain."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.runs.memory.run import Because
from cfglint.runs.memory.values import Values

#: Bytes of each of a token's logits when the backward pass begins. There are three tensors over the
#: vocabulary then, in 32 bits, in which transformers and autocast compute the loss: the logarithms
#: that `log_softmax` keeps, their gradient (`nll_loss` fills one with zeros), and the gradient of
#: the logits that comes of both.
_LOGIT_BYTES = 12.0
#: Backends of `torch.compile` that divide a model between the passes as torch itself does.
_USUAL_COMPILERS = (None, "inductor")


class Sequences(Record):
    """The tokens of a forward pass, and what is certainly kept of them."""

    tokens: int
    #: Whether the input of every layer is kept.
    keeps_layers: bool
    #: Whether what the layers compute is kept, too, or is recomputed layer by layer.
    keeps_inside: bool
    recomputes_layers: bool
    compiled: bool
    #: Bytes of a token's logits for each entry of the vocabulary.
    logit_bytes: float
    because: Because


#: Nothing is certain of the tokens.
NOT_CERTAIN = Sequences(0, False, False, False, False, 0.0, Because(""))
#: Why a layer's activations are there for a moment.
RECOMPUTED = Because("from its input, before its backward pass")


def left(
    tokens: int,
    values: Values,
    because: Because,
    *,
    checkpoints: bool,
    layers: bool,
    inside: bool,
    logits: bool,
) -> Sequences:
    """The memory of a number of tokens; each kind may be uncertain.

    Args:
        checkpoints: whether layers keep their inputs alone, from which the rest is recomputed.
        layers: whether the inputs of the layers are certainly kept.
        inside: whether the layers certainly compute as usual, and keep that or recompute it.
        logits: whether the logits of all tokens certainly exist at once, in 32 bits.
    """
    compiled = bool(values.at("torch_compile"))
    inside = layers and inside
    if compiled and values.at("torch_compile_backend") not in _USUAL_COMPILERS:
        inside = False
    return Sequences(
        tokens,
        layers,
        inside and not checkpoints,
        inside and checkpoints and not compiled,
        compiled,
        _LOGIT_BYTES if logits else 0.0,
        because,
    )
