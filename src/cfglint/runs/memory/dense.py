"""Families whose layers all are alike: their parts from the numbers of `config.json`.

The formulas are those of the modules that transformers builds; `tools/parameters` compares them.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.runs.memory import layers as blocks
from cfglint.runs.memory.parts import Part, Sizes, UnknownShapeError, linear, vector

#: The parts of a model without its embedding and head.
Body = Callable[[Sizes, int], list[Part]]


def llama(sizes: Sizes, layers: int) -> list[Part]:
    bias = sizes.flag("attention_bias", False)
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias),
        *gated_mlp(sizes, layers, sizes.flag("mlp_bias", False)),
        rms_norms(sizes, 2 * layers + 1),
    ]


def mistral(sizes: Sizes, layers: int) -> list[Part]:
    return [
        *blocks.attention(sizes, layers),
        *gated_mlp(sizes, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def qwen2(sizes: Sizes, layers: int) -> list[Part]:
    return [
        *blocks.attention(sizes, layers, bias=True),
        *gated_mlp(sizes, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def qwen3(sizes: Sizes, layers: int) -> list[Part]:
    bias = sizes.flag("attention_bias", False)
    width = blocks.heads(sizes, head_dim=128)[2]
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias, head_dim=128),
        vector("qk_norm", width, 2 * layers),
        *gated_mlp(sizes, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def gemma(sizes: Sizes, layers: int) -> list[Part]:
    bias = sizes.flag("attention_bias", False)
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias, head_dim=256),
        *gated_mlp(sizes, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def gemma2(sizes: Sizes, layers: int) -> list[Part]:
    return [*gemma(sizes, layers), rms_norms(sizes, 2 * layers)]


def gemma3(sizes: Sizes, layers: int) -> list[Part]:
    width = blocks.heads(sizes, head_dim=256)[2]
    return [*gemma2(sizes, layers), vector("qk_norm", width, 2 * layers)]


def muse_glimmer(sizes: Sizes, layers: int) -> list[Part]:
    """Attention behind a gate; norms before and after each block, and one at the end."""
    hidden = sizes.number("hidden_size")
    bias = sizes.flag("attention_bias", False)
    count, _, width = blocks.heads(sizes)
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias),
        linear("gate_proj", hidden, count * width, layers),
        *gated_mlp(sizes, layers),
        rms_norms(sizes, 4 * layers + 1),
    ]


def phi(sizes: Sizes, layers: int) -> list[Part]:
    if sizes.flag("qk_layernorm", False):
        raise UnknownShapeError("qk_layernorm")
    hidden = sizes.number("hidden_size")
    inner = sizes.number("intermediate_size")
    vocabulary = sizes.number("vocab_size")
    return [
        *blocks.attention(sizes, layers, bias=True, output_bias=True, output="dense"),
        *blocks.plain(hidden, inner, layers, ("fc1", "fc2")),
        blocks.norms(hidden, layers + 1, bias=True),
        vector("lm_head", vocabulary),
    ]


def phi3(sizes: Sizes, layers: int) -> list[Part]:
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size")
    count, shared, width = blocks.heads(sizes)
    return [
        linear("qkv_proj", hidden, (count + 2 * shared) * width, layers),
        linear("o_proj", count * width, hidden, layers),
        linear("gate_up_proj", hidden, 2 * inner, layers),
        linear("down_proj", inner, hidden, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def gpt_neox(sizes: Sizes, layers: int) -> list[Part]:
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size")
    bias = sizes.flag("attention_bias", True)
    return [
        linear("query_key_value", hidden, 3 * hidden, layers, bias),
        linear("dense", hidden, hidden, layers, bias),
        *blocks.plain(hidden, inner, layers, ("dense_h_to_4h", "dense_4h_to_h")),
        blocks.norms(hidden, 2 * layers + 1, bias=True),
    ]


def gpt2(sizes: Sizes, layers: int) -> list[Part]:
    if sizes.flag("add_cross_attention", False):
        raise UnknownShapeError("add_cross_attention")
    hidden = sizes.number("n_embd")
    inner = sizes.number("n_inner", default=4 * hidden)
    return [
        Part("wpe", "other", sizes.number("n_positions"), hidden),
        linear("c_attn", hidden, 3 * hidden, layers, True),
        linear("c_proj", hidden, hidden, layers, True),
        *blocks.plain(hidden, inner, layers, ("c_fc", "c_proj")),
        blocks.norms(hidden, 2 * layers + 1, bias=True),
    ]


def gpt_bigcode(sizes: Sizes, layers: int) -> list[Part]:
    hidden = sizes.number("n_embd")
    inner = sizes.number("n_inner", default=4 * hidden)
    width = hidden // (sizes.number("n_head") or 1)
    shared = width if sizes.flag("multi_query", True) else hidden
    return [
        Part("wpe", "other", sizes.number("n_positions"), hidden),
        linear("c_attn", hidden, hidden + 2 * shared, layers, True),
        linear("c_proj", hidden, hidden, layers, True),
        *blocks.plain(hidden, inner, layers, ("c_fc", "c_proj")),
        blocks.norms(hidden, 2 * layers + 1, bias=True),
    ]


def starcoder2(sizes: Sizes, layers: int) -> list[Part]:
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size")
    bias = sizes.flag("use_bias", True)
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias),
        *blocks.plain(hidden, inner, layers, ("c_fc", "c_proj"), bias),
        blocks.norms(hidden, 2 * layers + 1, bias=True),
    ]


def stablelm(sizes: Sizes, layers: int) -> list[Part]:
    if sizes.flag("qk_layernorm", False):
        raise UnknownShapeError("qk_layernorm")
    hidden = sizes.number("hidden_size")
    a_layer = 1 if sizes.flag("use_parallel_residual", False) else 2
    return [
        *blocks.attention(sizes, layers, bias=sizes.flag("use_qkv_bias", False)),
        *gated_mlp(sizes, layers),
        blocks.norms(hidden, a_layer * layers + 1, bias=True),
    ]


def falcon(sizes: Sizes, layers: int) -> list[Part]:
    hidden = sizes.number("hidden_size")
    heads = sizes.number("num_attention_heads", "n_head")
    width, bias = hidden // (heads or 1), sizes.flag("bias", False)
    newer = sizes.flag("new_decoder_architecture", False)
    if newer:
        shared = sizes.number("num_kv_heads", "n_head_kv", default=heads)
        outputs = (heads + 2 * shared) * width
        # One norm before both blocks, or one before each.
        a_layer = sizes.number("num_ln_in_parallel_attn", default=2)
    else:
        outputs = hidden + 2 * width if sizes.flag("multi_query", True) else 3 * hidden
        a_layer = 1 if sizes.flag("parallel_attn", True) else 2
    inner = sizes.number("ffn_hidden_size", default=4 * hidden)
    return [
        linear("query_key_value", hidden, outputs, layers, bias),
        linear("dense", hidden, hidden, layers, bias),
        *blocks.plain(hidden, inner, layers, ("dense_h_to_4h", "dense_4h_to_h"), bias),
        blocks.norms(hidden, a_layer * layers + 1, bias=True),
    ]


def cohere(sizes: Sizes, layers: int) -> list[Part]:
    bias = sizes.flag("attention_bias", False)
    parts = [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias),
        *gated_mlp(sizes, layers),
        rms_norms(sizes, layers + 1),
    ]
    if sizes.flag("use_qk_norm", False):
        count, shared, width = blocks.heads(sizes)
        parts.append(vector("qk_norm", (count + shared) * width, layers))
    return parts


def cohere2(sizes: Sizes, layers: int) -> list[Part]:
    bias = sizes.flag("attention_bias", False)
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias),
        *gated_mlp(sizes, layers),
        rms_norms(sizes, layers + 1),
    ]


def olmo(sizes: Sizes, layers: int) -> list[Part]:
    bias = sizes.flag("attention_bias", False)
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias),
        *gated_mlp(sizes, layers),
    ]


def olmo2(sizes: Sizes, layers: int) -> list[Part]:
    count, shared, width = blocks.heads(sizes)
    return [
        *olmo(sizes, layers),
        vector("qk_norm", (count + shared) * width, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def glm(sizes: Sizes, layers: int) -> list[Part]:
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size")
    bias = sizes.flag("attention_bias", True)
    return [
        *blocks.attention(sizes, layers, bias=bias, head_dim=128),
        linear("gate_up_proj", hidden, 2 * inner, layers),
        linear("down_proj", inner, hidden, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def glm4(sizes: Sizes, layers: int) -> list[Part]:
    return [*glm(sizes, layers), rms_norms(sizes, 2 * layers)]


def seed_oss(sizes: Sizes, layers: int) -> list[Part]:
    return [
        *blocks.attention(
            sizes,
            layers,
            bias=sizes.flag("attention_bias", True),
            output_bias=sizes.flag("attention_out_bias", False),
            head_dim=128,
        ),
        *gated_mlp(sizes, layers, sizes.flag("mlp_bias", False)),
        rms_norms(sizes, 2 * layers + 1),
    ]


def apertus(sizes: Sizes, layers: int) -> list[Part]:
    if sizes.written("hidden_act") not in (None, "xielu"):
        raise UnknownShapeError("hidden_act")
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size")
    bias = sizes.flag("attention_bias", False)
    width = blocks.heads(sizes)[2]
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias),
        vector("qk_norm", width, 2 * layers),
        *blocks.plain(hidden, inner, layers, ("up_proj", "down_proj"), False),
        # The two learned numbers of each activation.
        vector("act_fn", 2, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def nemotron(sizes: Sizes, layers: int) -> list[Part]:
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size")
    bias = sizes.flag("attention_bias", False)
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias),
        *blocks.plain(
            hidden, inner, layers, ("up_proj", "down_proj"), sizes.flag("mlp_bias", False)
        ),
        blocks.norms(hidden, 2 * layers + 1, bias=True),
    ]


def opt(sizes: Sizes, layers: int) -> list[Part]:
    hidden, inner = sizes.number("hidden_size"), sizes.number("ffn_dim")
    usual = sizes.number("word_embed_proj_dim", default=hidden) == hidden
    if not usual or sizes.written("do_layer_norm_before") is False:
        raise UnknownShapeError("word_embed_proj_dim")
    bias = sizes.flag("enable_bias", True)
    # The positions are shifted by two.
    positions = sizes.number("max_position_embeddings") + 2
    return [
        Part("embed_positions", "other", positions, hidden),
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias, output="out_proj"),
        *blocks.plain(hidden, inner, layers, ("fc1", "fc2"), bias),
        blocks.norms(hidden, 2 * layers + 1, bias=True),
    ]


def bloom(sizes: Sizes, layers: int) -> list[Part]:
    hidden = sizes.number("hidden_size", "n_embed")
    return [
        linear("query_key_value", hidden, 3 * hidden, layers, True),
        linear("dense", hidden, hidden, layers, True),
        *blocks.plain(hidden, 4 * hidden, layers, ("dense_h_to_4h", "dense_4h_to_h")),
        # One after the embedding, two in a layer, one at the end.
        blocks.norms(hidden, 2 * layers + 2, bias=True),
    ]


def gptj(sizes: Sizes, layers: int) -> list[Part]:
    hidden = sizes.number("n_embd")
    inner = sizes.number("n_inner", default=4 * hidden)
    return [
        *(linear(name, hidden, hidden, layers) for name in ("q_proj", "k_proj", "v_proj")),
        linear("out_proj", hidden, hidden, layers),
        *blocks.plain(hidden, inner, layers, ("fc_in", "fc_out")),
        blocks.norms(hidden, layers + 1, bias=True),
        vector("lm_head", sizes.number("vocab_size")),
    ]


def gated_mlp(sizes: Sizes, layers: int, bias: bool = False) -> list[Part]:
    """The usual gated feed-forward block in a number of layers."""
    return blocks.gated(
        sizes.number("hidden_size"), sizes.number("intermediate_size"), layers, bias
    )


def rms_norms(sizes: Sizes, count: int) -> Part:
    """Norms over the hidden size that have a scale alone."""
    return blocks.norms(sizes.number("hidden_size"), count)
