"""The models that `--llama_type` names, and what their JSON files may say.

Each is a module `accessory/model/LLM/<type>.py` with a data class `ModelArgs`; the JSON files are
its arguments, so a key that is not a field is a TypeError. `python -m tools.accessory_release`
compares this module with a checkout.
"""

from __future__ import annotations

_LLAMA = frozenset(
    {
        *("dim", "n_layers", "n_heads", "n_kv_heads", "vocab_size", "multiple_of"),
        *("ffn_dim_multiplier", "norm_eps", "rope_theta", "max_batch_size", "max_seq_len"),
        "rope_scaling",
    }
)
_MIXTRAL = frozenset(
    {
        *("dim", "hidden_dim", "head_dim", "n_layers", "n_heads", "n_kv_heads", "vocab_size"),
        *("norm_eps", "rope_theta", "max_batch_size", "max_seq_len", "moe"),
        *("load_balancing_weight", "rope_scaling"),
    }
)
_TUNING = frozenset({"lora_rank", "bias_tuning", "norm_tuning"})
_VISUAL = frozenset({"load_pretrained_visual_encoder"})
_MODE = frozenset({"trainable_mode"})
_ENS = _LLAMA | _VISUAL
_PEFT = _LLAMA | _TUNING
#: `--llama_type` -> the fields of its `ModelArgs`.
FIELDS: dict[str, frozenset[str]] = {
    "falcon": frozenset(
        {
            *("num_layers", "hidden_size", "num_attention_heads", "attention_dropout"),
            *("hidden_dropout", "bias", "multi_query", "new_decoder_architecture"),
            *("parallel_attn", "num_kv_heads", "layer_norm_epsilon", "vocab_size", "rope_theta"),
            *("max_batch_size", "max_seq_len", "rope_scaling"),
        }
    ),
    "internlm": frozenset(
        {
            *("num_layers", "hidden_size", "num_attention_heads", "mlp_ratio", "drop_rate"),
            *("layer_norm_epsilon", "norm_type", "norm_eps", "use_scaled_init", "use_swiglu"),
            *("vocab_size", "multiple_of", "rope_theta", "max_batch_size", "max_seq_len"),
            "rope_scaling",
        }
    ),
    "llama": _LLAMA,
    "llama_adapter": _PEFT | _MODE | {"prefix_layers", "prefix_len", "use_prefix_new_gate"},
    "llama_ens": _ENS,
    "llama_ens10": _ENS,
    "llama_ens5": _ENS,
    "llama_ens5_light": _ENS | _MODE,
    "llama_ens5p2": _ENS,
    "llama_ens_light": _ENS | _MODE,
    "llama_ens_peft": _PEFT | _VISUAL,
    "llama_peft": _PEFT,
    "llama_qformerv2": _LLAMA,
    "llama_qformerv2_peft": _PEFT,
    "mixtral": _MIXTRAL,
    "mixtral_peft": _MIXTRAL | _TUNING,
    "mixtral_sparse": _MIXTRAL,
    "mixtral_sparse_ens": _MIXTRAL | _VISUAL,
    "mixtral_sparse_ens5": _MIXTRAL | _VISUAL | _MODE,
}
#: Those that train adapters, biases and norms, and leave the model's own weights alone.
ADAPTERS = frozenset(
    {"llama_adapter", "llama_ens_peft", "llama_peft", "llama_qformerv2_peft", "mixtral_peft"}
)
#: Defaults of `ModelArgs` for the names in `NAMES`, where they are not those of `llama`.
_DEFAULTS = {
    "llama": {"dim": 4096, "n_layers": 32, "n_heads": 32},
    "llama_ens": {"dim": 5120, "n_layers": 40, "n_heads": 40},
    "falcon": {"hidden_size": 14848, "num_layers": 80, "num_attention_heads": 232},
    "internlm": {"hidden_size": 4096, "num_layers": 32, "num_attention_heads": 32},
}
#: No size of a model has as many digits.
_TOO_MANY = 10**9
#: The tokenizer decides; this is the size of Llama's and Mixtral's.
VOCABULARY = 32_000


def heads_key(llama_type: str) -> str:
    """The name that a model has for the number of its attention heads."""
    return "num_attention_heads" if llama_type in ("falcon", "internlm") else "n_heads"


def kv_heads_key(llama_type: str) -> str | None:
    """The same for key and value heads; None where there are as many as heads."""
    return {"falcon": "num_kv_heads", "internlm": None}.get(llama_type, "n_kv_heads")


def defaults_of(llama_type: str) -> dict[str, int]:
    """The sizes of a model as long as no file says otherwise."""
    for family in ("falcon", "internlm"):
        if llama_type == family:
            return _DEFAULTS[family]
    large = llama_type.startswith("llama_ens") and llama_type != "llama_ens_peft"
    return _DEFAULTS["llama_ens" if large else "llama"]


def parameters(llama_type: str, given: dict[str, object]) -> int | None:
    """How many parameters a model has, without encoders of images; None when that is not known.

    Args:
        given: the union of its JSON files.
    """
    sizes: dict[str, object] = {**defaults_of(llama_type), **given}
    dim, layers = _whole(sizes.get("dim")), _whole(sizes.get("n_layers"))
    heads = _whole(sizes.get("n_heads"))
    if not dim or not layers or not heads:
        return None
    kv_heads = _whole(sizes.get("n_kv_heads")) or heads
    words = _whole(sizes.get("vocab_size")) or VOCABULARY
    attention = 2 * dim * dim + 2 * dim * (dim // heads) * kv_heads
    if llama_type.startswith("mixtral"):
        moe = sizes.get("moe", {})
        hidden = _whole(sizes.get("hidden_dim", 16_384))
        experts = _whole(moe.get("num_experts", 8)) if isinstance(moe, dict) else 0
        ffn = experts * (3 * dim * hidden + dim)
    else:
        hidden = _hidden(dim, _whole(sizes.get("multiple_of", 256)), sizes)
        ffn = 3 * dim * hidden
    return layers * (attention + ffn + 2 * dim) + (2 * words + 1) * dim if ffn else None


def _whole(value: object) -> int:
    """A whole number above 0 that a model may have; 0 for all else."""
    is_one = isinstance(value, int) and not isinstance(value, bool)
    return value if is_one and isinstance(value, int) and 0 < value < _TOO_MANY else 0


def _hidden(dim: int, multiple: int, sizes: dict[str, object]) -> int:
    """The width of the feed-forward layers of Llama; 0 when it is not known."""
    hidden = int(2 * 4 * dim / 3)
    factor = sizes.get("ffn_dim_multiplier")
    if isinstance(factor, (int, float)) and 0 < factor < _TOO_MANY:
        hidden = int(factor * hidden)
    return multiple * ((hidden + multiple - 1) // multiple) if multiple else 0
