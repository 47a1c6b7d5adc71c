"""Which formulas count the parameters of which `model_type`."""

from __future__ import annotations

from typing import Any

from cfglint.fit import dense, mixtures
from cfglint.fit.dense import Body
from cfglint.fit.parts import Part, Shape, Sizes, UnknownShapeError
from cfglint.record import Record

#: No published model has as many layers.
_MOST_LAYERS = 1000


class Family(Record):
    """How the models of a type are built."""

    body: Body
    #: Whether embedding and head share a matrix when `config.json` does not say.
    tied: bool = False
    embedding: str = "embed_tokens"
    head: str = "lm_head"


FAMILIES: dict[str, Family] = {
    "apertus": Family(dense.apertus),
    "bloom": Family(dense.bloom, tied=True, embedding="word_embeddings"),
    "cohere": Family(dense.cohere, tied=True),
    "cohere2": Family(dense.cohere2, tied=True),
    "deepseek_v2": Family(mixtures.deepseek),
    "deepseek_v3": Family(mixtures.deepseek),
    "falcon": Family(dense.falcon, tied=True, embedding="word_embeddings"),
    "gemma": Family(dense.gemma, tied=True),
    "gemma2": Family(dense.gemma2, tied=True),
    "gemma3_text": Family(dense.gemma3, tied=True),
    "glm": Family(dense.glm),
    "glm4": Family(dense.glm4),
    "glm4_moe": Family(mixtures.glm4_moe),
    "gpt2": Family(dense.gpt2, tied=True, embedding="wte"),
    "gpt_bigcode": Family(dense.gpt_bigcode, tied=True, embedding="wte"),
    "gpt_neox": Family(dense.gpt_neox, embedding="embed_in", head="embed_out"),
    "gpt_oss": Family(mixtures.gpt_oss),
    "gptj": Family(dense.gptj, embedding="wte"),
    "granite": Family(dense.llama),
    "llama": Family(dense.llama),
    "llama4_text": Family(mixtures.llama4),
    "mistral": Family(dense.mistral),
    "mixtral": Family(mixtures.mixtral),
    "nemotron": Family(dense.nemotron),
    "olmo": Family(dense.olmo),
    "olmo2": Family(dense.olmo2),
    "olmo3": Family(dense.olmo2),
    "olmoe": Family(mixtures.olmoe),
    "opt": Family(dense.opt, tied=True),
    "phi": Family(dense.phi),
    "phi3": Family(dense.phi3),
    "qwen2": Family(dense.qwen2),
    "qwen2_moe": Family(mixtures.qwen2_moe),
    "qwen3": Family(dense.qwen3),
    "qwen3_5_text": Family(mixtures.qwen3_5),
    "qwen3_moe": Family(mixtures.qwen3_moe),
    "qwen3_next": Family(mixtures.qwen3_next),
    "seed_oss": Family(dense.seed_oss),
    "smollm3": Family(dense.llama, tied=True),
    "stablelm": Family(dense.stablelm),
    "starcoder2": Family(dense.starcoder2, tied=True),
}
#: Models of several towers: the type of the language model among them, when its part of
#: `config.json` does not say.
_TEXT_TYPE = {
    "gemma3": "gemma3_text",
    "llama4": "llama4_text",
    "mistral3": "mistral",
    "qwen3_5": "qwen3_5_text",
}


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
    partial = isinstance(text, dict)
    if isinstance(text, dict):
        model_type = text.get("model_type") or _TEXT_TYPE.get(str(model_type))
        if config.get("tie_word_embeddings"):
            # It holds when either part says so.
            text = {**text, "tie_word_embeddings": True}
        config = text
    family = FAMILIES.get(model_type) if isinstance(model_type, str) else None
    if family is None or config.get("pruned_heads"):
        return None
    sizes = Sizes(config)
    layers = sizes.number("num_hidden_layers", "n_layer")
    if not 0 < layers <= _MOST_LAYERS:
        return None
    tied = sizes.flag("tie_word_embeddings", family.tied)
    hidden = sizes.number("hidden_size", "n_embd", "n_embed")
    vocabulary = sizes.number("vocab_size")
    parts = [*family.body(sizes, layers), Part(family.embedding, "embedding", vocabulary, hidden)]
    if not tied:
        parts.append(Part(family.head, "head", vocabulary, hidden))
    kept = tuple(part for part in parts if part.parameters)
    return Shape(str(model_type), kept, hidden, layers, vocabulary, tied, partial)
