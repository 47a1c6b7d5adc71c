"""Which formulas count the parameters of which `model_type`."""

from __future__ import annotations

from typing import Any

from cfglint.base.record import Record
from cfglint.runs.memory import dense, hybrids, mixtures, own_code, pairs
from cfglint.runs.memory.dense import Body
from cfglint.runs.memory.parts import Part, Shape, Sizes, UnknownShapeError

#: No published model has as many layers.
_MOST_LAYERS = 1000


class Family(Record):
    """How the models of a type are built."""

    body: Body
    #: Whether embedding and head share a matrix when `config.json` does not say.
    tied: bool = False
    embedding: str = "embed_tokens"
    head: str = "lm_head"
    #: Whether it has an encoder and a decoder, so that the activations do not follow from a single
    #: number of tokens.
    pair: bool = False


FAMILIES: dict[str, Family] = {
    "afmoe": Family(mixtures.afmoe),
    "apertus": Family(dense.apertus),
    "baichuan": Family(own_code.baichuan),
    "bailing_hybrid": Family(hybrids.bailing_hybrid, embedding="word_embeddings"),
    "bloom": Family(dense.bloom, tied=True, embedding="word_embeddings"),
    "chatglm": Family(own_code.chatglm, embedding="word_embeddings", head="output_layer"),
    "cohere": Family(dense.cohere, tied=True),
    "cohere2": Family(dense.cohere2, tied=True),
    "deepseek_v2": Family(mixtures.deepseek),
    "deepseek_v3": Family(mixtures.deepseek),
    "falcon": Family(dense.falcon, tied=True, embedding="word_embeddings"),
    "gemma": Family(dense.gemma, tied=True),
    "gemma2": Family(dense.gemma2, tied=True),
    "gemma3_text": Family(dense.gemma3, tied=True),
    "gemma4_text": Family(hybrids.gemma4, tied=True),
    "gemma4_unified_text": Family(hybrids.gemma4, tied=True),
    "glm": Family(dense.glm),
    "glm4": Family(dense.glm4),
    "glm4_moe": Family(mixtures.glm4_moe),
    "glm4_moe_lite": Family(mixtures.deepseek),
    "gpt2": Family(dense.gpt2, tied=True, embedding="wte"),
    "gpt_bigcode": Family(dense.gpt_bigcode, tied=True, embedding="wte"),
    "gpt_neox": Family(dense.gpt_neox, embedding="embed_in", head="embed_out"),
    "gpt_oss": Family(mixtures.gpt_oss),
    "gptj": Family(dense.gptj, embedding="wte"),
    "granite": Family(dense.llama),
    "granitemoehybrid": Family(hybrids.granite_hybrid),
    "internlm2": Family(own_code.internlm2, embedding="tok_embeddings", head="output"),
    "lfm2": Family(hybrids.lfm2, tied=True),
    "llama": Family(dense.llama),
    "llama4_text": Family(mixtures.llama4),
    "ministral3": Family(dense.mistral),
    "mistral": Family(dense.mistral),
    "mixtral": Family(mixtures.mixtral),
    "mt5": Family(pairs.t5, tied=True, embedding="shared", pair=True),
    "muse_glimmer_text": Family(dense.muse_glimmer),
    "nemotron": Family(dense.nemotron),
    "olmo": Family(dense.olmo),
    "olmo2": Family(dense.olmo2),
    "olmo3": Family(dense.olmo2),
    "olmoe": Family(mixtures.olmoe),
    "opt": Family(dense.opt, tied=True),
    "phi": Family(dense.phi),
    "phi3": Family(dense.phi3),
    "qwen": Family(own_code.qwen, embedding="wte"),
    "qwen2": Family(dense.qwen2),
    "qwen2_5_vl_text": Family(dense.qwen2),
    "qwen2_moe": Family(mixtures.qwen2_moe),
    "qwen2_vl_text": Family(dense.qwen2),
    "qwen3": Family(dense.qwen3),
    "qwen3_5_moe_text": Family(hybrids.qwen3_5_moe),
    "qwen3_5_text": Family(hybrids.qwen3_5),
    "qwen3_moe": Family(mixtures.qwen3_moe),
    "qwen3_next": Family(hybrids.qwen3_next),
    "qwen3_vl_moe_text": Family(mixtures.qwen3_moe),
    "qwen3_vl_text": Family(dense.qwen3),
    "seed_oss": Family(dense.seed_oss),
    "smollm3": Family(dense.llama, tied=True),
    "stablelm": Family(dense.stablelm),
    "starcoder2": Family(dense.starcoder2, tied=True),
    "t5": Family(pairs.t5, tied=True, embedding="shared", pair=True),
}
#: Models of several towers: the type of the language model among them, when its part of
#: `config.json` does not say.
_TEXT_TYPE = {
    "gemma3": "gemma3_text",
    "gemma4": "gemma4_text",
    "gemma4_unified": "gemma4_unified_text",
    "internvl": "qwen2",
    "lfm2_vl": "lfm2",
    "llama4": "llama4_text",
    "llava": "llama",
    "mistral3": "mistral",
    "muse_glimmer": "muse_glimmer_text",
    "qwen2_5_vl": "qwen2_5_vl_text",
    "qwen2_vl": "qwen2_vl_text",
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
    "qwen3_vl": "qwen3_vl_text",
    "qwen3_vl_moe": "qwen3_vl_moe_text",
}
#: Types whose `config.json` has the sizes of the language model and of the other towers side by side.
_FLAT = frozenset({"qwen2_5_vl", "qwen2_vl"})


def shape(config: dict[str, Any]) -> Shape | None:
    """The tensors of a model, of the language model alone where it has other towers.

    None when the type is not known, or when `config.json` does not tell all sizes.
    """
    try:
        return _shape(config)
    except UnknownShapeError:
        return None


def _shape(config: dict[str, Any]) -> Shape | None:
    model_type = config.get("model_type")
    text = config.get("text_config")
    if text is None and isinstance(model_type, str) and model_type in _FLAT:
        text = {**config, "model_type": _TEXT_TYPE[model_type]}
    partial = isinstance(text, dict)
    if isinstance(text, dict):
        model_type = text.get("model_type") or _TEXT_TYPE.get(str(model_type))
        if config.get("tie_word_embeddings"):
            # True if either part says so.
            text = {**text, "tie_word_embeddings": True}
        config = text
    family = FAMILIES.get(model_type) if isinstance(model_type, str) else None
    if family is None or config.get("pruned_heads"):
        return None
    sizes = Sizes(config)
    layers = sizes.number("num_hidden_layers", "n_layer", "num_layers")
    if not 0 < layers <= _MOST_LAYERS:
        return None
    # T5's head is one matrix with the embedding from transformers 5 on, whatever the file says.
    tied = family.pair or sizes.flag("tie_word_embeddings", family.tied)
    hidden = sizes.number("hidden_size", "n_embd", "n_embed", "d_model")
    vocabulary = sizes.number("vocab_size", "padded_vocab_size")
    parts = [*family.body(sizes, layers), Part(family.embedding, "embedding", vocabulary, hidden)]
    if not tied:
        parts.append(Part(family.head, "head", vocabulary, hidden))
    kept = tuple(part for part in parts if part.parameters)
    if family.pair:
        layers = vocabulary = 0
    return Shape(str(model_type), kept, hidden, layers, vocabulary, tied, partial)
