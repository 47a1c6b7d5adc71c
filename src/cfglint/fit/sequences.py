"""What the tokens of one forward pass leave on a GPU, where their number is certain."""

from __future__ import annotations

from cfglint.fit.run import Because
from cfglint.record import Record

#: Bytes of each of a token's logits when the backward pass begins. There are three tensors over the
#: vocabulary then, in 32 bits, in which transformers and autocast compute the loss: the logarithms
#: that `log_softmax` keeps, their gradient (`nll_loss` fills one with zeros), and the gradient of
#: the logits that comes of both.
LOGIT_BYTES = 12.0
#: Backends of `torch.compile` that divide a model between the passes as torch itself does.
USUAL_COMPILERS = (None, "inductor")


class Sequences(Record):
    """The tokens of a forward pass, and what is certainly kept of them."""

    tokens: int
    #: Whether the input of every layer is kept.
    keeps_layers: bool
    #: Whether what the layers compute is kept, too, or is recomputed layer by layer.
    keeps_inside: bool
    recomputes_layers: bool
    #: Bytes of a token's logits for each entry of the vocabulary.
    logit_bytes: float
    because: Because


#: Nothing is certain of the tokens.
NOT_CERTAIN = Sequences(0, False, False, False, 0.0, Because(""))
#: Why a layer's activations are there for a moment.
RECOMPUTED = Because("from its input, before its backward pass")
