"""Blocks that many families of models share."""

from __future__ import annotations

from cfglint.runs.memory.parts import Part, Sizes, UnknownShapeError, linear, vector


def heads(sizes: Sizes, *, head_dim: int | None = None) -> tuple[int, int, int]:
    """Attention heads, key and value heads, and the width of a head.

    Args:
        head_dim: the family's own default, where it is not the hidden size over the heads.
    """
    count = sizes.number("num_attention_heads")
    if not count:
        raise UnknownShapeError("num_attention_heads")
    width = sizes.number("head_dim", default=head_dim or sizes.number("hidden_size") // count)
    return count, sizes.number("num_key_value_heads", default=count), width


def attention(
    sizes: Sizes,
    layers: int,
    *,
    bias: bool = False,
    output_bias: bool = False,
    output: str = "o_proj",
    head_dim: int | None = None,
) -> list[Part]:
    """Separate projections to queries, keys, values, and back."""
    hidden = sizes.number("hidden_size")
    count, shared, width = heads(sizes, head_dim=head_dim)
    return [
        linear("q_proj", hidden, count * width, layers, bias),
        linear("k_proj", hidden, shared * width, layers, bias),
        linear("v_proj", hidden, shared * width, layers, bias),
        linear(output, count * width, hidden, layers, output_bias),
    ]


def gated(hidden: int, inner: int, layers: int, bias: bool = False) -> list[Part]:
    """A gated feed-forward block of three matrices."""
    return [
        linear("gate_proj", hidden, inner, layers, bias),
        linear("up_proj", hidden, inner, layers, bias),
        linear("down_proj", inner, hidden, layers, bias),
    ]


def plain(
    hidden: int, inner: int, layers: int, names: tuple[str, str], bias: bool = True
) -> list[Part]:
    """A feed-forward block of two matrices."""
    first, second = names
    return [
        linear(first, hidden, inner, layers, bias),
        linear(second, inner, hidden, layers, bias),
    ]


def experts(hidden: int, inner: int, count: int, layers: int) -> list[Part]:
    """The experts of some layers, gated, and what chooses among them."""
    return [
        Part("gate", "router", count, hidden, layers),
        Part("experts", "experts", 3 * inner, hidden, count * layers),
    ]


def norms(hidden: int, count: int, bias: bool = False) -> Part:
    return vector("norm", hidden, count, bias)
