"""The settings of DeepSpeed and FSDP that come with ms-swift, by their short names: `swift/config`, before 4.0 `swift/llm/ds_config`."""

from __future__ import annotations

from cfglint.base.type_names import Any, Final
from cfglint.runs.memory.values import Values

FSDP_PRESET: Final = "fsdp2"
#: Until this release, two buffers took turns (`overlap_comm`): which of the releases between 3.1.1 and 3.2.2 ended it is
#: not known, so they count one.
_OVERLAP_UNTIL, _BUCKET = "3.2.0", 2e8
#: Until this release, the files named DeepSpeed's own optimizer, and `zero3_offload` left the states on the GPU.
_OWN_OPTIMIZER_UNTIL: Final = "3.1.0"
#: The name of a file up to 2.6 -> that of later releases.
_OLDER: Final = {
    "default-zero2": "zero2",
    "default-zero3": "zero3",
    "zero2-offload": "zero2_offload",
    "zero3-offload": "zero3_offload",
}
_STAGES: Final = {
    "zero0": 0, "zero1": 1, "zero2": 2, "zero3": 3, "zero2_offload": 2, "zero3_offload": 3,
}  # fmt: skip
_CPU: Final = {"device": "cpu"}


def deepspeed_named(name: str, values: Values) -> dict[str, Any] | None:
    """The settings of a short name; None for any other."""
    name = _OLDER.get(name, name)
    stage = _STAGES.get(name)
    if stage is None:
        return None
    has_own = not values.since(_OWN_OPTIMIZER_UNTIL)
    zero: dict[str, Any] = {
        "stage": stage,
        "overlap_comm": not values.since(_OVERLAP_UNTIL),
        "contiguous_gradients": True,
        "reduce_bucket_size": "auto" if stage == 3 else _BUCKET,
    }
    if stage == 3:
        zero["sub_group_size"] = 1e9
    if name.endswith("offload"):
        if stage == 3:
            zero["offload_param"] = _CPU
        if stage == 2 or not has_own:
            zero["offload_optimizer"] = _CPU
    own = {"optimizer": {"type": "AdamW"}} if has_own else {}
    return {"zero_optimization": zero, **own}


def fsdp_named(name: str) -> dict[str, Any] | None:
    """The settings of FSDP's preset; None for any other name."""
    if name != FSDP_PRESET:
        return None
    return {
        "fsdp": "full_shard auto_wrap",
        "fsdp_config": {
            "reshard_after_forward": True,
            "auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
            "activation_checkpointing": True,
        },
    }
