"""What an estimate of ms-swift's runs goes by. Of the tokens nothing is certain: rows are not padded to their full length."""

from __future__ import annotations

from math import ceil

from cfglint.base.type_names import Final
from cfglint.frameworks.swift.fit.model import RENAMED_SINCE
from cfglint.frameworks.swift.fit.shipped import FSDP_PRESET
from cfglint.frameworks.swift.fit.trained import (
    FULL,
    LORA,
    kind_of,
    optimizer_name,
    own_optimizer_key,
)
from cfglint.frameworks.swift.fit.weights import quantization
from cfglint.runs.memory.run import Usual
from cfglint.runs.memory.usual import usual_of
from cfglint.runs.memory.values import Values

#: `max_length` when nothing is written: later it is what the model can have at all.
_OLDER_LENGTH: Final = 2048
BATCH: Final = 1
#: The release since which steps are accumulated to so many rows where nothing is written, as they were up to 2.6.
_ROWS, _ROWS_SINCE = 16, "3.2.2"
#: With one of these, what is kept of the tokens is not estimated.
_NOT_ESTIMATED = ("torch_compile", "use_swift_lora")
_OFFLOADING: Final = "activation_cpu_offload"
#: With one of these, the logits of all tokens do not exist at once; a loss of ms-swift's own needs them even so.
_WITHOUT_LOGITS = ("use_liger_kernel", "use_liger")
#: Weights of tokens in the loss by which these are taken or left, so that the model itself computes it.
_PLAIN_SCALES = (None, "default", "all", "last_round")
_OWN_LOSS = ("enable_dft_loss", "enable_channel_loss", "loss_type", "label_smoothing_factor")


def usual(command: str, values: Values) -> Usual | None:
    """What an estimate goes by; None where a run is unlike those that were measured."""
    if command == "rlhf" or values.at("task_type") not in (None, "causal_lm"):
        return None
    if kind_of(values) not in (FULL, LORA) or own_optimizer_key(values):
        return None
    method, bits, _ = quantization(values)
    if method and (method, bits) != ("bnb", 4):
        return None
    if any(values.at(key) for key in _NOT_ESTIMATED) or _OFFLOADING in values.names("callbacks"):
        return None
    if values.size("sequence_parallel_size") > 1 or values.size("deepspeed_autotp_size") > 1:
        return None
    # Eager attention has a matrix of all pairs of tokens for each head.
    if values.at("attn_impl") == "eager":
        return None
    return usual_of(
        length_of(values),
        batch_of(values),
        checkpoints=checkpoints(values),
        logits=has_all_logits(values),
        optimizer=optimizer_name(values),
    )


def length_key(values: Values) -> str:
    """The key of the number of tokens that a row has at the most."""
    packed = values.at("packing") and values.at("packing_length") is not None
    return "packing_length" if packed else "max_length"


def length_of(values: Values) -> object:
    """The tokens that a row has at the most, as written or by default; None where the model decides."""
    length = values.at(length_key(values))
    return _OLDER_LENGTH if length is None and not values.since(RENAMED_SINCE) else length


def batch_key(values: Values) -> str:
    """The key of the rows that a GPU has at once."""
    older = not values.since(RENAMED_SINCE) and values.at("per_device_train_batch_size") is None
    return "batch_size" if older else "per_device_train_batch_size"


def batch_of(values: Values) -> object:
    """The rows that a GPU has at once, as written or by default."""
    written = values.at(batch_key(values))
    return BATCH if written is None else written


def accumulation(values: Values, processes: int) -> object:
    """The steps of accumulation, as written or by default.

    Args:
        processes: on all machines together.
    """
    written = values.at("gradient_accumulation_steps")
    if written is not None:
        return written
    if values.since(RENAMED_SINCE) and not values.since(_ROWS_SINCE):
        return 1
    batch = batch_of(values)
    if type(batch) is not int or batch < 1:
        return 1
    return max(1, ceil(_ROWS / (batch * max(processes, 1))))


def checkpoints(values: Values) -> bool:
    """Whether layers keep their inputs alone, as they do where nothing is written, and with the preset of FSDP."""
    return values.at("gradient_checkpointing") is not False or values.at("fsdp") == FSDP_PRESET


def has_all_logits(values: Values) -> bool:
    """Whether the logits of all tokens exist at once while the loss is computed."""
    if values.at("tuner_backend") == "unsloth":
        return False
    fused = any(values.at(key) for key in _WITHOUT_LOGITS)
    own = any(values.at(key) for key in _OWN_LOSS)
    return not fused or own or values.at("loss_scale") not in _PLAIN_SCALES
