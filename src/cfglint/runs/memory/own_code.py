"""Families whose modules come with the models (`trust_remote_code`), not with transformers.

The formulas are those of the `modeling_*.py` beside the weights; the sums are compared with what the pages of the
models, or the heads of their files, state.
"""

from __future__ import annotations

from cfglint.runs.memory import layers as blocks
from cfglint.runs.memory.dense import gated_mlp, rms_norms
from cfglint.runs.memory.parts import Part, Sizes, linear


def baichuan(sizes: Sizes, layers: int) -> list[Part]:
    """Both generations; the 13B ones have ALiBi, which has no weights."""
    hidden = sizes.number("hidden_size")
    return [
        linear("W_pack", hidden, 3 * hidden, layers),
        linear("o_proj", hidden, hidden, layers),
        *gated_mlp(sizes, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def chatglm(sizes: Sizes, layers: int) -> list[Part]:
    """ChatGLM2, ChatGLM3 and GLM-4-9B; the first ChatGLM has other keys."""
    hidden, inner = sizes.number("hidden_size"), sizes.number("ffn_hidden_size")
    heads, width = sizes.number("num_attention_heads"), sizes.number("kv_channels")
    is_shared = sizes.flag("multi_query_attention", False)
    groups = sizes.number("multi_query_group_num") if is_shared else heads
    bias = sizes.flag("add_bias_linear", False)
    qkv_bias = bias or sizes.flag("add_qkv_bias", False)
    return [
        linear("query_key_value", hidden, (heads + 2 * groups) * width, layers, qkv_bias),
        linear("dense", heads * width, hidden, layers, bias),
        linear("dense_h_to_4h", hidden, 2 * inner, layers, bias),
        linear("dense_4h_to_h", inner, hidden, layers, bias),
        rms_norms(sizes, 2 * layers + 1),
    ]


def internlm2(sizes: Sizes, layers: int) -> list[Part]:
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size")
    heads, shared, width = blocks.heads(sizes)
    bias = sizes.flag("bias", False)
    return [
        linear("wqkv", hidden, (heads + 2 * shared) * width, layers, bias),
        linear("wo", heads * width, hidden, layers, bias),
        linear("w1", hidden, inner, layers),
        linear("w2", inner, hidden, layers),
        linear("w3", hidden, inner, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]


def qwen(sizes: Sizes, layers: int) -> list[Part]:
    """The first Qwen, whose `intermediate_size` is that of both halves of the gated block."""
    hidden, inner = sizes.number("hidden_size"), sizes.number("intermediate_size") // 2
    width = sizes.number("kv_channels") * sizes.number("num_attention_heads")
    return [
        linear("c_attn", hidden, 3 * width, layers, True),
        linear("c_proj", width, hidden, layers),
        linear("w1", hidden, inner, layers),
        linear("w2", hidden, inner, layers),
        linear("c_proj", inner, hidden, layers),
        rms_norms(sizes, 2 * layers + 1),
    ]
