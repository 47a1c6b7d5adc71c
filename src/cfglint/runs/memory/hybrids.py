"""Families with layers of several kinds: full attention in some, and something else in others.

The formulas are those of the modules that transformers builds; `tools/parameters` compares them.
"""

from __future__ import annotations

from cfglint.runs.memory import layers as blocks
from cfglint.runs.memory.dense import gated_mlp, rms_norms
from cfglint.runs.memory.mixtures import after_dense, latent_attention, sparse_layers, with_experts
from cfglint.runs.memory.parts import Part, Sizes, UnknownShapeError, linear, vector


def gemma4(sizes: Sizes, layers: int) -> list[Part]:
    """Every sixth layer sees everything, with wider heads; the last ones may share keys and values.

    Small models have an embedding for each layer (`per_layer`), one has experts in addition to
    each block.
    """
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size")
    last = min(sizes.number("num_kv_shared_layers", default=0), layers)
    parts = _gemma4_attention(sizes, layers, layers - last)
    wide = last if last < layers and sizes.flag("use_double_wide_mlp", False) else 0
    parts += blocks.gated(hidden, inner, layers - wide)
    parts += blocks.gated(hidden, 2 * inner, wide)
    parts.append(rms_norms(sizes, 4 * layers + 1))
    small = sizes.number("hidden_size_per_layer_input")
    if small:
        entries = sizes.number("vocab_size_per_layer_input", default=262_144)
        parts += [
            Part("embed_tokens_per_layer", "other", entries, layers * small),
            linear("per_layer_model_projection", hidden, layers * small),
            linear("per_layer_input_gate", hidden, small, layers),
            linear("per_layer_projection", small, hidden, layers),
            vector("per_layer_projection_norm", small),
            rms_norms(sizes, layers),
        ]
    if sizes.flag("enable_moe_block", False):
        count, width = sizes.number("num_experts"), sizes.number("moe_intermediate_size")
        parts += [
            linear("proj", hidden, count, layers),
            vector("router_scales", hidden + count, layers),
            Part("experts", "experts", 3 * width, hidden, count * layers),
            rms_norms(sizes, 3 * layers),
        ]
    return parts


def _gemma4_attention(sizes: Sizes, layers: int, first_shared: int) -> list[Part]:
    hidden, bias = sizes.number("hidden_size"), sizes.flag("attention_bias", False)
    heads, shared, width = blocks.heads(sizes, head_dim=256)
    kinds = _kinds(sizes, layers, every=6)
    kinds[-1] = "full_attention"
    wider = sizes.number("global_head_dim", default=512)
    # Where these are set, values are the keys of layers that see everything.
    one = sizes.flag("attention_k_eq_v", False)
    fewer = sizes.number("num_global_key_value_heads", default=shared) if one else shared
    parts = []
    for kind, head_dim, keys, has_values in (
        ("sliding_attention", width, shared, True),
        ("full_attention", wider, fewer, not one),
    ):
        count, own = kinds.count(kind), kinds[:first_shared].count(kind)
        parts += [
            linear("q_proj", hidden, heads * head_dim, count, bias),
            linear("k_proj", hidden, keys * head_dim, own, bias),
            linear("v_proj", hidden, keys * head_dim, own if has_values else 0, bias),
            linear("o_proj", heads * head_dim, hidden, count, bias),
            vector("qk_norm", head_dim, count + own),
        ]
    return parts


def qwen3_5(sizes: Sizes, layers: int) -> list[Part]:
    """Layers of linear attention with one of full attention after each few."""
    return [
        *_gated_attention(sizes, layers, split=True),
        *gated_mlp(sizes, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def qwen3_5_moe(sizes: Sizes, layers: int) -> list[Part]:
    return [*_gated_attention(sizes, layers, split=True), *_shared_experts(sizes, layers)]


def qwen3_next(sizes: Sizes, layers: int) -> list[Part]:
    return [*_gated_attention(sizes, layers, split=False), *_shared_experts(sizes, layers)]


def _shared_experts(sizes: Sizes, layers: int) -> list[Part]:
    hidden, sparse = sizes.number("hidden_size"), sparse_layers(sizes, layers)
    return [
        *with_experts(sizes, layers),
        *blocks.gated(hidden, sizes.number("shared_expert_intermediate_size"), sparse),
        linear("shared_expert_gate", hidden, 1, sparse),
        rms_norms(sizes, 2 * layers + 1),
    ]


def _gated_attention(sizes: Sizes, layers: int, *, split: bool) -> list[Part]:
    hidden = sizes.number("hidden_size")
    every = sizes.number("full_attention_interval", default=4) or 1
    full = _kinds(sizes, layers, every=every).count("full_attention")
    slim = layers - full
    keys = sizes.number("linear_num_key_heads") * sizes.number("linear_key_head_dim")
    heads = sizes.number("linear_num_value_heads")
    width = sizes.number("linear_value_head_dim")
    values = heads * width
    if split:
        inputs = [
            linear("in_proj_qkv", hidden, 2 * keys + values, slim),
            linear("in_proj_z", hidden, values, slim),
            linear("in_proj_b", hidden, heads, slim),
            linear("in_proj_a", hidden, heads, slim),
        ]
    else:
        inputs = [
            linear("in_proj_qkvz", hidden, 2 * (keys + values), slim),
            linear("in_proj_ba", hidden, 2 * heads, slim),
        ]
    count, shared, head_dim = blocks.heads(sizes, head_dim=256)
    bias = sizes.flag("attention_bias", False)
    kernel = sizes.number("linear_conv_kernel_dim", default=4)
    return [
        *inputs,
        linear("out_proj", values, hidden, slim),
        Part("conv1d", "other", 2 * keys + values, kernel, slim),
        # dt_bias and A_log, and the norm of what leaves the heads.
        vector("linear_attention", 2 * heads + width, slim),
        # The queries bring a gate with them.
        linear("q_proj", hidden, 2 * count * head_dim, full, bias),
        linear("k_proj", hidden, shared * head_dim, full, bias),
        linear("v_proj", hidden, shared * head_dim, full, bias),
        linear("o_proj", count * head_dim, hidden, full, bias),
        vector("qk_norm", head_dim, 2 * full),
    ]


def lfm2(sizes: Sizes, layers: int) -> list[Part]:
    """Short convolutions, and full attention in some layers."""
    hidden = sizes.number("hidden_size")
    inner = sizes.number("block_ff_dim", "intermediate_size")
    if sizes.flag("block_auto_adjust_ff_dim", True):
        if sizes.written("block_ffn_dim_multiplier") not in (None, 1):
            raise UnknownShapeError("block_ffn_dim_multiplier")
        step = sizes.number("block_multiple_of", default=256) or 1
        inner = -(-(2 * inner // 3) // step) * step
    full = _kinds(sizes, layers).count("full_attention")
    count, shared, width = blocks.heads(sizes)
    bias = sizes.flag("conv_bias", False)
    kernel = sizes.number("conv_L_cache", default=3)
    return [
        linear("q_proj", hidden, count * width, full),
        linear("k_proj", hidden, shared * width, full),
        linear("v_proj", hidden, shared * width, full),
        linear("out_proj", count * width, hidden, full),
        vector("qk_layernorm", width, 2 * full),
        linear("in_proj", hidden, 3 * hidden, layers - full, bias),
        linear("out_proj", hidden, hidden, layers - full, bias),
        Part("conv", "other", hidden, kernel, layers - full, bias),
        linear("w1", hidden, inner, layers),
        linear("w3", hidden, inner, layers),
        linear("w2", inner, hidden, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def granite_hybrid(sizes: Sizes, layers: int) -> list[Part]:
    """Mamba 2, and full attention in some layers; experts, if any, in addition to a shared block."""
    hidden = sizes.number("hidden_size")
    slim = layers - _kinds(sizes, layers).count("attention")
    bias = sizes.flag("attention_bias", False)
    plain = sizes.flag("mamba_proj_bias", False)
    inner = sizes.number("mamba_expand", default=2) * hidden
    heads = sizes.number("mamba_n_heads")
    groups = sizes.number("mamba_n_groups", default=1)
    channels = inner + 2 * groups * sizes.number("mamba_d_state")
    kernel = sizes.number("mamba_d_conv", default=4)
    shared = sizes.number("shared_intermediate_size")
    parts = [
        *blocks.attention(sizes, layers - slim, bias=bias, output_bias=bias),
        linear("in_proj", hidden, inner + channels + heads, slim, plain),
        linear("out_proj", inner, hidden, slim, plain),
        Part("conv1d", "other", channels, kernel, slim, sizes.flag("mamba_conv_bias", True)),
        # A_log, D and dt_bias, and the norm of what leaves the heads.
        vector("mamba", 3 * heads + inner, slim),
        linear("input_linear", hidden, 2 * shared, layers),
        linear("output_linear", shared, hidden, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]
    experts = sizes.number("num_local_experts", default=0)
    if experts:
        parts += blocks.experts(hidden, sizes.number("intermediate_size"), experts, layers)
    return parts


def bailing_hybrid(sizes: Sizes, layers: int) -> list[Part]:
    """Ling 3.0: delta attention, and attention over latents at the end of each group of layers.

    transformers does not have it: the modules are those of a trainer that brings its own in place of
    the checkpoint's.
    """
    every = sizes.number("layer_group_size") or 1
    full = layers // every + layers % every
    slim = layers - full
    latent = latent_attention(sizes, full, output="dense")
    hidden, heads = sizes.number("hidden_size"), sizes.number("num_attention_heads")
    width = heads * sizes.number("head_dim")
    usual = sizes.flag("no_kda_lora", False)
    granularity = sizes.written("gated_attention_proj_granularity_type")
    if not usual or granularity != "head_wise" or sizes.flag("use_qkv_bias", False):
        raise UnknownShapeError("no_kda_lora")
    if sizes.number("moe_shared_expert_intermediate_size") != sizes.number("moe_intermediate_size"):
        raise UnknownShapeError("moe_shared_expert_intermediate_size")
    kernel = sizes.number("short_conv_kernel_size", default=4)
    names = ("q_proj", "k_proj", "v_proj", "f_proj", "g_proj")
    return [
        *latent,
        linear("g_proj", hidden, heads, full),
        *(linear(name, hidden, width, slim) for name in names),
        linear("b_proj", hidden, heads, slim),
        linear("o_proj", width, hidden, slim),
        Part("conv1d", "other", 3 * width, kernel, slim),
        # A_log and dt_bias, and the norm of what leaves the heads.
        vector("delta_attention", heads + width + sizes.number("head_dim"), slim),
        *after_dense(sizes, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def _kinds(sizes: Sizes, layers: int, *, every: int = 0) -> list[str]:
    """The kind of each layer.

    Args:
        every: which layers see everything where `config.json` does not say; 0 if it has to say.
    """
    kinds = sizes.written("layer_types")
    if kinds is None and every:
        return [
            "sliding_attention" if index % every else "full_attention"
            for index in range(1, layers + 1)
        ]
    if not isinstance(kinds, list) or len(kinds) != layers:
        raise UnknownShapeError("layer_types")
    return list(kinds)
