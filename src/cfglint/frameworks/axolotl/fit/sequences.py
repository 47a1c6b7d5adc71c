"""What the tokens of one forward pass leave on the GPU, where their number is certain."""

from __future__ import annotations

from cfglint.fit.run import Because
from cfglint.frameworks.axolotl.fit.values import Values
from cfglint.record import Record

#: Packed batches are padded to their full length by themselves from this release on.
_PADS_PACKED_SINCE = "0.12.2"
#: With one of these, the number of tokens that a GPU sees at once is another.
_OTHER_LENGTH = (
    "rl", "reward_model", "process_reward_model", "pretraining_dataset", "streaming",
    "sequence_parallel_degree", "context_parallel_size", "context_parallel",
    "tensor_parallel_size", "batch_flattening", "auto_find_batch_size",
    "processor_type", "is_multimodal",
)  # fmt: skip
#: With one of these, logits of all tokens need not exist at once, or not in full precision.
_OTHER_LOSS = (
    "cut_cross_entropy", "liger_cross_entropy", "liger_fused_linear_cross_entropy",
    "chunked_cross_entropy", "flash_attn_cross_entropy", "unsloth_cross_entropy_loss",
    "torch_compile", "plugins", "flash_attn_fuse_mlp", "use_kernels", "use_dft",
)  # fmt: skip
#: With one of these, inputs of layers may be elsewhere, or not be kept.
_OTHER_LAYERS = ("activation_offloading", "layer_offloading", "torch_compile", "tiled_mlp")
#: Nobody trains on longer sequences.
_MOST_TOKENS = 1 << 34


class Sequences(Record):
    """The tokens of a forward pass, and what is certainly kept of them."""

    tokens: int
    keeps_layers: bool
    #: Bytes of a token's logits for each entry of the vocabulary.
    logit_bytes: float
    because: Because


def sequences(values: Values, *, sixteen: bool) -> Sequences:
    """What the tokens leave: at the end of the forward pass the logits are there three times.

    The model's own, in its precision; in 32 bits, as the loss wants them; and their logarithms.
    """
    nothing = Sequences(0, False, 0.0, Because(""))
    length, batch = values.at("sequence_len"), values.size("micro_batch_size")
    if type(length) is not int or length < 1 or any(map(_is_other, _set(values, _OTHER_LENGTH))):
        return nothing
    padded = values.at("pad_to_sequence_len")
    if values.at("sample_packing"):
        if padded is None:
            padded = values.since(_PADS_PACKED_SINCE)
        # All packed rows of a batch make one, padded to a multiple of the length: a small dataset
        # may not fill more than one.
        batch = 1
    tokens = length * batch
    if padded is not True or tokens > _MOST_TOKENS:
        return nothing
    checkpoints = values.at("gradient_checkpointing")
    keeps = checkpoints in (True, False, None) and not _set(values, _OTHER_LAYERS)
    logits = 0.0 if _set(values, _OTHER_LOSS) else 10.0 if sixteen else 8.0
    times = f"{batch} x " if batch > 1 else ""
    because = Because(f"{times}{length:,} tokens at once", ("sequence_len",))
    return Sequences(tokens, keeps, logits, because)


def _set(values: Values, keys: tuple[str, ...]) -> list[object]:
    return [value for key in keys if (value := values.at(key))]


def _is_other(value: object) -> bool:
    # A parallel size of 1 is not parallel.
    return value != 1 or value is True
