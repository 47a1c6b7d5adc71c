"""What the tokens of one forward pass leave on the GPU, where their number is certain."""

from __future__ import annotations

from cfglint.runs.memory.run import MOST_TOKENS, Because
from cfglint.runs.memory.sequences import NOT_CERTAIN, Sequences, left
from cfglint.runs.memory.values import Values

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
_OTHER_LAYERS = ("activation_offloading", "layer_offloading", "tiled_mlp")
#: With one of these, layers may compute otherwise. Axolotl's kernels for adapters keep the same
#: tensors (`kernels/lora.py`), and so do those of Liger for gated blocks.
_OTHER_INSIDE = (
    "use_kernels", "flash_attn_fuse_mlp", "flash_attn_fuse_qkv", "unsloth_lora_mlp",
    "unsloth_lora_qkv", "unsloth_lora_o", "unsloth_rms_norm", "unsloth_rope", "sage_attention",
    "fp8",
)  # fmt: skip
_USUAL_INSIDE = frozenset({"CutCrossEntropyPlugin", "LigerPlugin"})


def sequences(values: Values) -> Sequences:
    """What the tokens leave when the backward pass begins."""
    length, batch = values.at("sequence_len"), values.size("micro_batch_size")
    if type(length) is not int or length < 1 or is_other_length(values):
        return NOT_CERTAIN
    padded = values.at("pad_to_sequence_len")
    if values.at("sample_packing"):
        if padded is None:
            padded = values.since(_PADS_PACKED_SINCE)
        # All packed rows of a batch make one, padded to a multiple of the length. Fewer are full
        # where the dataset is small, or its texts so short that `sample_packing_bin_size` of them
        # (200) fill less.
        batch = 1
    tokens = length * batch
    if padded is not True or tokens > MOST_TOKENS:
        return NOT_CERTAIN
    checkpoints = values.at("gradient_checkpointing")
    keeps = checkpoints in (True, False, None) and not _set(values, _OTHER_LAYERS)
    inside = not _set(values, _OTHER_INSIDE) and not _checkpoints_itself(values)
    times = f"{batch} x " if batch > 1 else ""
    because = Because(f"{times}{length:,} tokens at once", ("sequence_len",))
    return left(
        tokens,
        values,
        because,
        checkpoints=bool(checkpoints),
        layers=keeps,
        inside=inside and values.plugins() <= _USUAL_INSIDE,
        logits=has_all_logits(values),
    )


def is_other_length(values: Values) -> bool:
    """Whether the length and the batch size do not tell how many tokens a GPU sees at once."""
    return any(map(_is_other, _set(values, _OTHER_LENGTH)))


def has_all_logits(values: Values) -> bool:
    """Whether the logits of all tokens certainly exist at once, in 32 bits."""
    return not _set(values, _OTHER_LOSS)


def _checkpoints_itself(values: Values) -> bool:
    """Whether FSDP or DeepSpeed may checkpoint, whatever `gradient_checkpointing` is."""
    config = values.at("fsdp_config")
    names = config if isinstance(config, dict) else {}
    settings = values.at("deepspeed")
    return bool(settings) or any("activation_checkpointing" in str(name) for name in names)


def _set(values: Values, keys: tuple[str, ...]) -> list[object]:
    return [value for key in keys if (value := values.at(key))]


def _is_other(value: object) -> bool:
    # A parallel size of 1 is not parallel.
    return value != 1 or value is True
