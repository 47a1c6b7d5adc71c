"""What is trained: models of the sizes that people use, and the settings that memory hangs on."""

from __future__ import annotations

from typing import Any, NamedTuple

#: How many words the tokenizer knows, of which the texts are made.
WORDS = 1000


class Case(NamedTuple):
    """A run of TRL: its program, the model and the keys that differ from `COMMON`."""

    name: str
    program: str
    model: str
    settings: dict[str, Any]

    @property
    def config(self) -> dict[str, Any]:
        """The whole YAML, without the paths of model and dataset."""
        return {**COMMON, **self.settings}


#: What all runs have in common. The sequences of the dataset are longer than any `max_length`.
COMMON: dict[str, Any] = {
    "dtype": "bfloat16",
    "bf16": True,
    "max_length": 2048,
    "per_device_train_batch_size": 4,
    "gradient_checkpointing": True,
    "max_steps": 3,
    "logging_steps": 1,
    "save_strategy": "no",
    "report_to": "none",
    "output_dir": "out",
}
#: `config.json` of each model.
MODELS: dict[str, dict[str, Any]] = {
    "llama-1b": {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 2048,
        "intermediate_size": 8192,
        "num_hidden_layers": 16,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "tie_word_embeddings": True,
        "max_position_embeddings": 16384,
    },
    "llama-8b": {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "tie_word_embeddings": False,
        "max_position_embeddings": 16384,
    },
    "qwen3-4b": {
        "model_type": "qwen3",
        "architectures": ["Qwen3ForCausalLM"],
        "hidden_size": 2560,
        "intermediate_size": 9728,
        "num_hidden_layers": 36,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "vocab_size": 151936,
        "tie_word_embeddings": True,
        "max_position_embeddings": 16384,
    },
    "gemma2-2b": {
        "model_type": "gemma2",
        "architectures": ["Gemma2ForCausalLM"],
        "hidden_size": 2304,
        "intermediate_size": 9216,
        "num_hidden_layers": 26,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "vocab_size": 256000,
        "tie_word_embeddings": True,
        "max_position_embeddings": 8192,
    },
    "qwen3-moe-5b": {
        "model_type": "qwen3_moe",
        "architectures": ["Qwen3MoeForCausalLM"],
        "hidden_size": 2048,
        "intermediate_size": 6144,
        "moe_intermediate_size": 768,
        "num_experts": 64,
        "num_experts_per_tok": 8,
        "decoder_sparse_step": 1,
        "num_hidden_layers": 16,
        "num_attention_heads": 32,
        "num_key_value_heads": 4,
        "head_dim": 128,
        "vocab_size": 151936,
        "tie_word_embeddings": False,
        "max_position_embeddings": 16384,
    },
}
#: Those of `NEW_CASES`.
MODELS |= {
    "mistral-7b": {
        "model_type": "mistral",
        "architectures": ["MistralForCausalLM"],
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "vocab_size": 32768,
        "tie_word_embeddings": False,
        "max_position_embeddings": 32768,
    },
    "granite-2b": {
        "model_type": "granite",
        "architectures": ["GraniteForCausalLM"],
        "hidden_size": 2048,
        "intermediate_size": 8192,
        "num_hidden_layers": 40,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "vocab_size": 49152,
        "tie_word_embeddings": True,
        "max_position_embeddings": 32768,
    },
    "phi3-4b": {
        "model_type": "phi3",
        "architectures": ["Phi3ForCausalLM"],
        "hidden_size": 3072,
        "intermediate_size": 8192,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 32,
        "vocab_size": 32064,
        "tie_word_embeddings": False,
        "pad_token_id": 1,
        "max_position_embeddings": 4096,
    },
    "qwen3-0.6b": {
        "model_type": "qwen3",
        "architectures": ["Qwen3ForCausalLM"],
        "hidden_size": 1024,
        "intermediate_size": 3072,
        "num_hidden_layers": 28,
        "num_attention_heads": 16,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "vocab_size": 151936,
        "tie_word_embeddings": True,
        "max_position_embeddings": 40960,
    },
}
_LORA: dict[str, Any] = {
    "use_peft": True,
    "lora_r": 16,
    "lora_target_modules": ["q_proj", "v_proj"],
}
_LINEAR: dict[str, Any] = {
    **_LORA,
    "lora_target_modules": [
        "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj",
    ],
}  # fmt: skip
_QLORA: dict[str, Any] = {**_LINEAR, "load_in_4bit": True}
_KEPT: dict[str, Any] = {"gradient_checkpointing": False}


def _batch(size: int, length: int = 2048) -> dict[str, Any]:
    return {"per_device_train_batch_size": size, "max_length": length}


def _optimizer(name: str) -> dict[str, Any]:
    return {"optim": name}


_FUSED = _optimizer("adamw_torch_fused")
_IN_32_BITS: dict[str, Any] = {"dtype": "float32"}
CASES = (
    Case("adapter", "sft", "llama-8b", {**_LORA, **_FUSED}),
    Case("adapter, one sequence", "sft", "llama-8b", {**_LORA, **_FUSED, **_batch(1)}),
    Case("adapter, all kept", "sft", "llama-8b", {**_LORA, **_FUSED, **_KEPT, **_batch(1)}),
    Case("adapter, long", "sft", "llama-8b", {**_LINEAR, **_FUSED, **_batch(1, 8192)}),
    Case("adapter, packed", "sft", "llama-8b", {**_LINEAR, **_FUSED, "packing": True}),
    Case("4 bits", "sft", "llama-8b", {**_QLORA, **_FUSED}),
    Case("4 bits, all kept", "sft", "llama-8b", {**_QLORA, **_FUSED, **_KEPT, **_batch(1)}),
    Case("8 bits", "sft", "llama-8b", {**_LINEAR, **_FUSED, "load_in_8bit": True}),
    Case("whole, 8-bit states", "sft", "llama-8b", {**_optimizer("adamw_8bit"), **_batch(1)}),
    Case("whole, fused", "sft", "llama-8b", {**_FUSED, **_batch(1)}),
    Case("whole, Adafactor", "sft", "llama-8b", {**_optimizer("adafactor"), **_batch(1)}),
    Case("whole in 32 bits", "sft", "llama-8b", {**_FUSED, **_IN_32_BITS, **_batch(1, 512)}),
    Case("copies while it steps", "sft", "llama-8b", {**_optimizer("adamw_torch"), **_batch(1)}),
    Case("DoRA", "sft", "llama-8b", {**_LORA, **_FUSED, **_batch(1), "use_dora": True}),
    Case("adapter", "sft", "qwen3-4b", {**_LINEAR, **_FUSED}),
    Case("adapter, all kept", "sft", "qwen3-4b", {**_LINEAR, **_FUSED, **_KEPT, **_batch(2)}),
    Case(
        "eager attention, all kept", "sft", "qwen3-4b",
        {**_LORA, **_FUSED, **_KEPT, **_batch(1), "attn_implementation": "eager"},
    ),
    Case("4 bits", "sft", "qwen3-4b", {**_QLORA, **_FUSED}),
    Case("whole, fused", "sft", "qwen3-4b", {**_FUSED, **_batch(2)}),
    Case("Liger", "sft", "qwen3-4b", {**_LINEAR, **_FUSED, "use_liger_kernel": True}),
    Case("whole, fused", "sft", "llama-1b", _FUSED),
    Case("copies while it steps", "sft", "llama-1b", _optimizer("adamw_torch")),
    Case("whole, all kept", "sft", "llama-1b", {**_FUSED, **_KEPT}),
    Case("whole in 32 bits", "sft", "llama-1b", {**_FUSED, **_IN_32_BITS}),
    Case("whole in 32 bits, all kept", "sft", "llama-1b", {**_FUSED, **_IN_32_BITS, **_KEPT}),
    Case("whole, 8-bit states", "sft", "llama-1b", _optimizer("adamw_8bit")),
    Case("whole, paged states", "sft", "llama-1b", _optimizer("paged_adamw_8bit")),
    Case("whole, Adafactor", "sft", "llama-1b", _optimizer("adafactor")),
    Case("whole, long", "sft", "llama-1b", {**_FUSED, **_batch(1, 16384)}),
    Case("DPO, whole", "dpo", "llama-1b", _FUSED),
    Case("DPO, adapter", "dpo", "llama-1b", {**_LORA, **_FUSED}),
    Case("adapter", "sft", "gemma2-2b", {**_LINEAR, **_FUSED}),
    Case("whole, fused", "sft", "gemma2-2b", {**_FUSED, **_batch(2)}),
    Case("adapter", "sft", "qwen3-moe-5b", {**_LORA, **_FUSED}),
    Case("adapter, all kept", "sft", "qwen3-moe-5b", {**_LORA, **_FUSED, **_KEPT, **_batch(1)}),
)  # fmt: skip

_WIDE: dict[str, Any] = {**_LINEAR, "lora_r": 128}
#: Runs that no constant of the estimate was fitted to.
NEW_CASES = (
    Case("adapter", "sft", "mistral-7b", {**_LINEAR, **_FUSED}),
    Case("adapter of rank 128, one sequence", "sft", "mistral-7b", {**_WIDE, **_FUSED, **_batch(1, 4096)}),
    Case("4 bits, eight sequences", "sft", "mistral-7b", {**_QLORA, **_FUSED, **_batch(8, 1024)}),
    Case("4 bits, paged states", "sft", "mistral-7b", {**_QLORA, **_optimizer("paged_adamw_32bit"), **_batch(2)}),
    Case("whole, 8-bit states", "sft", "mistral-7b", {**_optimizer("adamw_8bit"), **_batch(2, 1024)}),
    Case("DPO, adapter", "dpo", "mistral-7b", {**_LORA, **_FUSED, **_batch(1, 1024)}),
    Case("DPO, 4 bits", "dpo", "mistral-7b", {**_QLORA, **_FUSED, **_batch(2, 1024)}),
    Case("adapter, long", "sft", "granite-2b", {**_LINEAR, **_FUSED, **_batch(1, 16384)}),
    Case("adapter, all kept", "sft", "granite-2b", {**_LORA, **_FUSED, **_KEPT, **_batch(2, 1024)}),
    Case("whole, fused", "sft", "granite-2b", {**_FUSED, **_batch(4, 1024)}),
    Case("whole, copies while it steps", "sft", "granite-2b", {**_optimizer("adamw_torch"), **_batch(2)}),
    Case("whole, Adafactor", "sft", "granite-2b", {**_optimizer("adafactor"), **_batch(8, 1024)}),
    Case("whole, Liger", "sft", "granite-2b", {**_FUSED, **_batch(4), "use_liger_kernel": True}),
    Case("DPO, whole", "dpo", "granite-2b", {**_FUSED, **_batch(1, 1024)}),
    Case("adapter of fused layers", "sft", "phi3-4b", {**_LORA, **_FUSED, "lora_target_modules": ["qkv_proj", "o_proj", "gate_up_proj", "down_proj"]}),
    Case("4 bits", "sft", "phi3-4b", {**_LORA, **_FUSED, "lora_target_modules": "all-linear", "load_in_4bit": True}),
    Case("whole, 8-bit states, all kept", "sft", "phi3-4b", {**_optimizer("adamw_8bit"), **_KEPT, **_batch(1, 1024)}),
    Case("whole, fused", "sft", "qwen3-0.6b", {**_FUSED, **_batch(16, 1024)}),
    Case("whole in 32 bits", "sft", "qwen3-0.6b", {**_FUSED, **_IN_32_BITS, **_batch(8, 1024)}),
    Case("whole, all kept", "sft", "qwen3-0.6b", {**_FUSED, **_KEPT, **_batch(8, 1024)}),
    Case("adapter, packed", "sft", "qwen3-0.6b", {**_LINEAR, **_FUSED, **_batch(8), "packing": True}),
    Case("whole, long", "sft", "qwen3-0.6b", {**_FUSED, **_batch(1, 32768)}),
    Case("DPO, whole, all kept", "dpo", "qwen3-0.6b", {**_FUSED, **_KEPT, **_batch(4, 1024)}),
)  # fmt: skip
