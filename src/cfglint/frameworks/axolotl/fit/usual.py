"""What is usual of a run of Axolotl, where the bound knows nothing for certain."""

from __future__ import annotations

from cfglint.fit.run import Usual
from cfglint.fit.values import Values
from cfglint.frameworks.axolotl.fit.optimizers import states_beside
from cfglint.frameworks.axolotl.fit.sequences import MOST_TOKENS, has_all_logits, is_other_length

#: With one of these, memory is saved or spent in ways that are not estimated.
_OTHER = (
    "activation_offloading",
    "layer_offloading",
    "tiled_mlp",
    "torch_compile",
    "lisa_n_layers",
)


def usual(values: Values) -> Usual | None:
    """What an estimate goes by; None where a setting makes the run unlike those measured."""
    length, batch = values.at("sequence_len"), values.size("micro_batch_size")
    if type(length) is not int or not 0 < length * batch <= MOST_TOKENS:
        return None
    checkpoints = values.at("gradient_checkpointing")
    states = states_beside(values)
    if checkpoints not in (True, False, None) or states is None or is_other_length(values):
        return None
    if any(values.at(key) for key in _OTHER):
        return None
    return Usual(length * batch, bool(checkpoints), has_all_logits(values), states)
