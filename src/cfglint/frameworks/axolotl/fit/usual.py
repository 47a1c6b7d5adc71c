"""What is usual of a run of Axolotl, where the bound knows nothing for certain."""

from __future__ import annotations

from cfglint.frameworks.axolotl.fit.sequences import has_all_logits, is_other_length
from cfglint.runs.memory.run import Usual
from cfglint.runs.memory.usual import usual_of
from cfglint.runs.memory.values import Values

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
    checkpoints = values.at("gradient_checkpointing")
    if checkpoints not in (True, False, None) or is_other_length(values):
        return None
    if any(values.at(key) for key in _OTHER):
        return None
    return usual_of(
        values.at("sequence_len"),
        values.size("micro_batch_size"),
        checkpoints=bool(checkpoints),
        logits=has_all_logits(values),
        optimizer=values.at("optimizer"),
    )
