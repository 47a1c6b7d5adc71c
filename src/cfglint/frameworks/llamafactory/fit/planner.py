"""What a config of LLaMA-Factory could say to need less memory, in the release that reads it."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.fit.planner import Changes, ConfigPlanner
from cfglint.fit.run import MemoryRun
from cfglint.fit.values import Values
from cfglint.frameworks.llamafactory.fit.run import run_of

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
        if gpus > 1:
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

    def _has_liger(self, gpus: int) -> bool:
        """Whether Liger would spare the logits of all tokens."""
        run = self.run(gpus)
        since = None if run is None or not run.logit_bytes else _LIGER.get(run.shape.model_type)
        return since is not None and self.values.since(since)
