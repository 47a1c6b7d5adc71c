"""What a config of ms-swift could say to need less memory, in the release that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from cfglint.base.type_names import Final
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.swift.fit.division import division
from cfglint.frameworks.swift.fit.model import MODEL, RENAMED_SINCE, model_key
from cfglint.frameworks.swift.fit.run import processes_of, run_of
from cfglint.frameworks.swift.fit.sequences import (
    accumulation,
    batch_key,
    batch_of,
    checkpoints,
    has_all_logits,
    length_key,
    length_of,
)
from cfglint.frameworks.swift.fit.trained import FULL, LORA, kind_key, kind_of, optimizer_name
from cfglint.frameworks.swift.fit.weights import quantization
from cfglint.runs.memory import measures as costs
from cfglint.runs.memory.measures import Choice
from cfglint.runs.memory.planner import Changes, ConfigPlanner
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.run import MemoryRun
from cfglint.runs.memory.values import Values

_ZERO3, _DEEPSPEED, _OPTIMIZER = "zero3", ("deepspeed",), ("optim",)
#: The argument is transformers', which the releases of ms-swift before also had under a name of their own.
_LIGER_SINCE: Final = "3.3.0"
#: Models that have Liger's kernels, by the release since (`apply_liger`).
_LIGER: Final = {
    **dict.fromkeys(("gemma", "gemma2", "llama", "mistral", "mixtral", "phi3", "qwen2"), "3.3.0"),
    **dict.fromkeys(("gemma3_text", "glm4", "qwen3", "qwen3_moe"), "3.8.0"),
    "qwen3_next": "3.12.0",
}
_STEPS: Final = "gradient_accumulation_steps"


class SwiftPlanner(ConfigPlanner):
    """One config of one of ms-swift's commands."""

    model_key: tuple[str, ...] = MODEL
    batch_key = "per_device_train_batch_size"
    length_key = "max_length"

    def __init__(self, command: str, values: Values, around: Surroundings) -> None:
        super().__init__(values, around)
        self._command = command
        with suppress(NotCertainError):
            self.model_key = model_key(values)
            self.batch_key = batch_key(values)
            self.length_key = length_key(values)

    def run_of(self, values: Values, gpus: int, *, usual: bool) -> MemoryRun:
        return run_of(self._command, values, gpus, self.around, usual=usual)

    def alternatives(self, gpus: int) -> Iterator[tuple[str, Changes]]:
        values = self.values
        kind = kind_key(values)
        method = quantization(values)[0]
        if kind_of(values) == FULL:
            yield f"`{kind}: lora`", {(kind,): LORA}
            for name in ("adamw_8bit", "paged_adamw_8bit"):
                if values.at("optim") != name:
                    yield f"`optim: {name}`", {_OPTIMIZER: name}
        if self._is_full_precision():
            key, name = self._sixteen_bits()
            yield f"`{key}: {name}`", {(key,): name}
        if not method:
            title, changes = self._four_bits()
            if kind_of(values) != LORA:
                title, changes = f"`{kind}: lora` with {title}", {**changes, (kind,): LORA}
            yield title, changes
        if gpus > 1 and not method and self._has_processes(gpus):
            yield f"ZeRO-3 over {gpus} GPUs (`deepspeed: {_ZERO3}`)", {_DEEPSPEED: _ZERO3}
        if batch_of(values) != 1:
            yield f"`{self.batch_key}: 1`", {(self.batch_key,): 1}
        if self._has_liger(gpus):
            yield "`use_liger_kernel: true`", {("use_liger_kernel",): True}
        if not checkpoints(values):
            yield "`gradient_checkpointing: true`", {("gradient_checkpointing",): True}

    def measures(self, gpus: int) -> Iterator[Choice]:
        values = self.values
        if self._has_liger(gpus):
            fused: Changes = {("use_liger_kernel",): True}
            yield [costs.fused_loss("`use_liger_kernel: true`", fused, "liger-kernel")]
        how = division(values, gpus, self.around, usual=True)
        steps = accumulation(values, processes_of(how, gpus))
        steps = 0 if values.at("auto_find_batch_size") else steps
        yield costs.smaller_batches(self.batch_key, batch_of(values), _STEPS, steps)
        if not checkpoints(values):
            yield [costs.checkpoints("gradient_checkpointing")]
        may_divide = not values.at("deepspeed") or self.keeps_whole_weights(gpus)
        is_quantized = bool(quantization(values)[0])
        if gpus > 1 and may_divide and not is_quantized and self._has_processes(gpus):
            title = f"ZeRO-3 over {gpus} GPUs (`deepspeed: {_ZERO3}`)"
            yield [costs.sharded(title, {_DEEPSPEED: _ZERO3})]
        if optimizer_name(values) in costs.ADAMS:
            yield [costs.eight_bit_states("optim", "adamw_8bit")]
        if self._is_full_precision():
            words = (
                "the weights are in 16 bits; where all of them are trained, small changes are rounded "
                "away"
            )
            key, name = self._sixteen_bits()
            changes: Changes = {(key,): name}
            yield [costs.Measure(f"`{key}: {name}`", words, costs.SIXTEEN_BITS, changes)]
        yield costs.shorter(self.length_key, length_of(values))
        yield list(self._adapters())

    def _adapters(self) -> Iterator[costs.Measure]:
        values = self.values
        kind, trains = kind_key(values), kind_of(values)
        if trains == FULL:
            yield costs.adapter(f"`{kind}: lora`", {(kind,): LORA})
        if trains in (FULL, LORA) and not quantization(values)[0]:
            title, changes = self._four_bits()
            if trains == FULL:
                title, changes = f"`{kind}: lora` with {title}", {(kind,): LORA, **changes}
            yield costs.four_bits(title, changes, has_adapter=trains == LORA)

    def _has_processes(self, gpus: int) -> bool:
        """Whether each GPU has a process, without which DeepSpeed refuses the run, and nothing else shards it."""
        how = division(self.values, gpus, self.around, usual=True)
        return how.way in ("ddp", "zero") and how.shards.weights == 1

    def _has_liger(self, gpus: int) -> bool:
        """Whether Liger would spare the logits of all tokens."""
        values, run = self.values, self.run(gpus)
        since = None if run is None else _LIGER.get(run.shape.model_type)
        if since is None or values.at("use_liger_kernel") or not values.since(_LIGER_SINCE):
            return False
        return (
            values.since(since)
            and has_all_logits(values.changed({("use_liger_kernel",): False}))
            and not has_all_logits(values.changed({("use_liger_kernel",): True}))
        )

    def _is_full_precision(self) -> bool:
        written = self.values.at(self._sixteen_bits()[0])
        return written in ("float32", "fp32")

    def _sixteen_bits(self) -> tuple[str, str]:
        """The argument that says in which precision the weights are, and the value for 16 bits."""
        if self.values.since(RENAMED_SINCE):
            return "torch_dtype", "bfloat16"
        return "dtype", "bf16"

    def _four_bits(self) -> tuple[str, Changes]:
        """What has the weights quantized to 4 bits while they are loaded."""
        if self.values.since(RENAMED_SINCE):
            changes: Changes = {("quant_bits",): 4, ("quant_method",): "bnb"}
            return "`quant_method: bnb` and `quant_bits: 4`", changes
        return "`quantization_bit: 4`", {("quantization_bit",): 4}
