"""What verl and its engines ask of a rollout: lengths, GPUs, adapters, turns.

What does not apply to a release, or to a config, is `MISSING`; what the script does not determine is `UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.type_names import Any, Final
from cfglint.frameworks.verl.known_config import KnownConfig, all_of, is_before, product
from cfglint.roles.parts import Asked

_ROLLOUT: Final = "actor_rollout_ref.rollout"
_MODEL: Final = "actor_rollout_ref.model"


def rollout_length(config: KnownConfig, _: Asked) -> Any:
    """The tokens of a prompt and its answer in a vLLM that fills its batches piece by piece; missing otherwise."""
    engine, mode = (config.value(f"{_ROLLOUT}.{name}") for name in ("name", "mode"))
    in_pieces = config.flag(f"{_ROLLOUT}.enable_chunked_prefill")
    if UNKNOWN in (engine, mode, in_pieces):
        return UNKNOWN
    if engine != "vllm" or mode not in ("sync", MISSING) or not in_pieces:  # one mode before 0.4.0
        return MISSING
    longest = config.value(f"{_ROLLOUT}.max_model_len")
    if longest is UNKNOWN or longest:
        return config.number(f"{_ROLLOUT}.max_model_len")
    lengths = [config.number(f"{_ROLLOUT}.{name}_length") for name in ("prompt", "response")]
    return UNKNOWN if UNKNOWN in lengths else sum(lengths)


def rollout_batched_tokens(config: KnownConfig, _: Asked) -> Any:
    """The tokens of one batch of the rollout."""
    return config.number(f"{_ROLLOUT}.max_num_batched_tokens")


def lora_rank_of_vllm(config: KnownConfig, asked: Asked) -> Any:
    """The rank of an adapter that vLLM loads; zero when it loads none."""
    name, rank = config.value(f"{_ROLLOUT}.name"), config.value(f"{_MODEL}.lora.rank")
    merged = config.flag(f"{_MODEL}.lora.merge")
    if is_before(asked, "0.7.1"):
        rank, merged = MISSING, False  # `lora` was not looked at
    if rank is MISSING or rank == 0:
        rank = config.value(f"{_MODEL}.lora_rank")
    if UNKNOWN in (name, rank, merged) or not isinstance(rank, int):
        return UNKNOWN
    return rank if name == "vllm" and not merged else 0


def rollout_experts(config: KnownConfig, asked: Asked) -> Any:
    """The ranks for experts in an engine that wants as many as the ranks for tensors and data; missing otherwise."""
    name, experts = (
        config.value(f"{_ROLLOUT}.name"),
        config.number(f"{_ROLLOUT}.expert_parallel_size"),
    )
    if UNKNOWN in (name, experts):
        return UNKNOWN
    may_differ = name == "trtllm" and not is_before(asked, "0.7.1")
    return MISSING if may_differ or experts <= 1 else experts


def rollout_ranks(config: KnownConfig, _: Asked) -> Any:
    """The ranks for tensors times those for data."""
    return product(
        config.number(f"{_ROLLOUT}.tensor_model_parallel_size"),
        config.number(f"{_ROLLOUT}.data_parallel_size"),
    )


def trtllm_ranks(config: KnownConfig, _: Asked) -> Any:
    """The ranks for experts times those that share one, where TensorRT-LLM is given both."""
    experts = config.number(f"{_ROLLOUT}.expert_parallel_size")
    shared = config.number(f"{_ROLLOUT}.moe_tensor_parallel_size")
    if config.value(f"{_ROLLOUT}.name") != "trtllm" or UNKNOWN in (experts, shared):
        return UNKNOWN
    return MISSING if 1 in (experts, shared) else experts * shared


def rollout_tensor_ranks(config: KnownConfig, _: Asked) -> Any:
    """The ranks of the rollout that share a tensor."""
    return config.number(f"{_ROLLOUT}.tensor_model_parallel_size")


def rollout_name(config: KnownConfig, _: Asked) -> Any:
    """The engine of the rollout; null where none is chosen."""
    return config.value(f"{_ROLLOUT}.name")


def turns_without_tools(config: KnownConfig, _: Asked) -> Any:
    """Whether a rollout of several turns has neither tools nor an interaction."""
    none = [
        value is None or value is MISSING
        for name in ("tool_config_path", "interaction_config_path")
        if (value := config.value(f"{_ROLLOUT}.multi_turn.{name}")) is not UNKNOWN
    ]
    is_on = config.flag(f"{_ROLLOUT}.multi_turn.enable")
    return all_of(is_on, len(none) > 1 and all(none))


def turns_and_estimator(config: KnownConfig, _: Asked) -> Any:
    """The estimator of the advantage in a rollout of several turns; missing without turns."""
    is_on = config.flag(f"{_ROLLOUT}.multi_turn.enable")
    if is_on is not True:
        return MISSING if is_on is False else UNKNOWN
    return config.value("algorithm.adv_estimator")


ROLLOUT: Final[dict[str, Callable[[KnownConfig, Asked], Any]]] = {
    one.__name__: one
    for one in (
        lora_rank_of_vllm,
        rollout_batched_tokens,
        rollout_experts,
        rollout_length,
        rollout_name,
        rollout_ranks,
        rollout_tensor_ranks,
        trtllm_ranks,
        turns_and_estimator,
        turns_without_tools,
    )
}
