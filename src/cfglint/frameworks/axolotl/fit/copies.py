"""How many copies of the base model's weights a run has, besides those that it trains."""

from __future__ import annotations

from cfglint.runs.memory.values import Values

#: Kinds of preference training with a reference model that is loaded like the model.
_WITH_REFERENCE = ("dpo", "ipo", "kto")


def references(values: Values, *, quantized: bool) -> int:
    """Reference models: one without an adapter, whose base model serves as one otherwise.

    TRL's GRPO has one where `beta` is not 0 (`GRPOTrainer.__init__`); its default changed, so only
    a written one counts.
    """
    if values.at("adapter") or values.at("precompute_ref_log_probs") or quantized:
        return 0
    if values.at("rl") == "grpo":
        beta = values.at("trl", "beta")
        beta = values.at("rl_beta") if beta is None else beta
        return int(isinstance(beta, (int, float)) and beta > 0)
    return int(values.at("rl") in _WITH_REFERENCE)


def generators(values: Values, *, quantized: bool) -> float:
    """The share of the weights that vLLM has in the training process itself.

    With `vllm_mode: colocate` TRL loads the base model once more (`LLM(model=...)`), in the 16 bits
    of its checkpoint, on each GPU or divided by `tensor_parallel_size`. Sleep mode takes it away
    while the model is trained, and TRL may quantize it where the model is.
    """
    asked = values.at("rl") == "grpo" and values.at("trl", "use_vllm") is True
    if not asked or values.at("trl", "vllm_mode") != "colocate" or quantized:
        return 0.0
    divided = values.at("vllm", "tensor_parallel_size")
    divided = 1 if divided is None else divided
    if values.at("trl", "vllm_enable_sleep_mode") or type(divided) is not int or divided < 1:
        return 0.0
    return 1 / divided
