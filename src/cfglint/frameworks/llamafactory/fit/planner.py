"""What a config of LLaMA-Factory could say to need less memory, in the release that reads it."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.frameworks.llamafactory.fit.run import run_of
from cfglint.frameworks.llamafactory.fit.sequences import BATCH, length_of
from cfglint.runs.memory import measures as costs
from cfglint.runs.memory.measures import Choice
from cfglint.runs.memory.planner import Changes, ConfigPlanner
from cfglint.runs.memory.run import MemoryRun
from cfglint.runs.memory.values import Values

_ZERO3 = "examples/deepspeed/ds_z3_config.json"
_TYPE, _BITS, _OPTIMIZER = ("finetuning_type",), ("quantization_bit",), ("optim",)
#: Models that have Liger's kernels, by the release since (`model_utils/liger_kernel.py`).
_LIGER = {
    **dict.fromkeys(("gemma", "gemma2", "llama", "mistral", "mixtral", "phi3", "qwen2"), "0.9.0"),
    **dict.fromkeys(("gemma3_text", "glm4", "granite", "olmo2", "qwen3", "qwen3_moe"), "0.9.3"),
    **dict.fromkeys(("glm", "qwen3_next"), "0.9.5"),
}
_CHECKPOINTS = ("disable_gradient_checkpointing",)


class LLaMAFactoryPlanner(ConfigPlanner):
    """One config of LLaMA-Factory."""

    model_key = ("model_name_or_path",)
    length_key = "cutoff_len"
    batch_key = "per_device_train_batch_size"

    def run_of(self, values: Values, gpus: int, *, usual: bool) -> MemoryRun:
        return run_of(values, gpus, self.around, usual=usual)

    def alternatives(self, gpus: int) -> Iterator[tuple[str, Changes]]:
        values = self.values
        if values.at("finetuning_type") == "full":
            yield "`finetuning_type: lora`", {_TYPE: "lora"}
            if not values.at("pure_bf16"):
                yield "`pure_bf16: true`", {("pure_bf16",): True}
            for name in ("adamw_8bit", "paged_adamw_8bit"):
                if values.at("optim") != name:
                    yield f"`optim: {name}`", {_OPTIMIZER: name}
        if not values.at("quantization_bit"):
            yield (
                "`finetuning_type: lora` with `quantization_bit: 4`",
                {_BITS: 4, _TYPE: "lora", ("use_badam",): None},
            )
        if self._may_divide(gpus):
            yield (
                f"ZeRO-3 over {gpus} GPUs (`deepspeed: {_ZERO3}`)",
                {("deepspeed",): _ZERO3},
            )
        if values.at("per_device_train_batch_size") not in (1, None):
            yield "`per_device_train_batch_size: 1`", {(self.batch_key,): 1}
        if self._has_liger(gpus):
            yield "`enable_liger_kernel: true`", {("enable_liger_kernel",): True}
        if values.at("disable_gradient_checkpointing"):
            yield "`disable_gradient_checkpointing: false`", {_CHECKPOINTS: False}

    def _may_divide(self, gpus: int) -> bool:
        values = self.values
        return not (values.at("fsdp") or values.at("fsdp_config")) and self.may_divide(
            gpus, "deepspeed"
        )

    def _has_liger(self, gpus: int) -> bool:
        """Whether Liger would spare the logits of all tokens."""
        run = self.run(gpus)
        since = None if run is None or not run.logit_bytes else _LIGER.get(run.shape.model_type)
        return since is not None and self.values.since(since)

    def measures(self, gpus: int) -> Iterator[Choice]:
        values = self.values
        run = self.run(gpus)
        since = None if run is None else _LIGER.get(run.shape.model_type)
        if since is not None and values.since(since) and not values.at("enable_liger_kernel"):
            title = "`enable_liger_kernel: true`"
            fused: Changes = {("enable_liger_kernel",): True}
            yield [costs.fused_loss(title, fused, "liger-kernel")]
        batch, is_searched = values.at(self.batch_key), bool(values.at("auto_find_batch_size"))
        yield self.smaller_batches(BATCH if batch is None else batch, is_decided=is_searched)
        if values.at("disable_gradient_checkpointing"):
            yield [costs.checkpoints("disable_gradient_checkpointing", on=False)]
        if self._may_divide(gpus):
            title = f"ZeRO-3 over {gpus} GPUs (`deepspeed: {_ZERO3}`, a file of LLaMA-Factory's sources)"
            yield [costs.sharded(title, {("deepspeed",): _ZERO3})]
        if values.at("optim") in costs.ADAMS:
            yield [costs.eight_bit_states("optim", "adamw_8bit")]
        if values.at("finetuning_type") == "full" and not values.at("pure_bf16"):
            words = (
                "parameters and states are in 16 bits, in which small changes are rounded away: the "
                "loss may stay higher"
            )
            changes: Changes = {("pure_bf16",): True, ("bf16",): None, ("fp16",): None}
            yield [costs.Measure("`pure_bf16: true`", words, costs.SIXTEEN_BITS, changes)]
        yield costs.shorter(self.length_key, length_of(values))
        yield list(self._adapters())

    def _adapters(self) -> Iterator[costs.Measure]:
        values = self.values
        is_full = values.at("finetuning_type") == "full"
        if is_full:
            title = "`finetuning_type: lora`"
            yield costs.adapter(title, {_TYPE: "lora", ("pure_bf16",): None})
        if (is_full or values.at("finetuning_type") in (None, "lora")) and not values.at(_BITS[0]):
            title = "`finetuning_type: lora` with `quantization_bit: 4`"
            own: Changes = {_TYPE: "lora", ("pure_bf16",): None} if is_full else {}
            changes: Changes = {_BITS: 4, **own}
            title = title if is_full else "`quantization_bit: 4`"
            yield costs.four_bits(title, changes, has_adapter=not is_full)
