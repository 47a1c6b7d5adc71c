"""Keys that Axolotl does not read, with values that ask for what it does anyway."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.roles.parts import FileContext

#: The type that weights in 4 bits are computed in, as the precision of the run gives it.
_COMPUTED_IN: Final = {
    "bfloat16": ("bf16", ("auto", True, "true", "full")),
    "float16": ("fp16", (True, "true")),
}
#: What Axolotl gives to bitsandbytes for `load_in_4bit`.
_FOUR_BITS: Final[dict[str, Any]] = {
    "load_in_4bit": True,
    "bnb_4bit_quant_type": "nf4",
    "bnb_4bit_use_double_quant": True,
    "llm_int8_threshold": 6.0,
    "llm_int8_has_fp16_weight": False,
}
#: What `axolotl vllm-serve` does by default, and the release from which vLLM itself decides.
_SERVED: Final[dict[str, Any]] = {"gpu_memory_utilization": 0.9}
_SERVED_UNTIL: Final = "0.21.0"
_PUSHES: Final = ("push_to_hub", "push_adapter_to_hub")
_COMPUTE: Final = "bnb_4bit_compute_dtype"


def is_done_anyway(key: WrittenKey, ctx: FileContext) -> bool:
    """Whether a run does without a key what it asks for."""
    value = to_python(key.entry.value)
    if key.full_name == "do_eval":
        return value is True and any(map(bool, map(_of(ctx), ("val_set_size", "test_datasets"))))
    if key.full_name in _PUSHES:
        return value is True and bool(_of(ctx)("hub_model_id"))
    if key.full_name == _COMPUTE:
        return _is_computed_in(value, ctx)
    if key.full_name == "quantization_config":
        return (
            isinstance(value, dict) and _of(ctx)("load_in_4bit") is True and _are_usual(value, ctx)
        )
    if key.full_name == "trl.vllm":
        by_itself = isinstance(value, dict) and not ctx.release_keys.released(_SERVED_UNTIL)
        return by_itself and all(
            _SERVED.get(str(name).removeprefix("vllm_")) == one for name, one in value.items()
        )
    if key.full_name == "datasets[].shuffle":
        return value is True and _of(ctx)("shuffle_merged_datasets") is not False
    return False


def ends_no_turn(ctx: FileContext) -> bool:
    """Whether no dataset is of the type whose turns `eot_tokens` end."""
    datasets = _of(ctx)("datasets")
    if not isinstance(datasets, list) or not datasets or _of(ctx)("rl"):
        return False
    kinds = [one.get("type") if isinstance(one, dict) else None for one in datasets]
    # A mapping describes a prompt of one's own.
    return all(isinstance(one, (dict, str)) and one != "chat_template" for one in kinds)


def _of(ctx: FileContext) -> Any:
    return lambda name: to_python(node) if (node := ctx.document.node((name,))) else None


def _are_usual(written: dict[Any, Any], ctx: FileContext) -> bool:
    return all(
        _is_computed_in(value, ctx) if name == _COMPUTE else _FOUR_BITS.get(name, "") == value
        for name, value in written.items()
    )


def _is_computed_in(value: Any, ctx: FileContext) -> bool:
    """Whether the precision of a run is the written type."""
    if not isinstance(value, str):
        return False
    name, values = _COMPUTED_IN.get(value.removeprefix("torch."), ("", ()))
    return bool(name) and _of(ctx)(name) in values
