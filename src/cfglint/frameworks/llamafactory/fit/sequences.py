"""What the tokens of LLaMA-Factory's batches leave on the GPU, for certain and as a rule."""

from __future__ import annotations

from cfglint.frameworks.llamafactory.fit.trained import own_optimizer_key
from cfglint.runs.memory.run import MOST_TOKENS, Because, Usual
from cfglint.runs.memory.sequences import NOT_CERTAIN, Sequences, left
from cfglint.runs.memory.usual import usual_of
from cfglint.runs.memory.values import Values

#: `cutoff_len` and `per_device_train_batch_size` when nothing is written.
_LENGTH, _OLDER_LENGTH, _LONGER_SINCE = 2048, 1024, "0.9.1"
BATCH = 8
#: With one of these, the number of tokens that a GPU sees at once is another.
_OTHER_LENGTH = ("tokenized_path", "streaming", "sequence_parallel_size", "cp_size")
#: With one of these, inputs of layers may be elsewhere, or not be kept.
_OTHER_LAYERS = ("use_unsloth", "use_unsloth_gc", "tiled_mlp")
#: With one of these, layers may compute otherwise, or keep less for the backward pass.
_OTHER_INSIDE = ("deepspeed", "fsdp", "fsdp_config", "fp8", "shift_attn", "use_v1_kernels")
#: With one of these, the logits of all tokens need not exist at once, or not in 32 bits.
_WITHOUT_LOGITS = ("enable_liger_kernel", "use_unsloth", "use_liger_kernel")
_OTHER_LOSS = ("torch_compile", "use_dft_loss", "use_asft_loss", "use_eaft_loss")
#: With one of these, the number of tokens or what is kept of them is not estimated.
_NOT_ESTIMATED = (
    "use_unsloth_gc",
    "tiled_mlp",
    "torch_compile",
    "sequence_parallel_size",
    "cp_size",
)


def sequences(values: Values, *, everywhere: bool) -> Sequences:
    """What the tokens leave when the backward pass begins.

    Packed sequences are all as long as `cutoff_len`: texts for pretraining are joined and cut
    (`processor/pretrain.py`), conversations are put together and padded (`processor/supervised.py`).
    One of them is certain: a small dataset may give no more.

    Args:
        everywhere: whether something is trained in every layer.
    """
    length = length_of(values)
    if not _is_packed(values) or type(length) is not int or not 0 < length <= MOST_TOKENS:
        return NOT_CERTAIN
    if _any(values, _OTHER_LENGTH):
        return NOT_CERTAIN
    # The trainer has a switch of its own.
    disabled = values.at("disable_gradient_checkpointing")
    checkpoints = not disabled or bool(values.at("gradient_checkpointing"))
    return left(
        length,
        values,
        Because(f"packed sequences of {length:,} tokens", ("cutoff_len",)),
        checkpoints=checkpoints,
        # A layer in which nothing is trained is not checkpointed (`model_utils/checkpointing.py`).
        layers=everywhere and not _any(values, _OTHER_LAYERS),
        inside=not _any(values, _OTHER_INSIDE),
        logits=not _any(values, (*_WITHOUT_LOGITS, *_OTHER_LOSS)),
    )


def length_of(values: Values) -> object:
    """The longest sequence, as written or by default."""
    length = values.at("cutoff_len")
    if length is None:
        return _LENGTH if values.since(_LONGER_SINCE) else _OLDER_LENGTH
    return length


def usual(values: Values) -> Usual | None:
    """What an estimate goes by; supervised training and pretraining alone were measured."""
    batch = values.at("per_device_train_batch_size")
    if values.at("stage") not in (None, "sft", "pt") or own_optimizer_key(values):
        return None
    if _any(values, _NOT_ESTIMATED):
        return None
    return usual_of(
        length_of(values),
        BATCH if batch is None else batch,
        checkpoints=not values.at("disable_gradient_checkpointing"),
        logits=not _any(values, _WITHOUT_LOGITS),
        optimizer=values.at("optim"),
    )


def _is_packed(values: Values) -> bool:
    """Texts for pretraining are packed unless the file says otherwise."""
    stage, packing = values.at("stage"), values.at("packing")
    if stage == "pt":
        return packing in (None, True)
    return stage in (None, "sft") and (packing is True or values.at("neat_packing") is True)


def _any(values: Values, keys: tuple[str, ...]) -> bool:
    # A parallel size of 1 is not parallel.
    return any(values.at(key) not in (None, False, 1) or values.at(key) is True for key in keys)
