"""Families with experts.

The formulas are those of the modules that transformers builds; `tools/parameters` compares them.
"""

from __future__ import annotations

from cfglint.runs.memory import layers as blocks
from cfglint.runs.memory.dense import gated_mlp, rms_norms
from cfglint.runs.memory.parts import Part, Sizes, UnknownShapeError, linear, vector


def mixtral(sizes: Sizes, layers: int) -> list[Part]:
    hidden = sizes.number("hidden_size")
    return [
        *blocks.attention(sizes, layers),
        *blocks.experts(
            hidden, sizes.number("intermediate_size"), sizes.number("num_local_experts"), layers
        ),
        rms_norms(sizes, 2 * layers + 1),
    ]


def qwen3_moe(sizes: Sizes, layers: int) -> list[Part]:
    bias = sizes.flag("attention_bias", False)
    width = blocks.heads(sizes)[2]
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias),
        vector("qk_norm", width, 2 * layers),
        *with_experts(sizes, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def qwen2_moe(sizes: Sizes, layers: int) -> list[Part]:
    hidden = sizes.number("hidden_size")
    sparse = sparse_layers(sizes, layers)
    shared = sizes.number("shared_expert_intermediate_size")
    return [
        *blocks.attention(sizes, layers, bias=sizes.flag("qkv_bias", True)),
        *with_experts(sizes, layers),
        *blocks.gated(hidden, shared, sparse),
        linear("shared_expert_gate", hidden, 1, sparse),
        rms_norms(sizes, 2 * layers + 1),
    ]


def olmoe(sizes: Sizes, layers: int) -> list[Part]:
    bias = sizes.flag("attention_bias", False)
    count, shared, width = blocks.heads(sizes)
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias),
        vector("qk_norm", (count + shared) * width, layers),
        *blocks.experts(
            sizes.number("hidden_size"),
            sizes.number("intermediate_size"),
            sizes.number("num_experts"),
            layers,
        ),
        rms_norms(sizes, 2 * layers + 1),
    ]


def gpt_oss(sizes: Sizes, layers: int) -> list[Part]:
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size")
    count = sizes.number("num_local_experts")
    bias = sizes.flag("attention_bias", True)
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias, head_dim=64),
        vector("sinks", sizes.number("num_attention_heads"), layers),
        Part("router", "router", count, hidden, layers, bias=True),
        Part("experts", "experts", 3 * inner, hidden, count * layers),
        vector("experts_bias", 2 * inner + hidden, count * layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def deepseek(sizes: Sizes, layers: int) -> list[Part]:
    """Attention over latents; routed and shared experts in all but the first layers."""
    return [
        *latent_attention(sizes, layers),
        *after_dense(sizes, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def glm4_moe(sizes: Sizes, layers: int) -> list[Part]:
    bias = sizes.flag("attention_bias", False)
    parts = [
        *blocks.attention(sizes, layers, bias=bias, head_dim=_width(sizes)),
        *after_dense(sizes, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]
    if sizes.flag("use_qk_norm", False):
        parts.append(vector("qk_norm", blocks.heads(sizes)[2], 2 * layers))
    return parts


def llama4(sizes: Sizes, layers: int) -> list[Part]:
    step = sizes.number("interleave_moe_layer_step", default=1)
    listed = sizes.written("moe_layers")
    if not step or listed is not None:
        raise UnknownShapeError("moe_layers")
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size")
    sparse = layers // step
    bias = sizes.flag("attention_bias", False)
    count = sizes.number("num_local_experts")
    return [
        *blocks.attention(sizes, layers, bias=bias, output_bias=bias, head_dim=128),
        linear("router", hidden, count, sparse),
        Part("experts", "experts", 3 * inner, hidden, count * sparse),
        *blocks.gated(hidden, inner, sparse),
        *blocks.gated(hidden, sizes.number("intermediate_size_mlp"), layers - sparse),
        rms_norms(sizes, 2 * layers + 1),
    ]


def afmoe(sizes: Sizes, layers: int) -> list[Part]:
    """Attention behind a gate; experts after the first layers, with a bias for each to be chosen."""
    hidden, inner = sizes.number("hidden_size"), sizes.number("moe_intermediate_size")
    count, _, width = blocks.heads(sizes)
    first = min(sizes.number("num_dense_layers"), layers)
    experts, sparse = sizes.number("num_experts"), layers - first
    return [
        *blocks.attention(sizes, layers),
        linear("gate_proj", hidden, count * width, layers),
        vector("qk_norm", width, 2 * layers),
        *blocks.gated(hidden, sizes.number("intermediate_size"), first),
        linear("gate", hidden, experts, sparse),
        Part("experts", "experts", 3 * inner, hidden, experts * sparse),
        vector("expert_bias", experts, sparse),
        *blocks.gated(hidden, sizes.number("num_shared_experts") * inner, sparse),
        rms_norms(sizes, 4 * layers + 1),
    ]


def latent_attention(sizes: Sizes, layers: int, *, output: str = "o_proj") -> list[Part]:
    """Queries, keys and values that go through fewer numbers; queries only where a rank is set."""
    hidden, heads = sizes.number("hidden_size"), sizes.number("num_attention_heads")
    rope, latent = sizes.number("qk_rope_head_dim"), sizes.number("kv_lora_rank")
    key = sizes.number("qk_nope_head_dim")
    value = sizes.number("v_head_dim")
    bias = sizes.flag("attention_bias", False)
    rank = sizes.number("q_lora_rank", default=0)
    if rank:
        queries = [
            linear("q_a_proj", hidden, rank, layers, bias),
            vector("q_a_layernorm", rank, layers),
            linear("q_b_proj", rank, heads * (key + rope), layers),
        ]
    else:
        queries = [linear("q_proj", hidden, heads * (key + rope), layers)]
    return [
        *queries,
        linear("kv_a_proj_with_mqa", hidden, latent + rope, layers, bias),
        vector("kv_a_layernorm", latent, layers),
        linear("kv_b_proj", latent, heads * (key + value), layers),
        linear(output, heads * value, hidden, layers, bias),
    ]


def after_dense(sizes: Sizes, layers: int) -> list[Part]:
    """Feed-forward blocks: dense in the first layers, then experts with shared ones."""
    hidden, inner = sizes.number("hidden_size"), sizes.number("moe_intermediate_size")
    if sizes.written("mlp_layer_types") is not None:
        raise UnknownShapeError("mlp_layer_types")
    if sizes.number("moe_layer_freq", default=1) != 1:
        raise UnknownShapeError("moe_layer_freq")
    first = min(sizes.number("first_k_dense_replace"), layers)
    sparse = layers - first
    count = sizes.number("n_routed_experts", "num_experts")
    shared = sizes.number("n_shared_experts", "num_shared_experts", default=0)
    return [
        *blocks.gated(hidden, sizes.number("intermediate_size"), first),
        *blocks.experts(hidden, inner, count, sparse),
        *blocks.gated(hidden, shared * inner, sparse),
    ]


def sparse_layers(sizes: Sizes, layers: int) -> int:
    """The number of layers that have experts."""
    step = sizes.number("decoder_sparse_step", default=1) or 1
    if sizes.written("mlp_only_layers"):
        raise UnknownShapeError("mlp_only_layers")
    return layers // step


def with_experts(sizes: Sizes, layers: int) -> list[Part]:
    """Experts in every n-th layer, a dense block in the others."""
    hidden = sizes.number("hidden_size")
    sparse = sparse_layers(sizes, layers)
    parts = blocks.experts(
        hidden, sizes.number("moe_intermediate_size"), sizes.number("num_experts"), sparse
    )
    if sparse < layers:
        parts += gated_mlp(sizes, layers - sparse)
    return parts


def _width(sizes: Sizes) -> int:
    return sizes.number("hidden_size") // (sizes.number("num_attention_heads") or 1)
