"""What is known about the memory of a program's run, whose calls are seen as one config of TRL."""

from __future__ import annotations

from typing import Final

from cfglint.base.logic import UNKNOWN
from cfglint.frameworks.trl.fit.planner import TrlPlanner
from cfglint.frameworks.trl.fit.run import run_of
from cfglint.memory.planning import NotCertainError
from cfglint.memory.run import MemoryRun
from cfglint.memory.values import Values

#: Keys without which nothing is certain of a run.
_DECISIVE: Final = (
    *("model_name_or_path", "use_peft", "load_in_4bit", "load_in_8bit", "deepspeed", "optim"),
    *("gradient_checkpointing", "beta", "precompute_ref_log_probs"),
)
#: Those of an adapter.
_OF_ADAPTERS: Final = ("lora_r", "lora_target_modules", "lora_modules_to_save")
#: Those without which nothing can be estimated.
_OF_STEPS: Final = (
    *("per_device_train_batch_size", "max_length", "max_seq_length", "use_liger_kernel"),
    *("loss_type", "label_smoothing_factor", "attn_implementation"),
)


class ProgramPlanner(TrlPlanner):
    """One run of a program."""

    def run_of(self, values: Values, gpus: int, *, usual: bool) -> MemoryRun:
        keys = (*_DECISIVE, *(_OF_ADAPTERS if values.at("use_peft") else ()))
        for key in keys:
            if values.at(key) is UNKNOWN:
                raise NotCertainError(f"`{key}` is not known before the program runs")
        found = run_of(self._command, values, gpus, self.around, usual=usual, in_program=True)
        is_open = any(values.at(key) is UNKNOWN for key in _OF_STEPS)
        return found.replaced(usual=None) if is_open else found
