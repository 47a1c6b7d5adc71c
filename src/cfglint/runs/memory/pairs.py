"""Families of an encoder and a decoder.

The formulas are those of the modules that transformers builds; `tools/parameters` compares them.
"""

from __future__ import annotations

from cfglint.runs.memory import layers as blocks
from cfglint.runs.memory.parts import Part, Sizes, UnknownShapeError, linear


def t5(sizes: Sizes, layers: int) -> list[Part]:
    """T5 in all its versions; the first layer of either side has biases for relative positions."""
    hidden, inner = sizes.number("d_model"), sizes.number("d_ff")
    heads = sizes.number("num_heads")
    width = heads * sizes.number("d_kv")
    answering = sizes.number("num_decoder_layers", default=layers)
    both = layers + answering
    form = sizes.written("feed_forward_proj")
    if not isinstance(form, str):
        raise UnknownShapeError("feed_forward_proj")
    # The decoder attends to the encoder, too.
    attentions = layers + 2 * answering
    inputs = ("wi_0", "wi_1") if form.startswith("gated-") else ("wi",)
    buckets = sizes.number("relative_attention_num_buckets", default=32)
    return [
        *(linear(name, hidden, width, attentions) for name in ("q", "k", "v")),
        linear("o", width, hidden, attentions),
        *(linear(name, hidden, inner, both) for name in inputs),
        linear("wo", inner, hidden, both),
        Part("relative_attention_bias", "other", buckets, heads, 2),
        blocks.norms(hidden, 2 * layers + 3 * answering + 2),
    ]
