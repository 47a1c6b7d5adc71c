"""What Axolotl's optimizers keep on the GPU for each parameter that they train."""

from __future__ import annotations

from typing import Any

from cfglint.fit.run import Because
from cfglint.frameworks.axolotl.fit.values import Values
from cfglint.record import Record

#: States in the parameter's own precision: two, one.
_TWO = frozenset(
    {
        "adamw_torch", "adamw_torch_fused", "adamw_hf", "adamw_apex_fused",
        "schedule_free_adamw",
    }
)  # fmt: skip
_ONE = frozenset({"muon", "adagrad", "rmsprop", "schedule_free_sgd"})
#: Bytes of states whatever the parameter's precision is. Scales: a float for 256 values, of
#: torchao's 4 bits one for 128.
_FIXED = {
    "adamw_8bit": 2 + 2 * 4 / 256,
    "adamw_bnb_8bit": 2 + 2 * 4 / 256,
    "adamw_torch_8bit": 2 + 2 * 4 / 256,
    "adamw_torch_4bit": 1 + 2 * 4 / 128,
    "ao_adamw_8bit": 2 + 2 * 4 / 256,
    "ao_adamw_4bit": 1 + 2 * 4 / 128,
    "ao_adamw_fp8": 2.0,
    "lion_32bit": 4.0,
    "lion_8bit": 1 + 4 / 256,
}
#: Nothing for certain: states in managed memory, factors, subspaces, none at all.
_NONE = frozenset(
    {
        "paged_adamw_32bit", "paged_adamw_8bit", "paged_lion_32bit", "paged_lion_8bit",
        "adafactor", "sgd", "galore_adamw", "galore_adamw_8bit", "galore_adafactor",
    }
)  # fmt: skip
#: Those of bitsandbytes in 8 bits, whose states of embeddings are in 32 (see `of_embeddings`).
_EMBEDDINGS_32 = {"adamw_8bit": 8.0, "adamw_bnb_8bit": 8.0, "lion_8bit": 4.0}
_EMBEDDINGS_32_SINCE = "0.11.0"
#: With one of these, Axolotl makes the optimizer, not transformers.
OWN_GROUPS = ("loraplus_lr_ratio", "embedding_lr", "embedding_lr_scale", "lr_groups")
#: What is in managed memory lies on the GPU as long as it fits there.
_PAGED = {
    "paged_adamw_32bit": 8.0,
    "paged_adamw_8bit": _FIXED["adamw_8bit"],
    "paged_lion_32bit": 4.0,
    "paged_lion_8bit": _FIXED["lion_8bit"],
    "adafactor": 0.0,
    "sgd": 0.0,
}
#: DeepSpeed's own, whose states are in full precision.
_DEEPSPEED_ADAM = frozenset({"adam", "adamw", "fusedadam"})
_DEFAULT = "adamw_torch_fused"


class Optimizer(Record):
    """What an optimizer needs for each parameter."""

    #: Bytes of states for one byte of the parameter, and bytes beside those.
    states_times: float
    states_plus: float
    #: Whether gradients live until its step.
    keeps_gradients: bool
    #: Whether its step makes one more copy in the parameter's precision for a moment.
    copies: bool
    because: Because

    def states(self, parameter_bytes: float) -> float:
        return self.states_times * parameter_bytes + self.states_plus


def of_embeddings(values: Values) -> float:
    """Bytes that the states of an embedding's parameter have beyond those of the others.

    transformers has the states of every `nn.Embedding` in 32 bits with the 8-bit optimizers of
    bitsandbytes: `Trainer.create_optimizer`, for `AdamW` and `Lion` from 4.52 on (before, it asks
    for a class `Adam8bit`, which it does not use).
    """
    whole = _EMBEDDINGS_32.get(str(values.at("optimizer")))
    own = any(values.at(key) is not None for key in OWN_GROUPS)
    if whole is None or own or not values.since(_EMBEDDINGS_32_SINCE):
        return 0.0
    return whole - _FIXED[str(values.at("optimizer"))]


def optimizer(values: Values, settings: dict[str, Any] | None) -> Optimizer:
    """The optimizer of a config, or the one that DeepSpeed's settings put in its place."""
    section = settings.get("optimizer") if settings is not None else None
    if isinstance(section, dict):
        kind = str(section.get("type", "")).lower()
        known = kind in _DEEPSPEED_ADAM
        text = f"{section.get('type')} of DeepSpeed's settings"
        because = Because(text[:80], ("deepspeed",))
        return Optimizer(0, 8.0 if known else 0.0, known, False, because)
    name = values.at("optimizer")
    name = _DEFAULT if name is None else str(name)
    because = Because(name[:60], ("optimizer",))
    if name in _TWO:
        copies = name == "adamw_torch" and not values.at("optim_args")
        return Optimizer(2, 0.0, True, copies, because)
    if name in _ONE:
        return Optimizer(1, 0.0, True, False, because)
    known = name in _FIXED or name in _NONE
    return Optimizer(0, _FIXED.get(name, 0.0), known, False, because)


def usual_states(values: Values) -> float | None:
    """Bytes of a trained parameter in states that `optimizer` does not count; None if unknown."""
    name = values.at("optimizer")
    name = _DEFAULT if name is None else str(name)
    if name in _TWO or name in _ONE or name in _FIXED:
        return 0.0
    return _PAGED.get(name)
