"""What optimizers keep on the GPU for each parameter that they train, by transformers' names."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.runs.memory.run import Because

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
#: States in managed memory are on the GPU as long as they fit there.
_PAGED = {
    "paged_adamw_32bit": 8.0,
    "paged_adamw_8bit": _FIXED["adamw_8bit"],
    "paged_lion_32bit": 4.0,
    "paged_lion_8bit": _FIXED["lion_8bit"],
    "adafactor": 0.0,
    "sgd": 0.0,
}
#: transformers' Adafactor steps one matrix after the other, each with four copies in 32 bits.
_ADAFACTOR_STEP = 16.0
#: The default of trainers: torch's Adam in one kernel.
_DEFAULT = "adamw_torch_fused"


class Optimizer(Record):
    """What an optimizer needs for each parameter."""

    #: Bytes of states per byte of the parameter, and further bytes per parameter.
    states_times: float
    states_plus: float
    #: Whether gradients live until its step.
    keeps_gradients: bool
    #: Whether its step makes one more copy in the parameter's precision for a moment.
    copies: bool
    because: Because

    def states(self, parameter_bytes: float) -> float:
        return self.states_times * parameter_bytes + self.states_plus


def of_trainer(written: object, path: tuple[str, ...], *, copies: bool) -> Optimizer:
    """The optimizer that a config names; nothing is certain of one that is not known.

    Args:
        path: the key that names it.
        copies: whether torch's Adam steps all parameters at once, and copies them for it.
    """
    name = _name(written)
    because = Because(name[:60], path)
    if name in _TWO:
        return Optimizer(2, 0.0, True, copies and name == "adamw_torch", because)
    if name in _ONE:
        return Optimizer(1, 0.0, True, False, because)
    known = name in _FIXED or name in _NONE
    return Optimizer(0, _FIXED.get(name, 0.0), known, False, because)


def usual_states(written: object) -> float | None:
    """Bytes of a trained parameter in states that `of_trainer` leaves out; None if unknown."""
    name = _name(written)
    if name in _TWO or name in _ONE or name in _FIXED:
        return 0.0
    return _PAGED.get(name)


def matrix_step(written: object) -> float:
    """Bytes of a parameter in what the optimizer computes while it steps a matrix on its own."""
    return _ADAFACTOR_STEP if _name(written) == "adafactor" else 0.0


def in_eight_bits(name: str) -> float:
    """Bytes of a trained parameter in the states of an optimizer that has them in 8 bits or less."""
    return _FIXED[name]


def _name(written: object) -> str:
    return _DEFAULT if written is None else str(written)
