"""What a config of TRL could say to need less memory, in the release that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.trl.fit.run import BATCH, checkpoints, has_all_logits, length_of, run_of
from cfglint.runs.memory import measures as costs
from cfglint.runs.memory.measures import Choice
from cfglint.runs.memory.planner import Changes, ConfigPlanner
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.run import MemoryRun
from cfglint.runs.memory.values import Values

#: `torch_dtype` is called `dtype` from this release on.
_DTYPE_SINCE = "0.24.0"
#: transformers has `use_liger_kernel` in the releases that this one and later ones ask for.
_LIGER_SINCE = "0.16.0"
_ADAPTER: Changes = {
    ("use_peft",): True,
    ("lora_r",): 16,
    ("lora_target_modules",): ["all-linear"],
}


class TrlPlanner(ConfigPlanner):
    """One config of one of TRL's commands, or of a program that trains as they do."""

    model_key = ("model_name_or_path",)
    batch_key = "per_device_train_batch_size"

    def __init__(
        self, command: str, values: Values, around: Surroundings, *, of_program: bool = False
    ) -> None:
        super().__init__(values, around)
        self._command, self._of_program = command, of_program
        self.length_key = "max_length"
        with suppress(NotCertainError):
            if values.at("max_seq_length"):
                self.length_key = "max_seq_length"

    def run_of(self, values: Values, gpus: int, *, usual: bool) -> MemoryRun:
        of_program = self._of_program
        return run_of(self._command, values, gpus, self.around, of_program=of_program, usual=usual)

    def alternatives(self, gpus: int) -> Iterator[tuple[str, Changes]]:
        values = self.values
        dtype = "dtype" if values.since(_DTYPE_SINCE) else "torch_dtype"
        if values.at(dtype) not in ("bfloat16", "float16"):
            yield f"`{dtype}: bfloat16`", {(dtype,): "bfloat16"}
        if not values.at("use_peft"):
            yield "`use_peft: true`", _ADAPTER
            for name in ("adamw_8bit", "paged_adamw_8bit"):
                if values.at("optim") != name:
                    yield f"`optim: {name}`", {("optim",): name}
        if not values.at("load_in_4bit"):
            adapter = {} if values.at("use_peft") else _ADAPTER
            title = "`use_peft: true` and `load_in_4bit: true`"
            changes: Changes = {("load_in_4bit",): True, ("load_in_8bit",): None, **adapter}
            yield "`load_in_4bit: true`" if values.at("use_peft") else title, changes
        if values.at("per_device_train_batch_size") not in (1, None):
            yield "`per_device_train_batch_size: 1`", {(self.batch_key,): 1}
        if not checkpoints(values):
            yield "`gradient_checkpointing: true`", {("gradient_checkpointing",): True}
        if has_all_logits(values) and values.since(_LIGER_SINCE):
            yield "`use_liger_kernel: true`", {("use_liger_kernel",): True}

    def measures(self, gpus: int) -> Iterator[Choice]:
        values = self.values
        if has_all_logits(values) and values.since(_LIGER_SINCE):
            fused: Changes = {("use_liger_kernel",): True}
            yield [costs.fused_loss("`use_liger_kernel: true`", fused, "liger-kernel")]
        batch, is_searched = values.at(self.batch_key), bool(values.at("auto_find_batch_size"))
        yield self.smaller_batches(BATCH if batch is None else batch, is_decided=is_searched)
        if not checkpoints(values):
            yield [costs.checkpoints("gradient_checkpointing")]
        if values.at("optim") in costs.ADAMS:
            yield [costs.eight_bit_states("optim", "adamw_8bit")]
        dtype = "dtype" if values.since(_DTYPE_SINCE) else "torch_dtype"
        if values.at(dtype) not in ("bfloat16", "float16"):
            words = (
                "the weights are in 16 bits; where all of them are trained, small changes are rounded "
                "away"
            )
            changes: Changes = {(dtype,): "bfloat16"}
            yield [costs.Measure(f"`{dtype}: bfloat16`", words, costs.SIXTEEN_BITS, changes)]
        yield costs.shorter(self.length_key, length_of(values))
        yield list(self._adapters())

    def _adapters(self) -> Iterator[costs.Measure]:
        values = self.values
        has_adapter = bool(values.at("use_peft"))
        own: Changes = {} if has_adapter else {**_ADAPTER, ("lora_alpha",): 32}
        if not has_adapter:
            yield costs.adapter("`use_peft: true`", own)
        if not values.at("load_in_4bit"):
            title = (
                "`load_in_4bit: true`" if has_adapter else "`use_peft` with `load_in_4bit: true`"
            )
            changes: Changes = {("load_in_4bit",): True, ("load_in_8bit",): None, **own}
            yield costs.four_bits(title, changes, has_adapter=has_adapter)
