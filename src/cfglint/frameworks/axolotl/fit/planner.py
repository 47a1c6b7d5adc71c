"""What a config of Axolotl could say to need less memory, in the release that reads it."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Any
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.axolotl.fit.precision import FUSED_SINCE
from cfglint.frameworks.axolotl.fit.run import run_of
from cfglint.frameworks.axolotl.fit.sequences import has_all_logits
from cfglint.runs.memory import measures as costs
from cfglint.runs.memory.measures import Choice
from cfglint.runs.memory.planner import Changes, ConfigPlanner
from cfglint.runs.memory.run import MemoryRun
from cfglint.runs.memory.values import Values
from cfglint.source.document import Path

_CUT = "axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin"
#: The section `fsdp_config` without prefixes, and the plugin for logits, are read from here on.
_FSDP2_SINCE, _CUT_SINCE = "0.13.0", "0.6.0"
#: The plugin with Liger's kernels comes with Axolotl from here on.
_LIGER_SINCE = "0.5.0"
_ZERO3 = "deepspeed_configs/zero3_bf16.json"
_LIGER = "axolotl.integrations.liger.LigerPlugin"
_Own = dict[Path, Any]
_ADAPTER: _Own = {
    ("lora_r",): 16,
    ("lora_target_linear",): True,
    ("unfrozen_parameters",): None,
}


class AxolotlPlanner(ConfigPlanner):
    """One config of Axolotl."""

    model_key = ("base_model",)
    length_key = "sequence_len"
    batch_key = "micro_batch_size"

    def __init__(self, values: Values, around: Surroundings, *, has_bf16: bool) -> None:
        super().__init__(values, around)
        #: Cut cross-entropy has kernels for GPUs with bf16 (Ampere and newer) only.
        self._has_bf16 = has_bf16

    def run_of(self, values: Values, gpus: int, *, usual: bool) -> MemoryRun:
        return run_of(values, gpus, self.around, usual=usual)

    def alternatives(self, gpus: int) -> Iterator[tuple[str, Changes]]:
        values = self.values
        adapter = values.at("adapter")
        sharded = values.at("fsdp") or values.at("fsdp_config")
        if not adapter:
            yield from self._optimizers(bool(sharded))
        if not sharded and self.may_divide(gpus, "deepspeed"):
            yield (
                f"ZeRO-3 over {gpus} GPUs (`deepspeed: {_ZERO3}`)",
                {("deepspeed",): _ZERO3},
            )
        if gpus > 1 and not sharded and not values.at("deepspeed") and values.since(_FSDP2_SINCE):
            yield (
                f"FSDP2 over {gpus} GPUs (`fsdp_config`)",
                {
                    ("fsdp_config",): {"auto_wrap_policy": "TRANSFORMER_BASED_WRAP"},
                    ("fsdp_version",): 2,
                },
            )
        if not adapter:
            yield "`adapter: lora`", {("adapter",): "lora", **_ADAPTER}
        if not values.at("load_in_4bit"):
            quantized: _Own = {
                ("adapter",): "qlora",
                ("load_in_4bit",): True,
                ("load_in_8bit",): None,
            }
            yield "`adapter: qlora`", quantized if adapter else {**quantized, **_ADAPTER}
        packs = values.at("load_in_4bit") or values.at("load_in_8bit")
        # It is refused together with `lora_target_linear`.
        if packs and values.since(FUSED_SINCE) and not values.at("lora_target_linear"):
            yield "`quantize_moe_experts: true`", {("quantize_moe_experts",): True}
        yield from self._shorter()

    def _optimizers(self, sharded: bool) -> Iterator[tuple[str, Changes]]:
        own = str(self.values.at("optimizer"))
        for name in ("adamw_8bit",) if sharded else ("adamw_8bit", "paged_adamw_8bit"):
            if own != name:
                yield f"`optimizer: {name}`", {("optimizer",): name}

    def _shorter(self) -> Iterator[tuple[str, Changes]]:
        values = self.values
        if values.size("micro_batch_size") > 1:
            yield "`micro_batch_size: 1`", {("micro_batch_size",): 1}
        if not values.at("gradient_checkpointing"):
            yield "`gradient_checkpointing: true`", {("gradient_checkpointing",): True}
        plugins = values.names("plugins")
        if not plugins and values.since(_CUT_SINCE) and self._has_bf16:
            yield "the plugin for cut cross-entropy", {("plugins",): [_CUT]}

    def measures(self, gpus: int) -> Iterator[Choice]:
        values = self.values
        if not values.at("rl") and has_all_logits(values) and values.since(_LIGER_SINCE):
            title = "Liger's fused loss (`liger_fused_linear_cross_entropy: true` and its plugin)"
            listed = [*values.names("plugins"), _LIGER]
            fused: _Own = {("liger_fused_linear_cross_entropy",): True, ("plugins",): listed}
            yield [costs.fused_loss(title, fused, "liger-kernel, which comes with Axolotl")]
        is_decided = bool(values.at("batch_size"))
        yield self.smaller_batches(values.size(self.batch_key), is_decided=is_decided)
        if not values.at("gradient_checkpointing"):
            yield [costs.checkpoints("gradient_checkpointing")]
        yield list(self._sharded(gpus))
        own = values.at("optimizer")
        if own in costs.ADAMS:
            # FSDP2 divides the states of the second one alone.
            yield [
                costs.eight_bit_states("optimizer", "adamw_8bit"),
                costs.eight_bit_states("optimizer", "adamw_torch_8bit", "torchao"),
            ]
        yield costs.shorter(self.length_key, values.at(self.length_key))
        yield list(self._adapters())

    def _sharded(self, gpus: int) -> Iterator[costs.Measure]:
        values = self.values
        if values.at("fsdp") or values.at("fsdp_config") or not self.may_divide(gpus, "deepspeed"):
            return
        if values.since(_FSDP2_SINCE) and not values.at("deepspeed"):
            section = {
                "auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
                "state_dict_type": "FULL_STATE_DICT",
                "reshard_after_forward": True,
            }
            fsdp: _Own = {("fsdp_version",): 2, ("fsdp_config",): section}
            yield costs.sharded(f"FSDP2 over {gpus} GPUs (`fsdp_config`)", fsdp)
        yield costs.sharded(
            f"ZeRO-3 over {gpus} GPUs (`deepspeed: {_ZERO3}`; `axolotl fetch deepspeed_configs` "
            "makes the file)",
            {("deepspeed",): _ZERO3},
        )

    def _adapters(self) -> Iterator[costs.Measure]:
        adapter = self.values.at("adapter")
        alpha: _Own = {} if adapter else {**_ADAPTER, ("lora_alpha",): 32}
        if not adapter:
            yield costs.adapter("`adapter: lora`", {("adapter",): "lora", **alpha})
        if adapter in (None, "lora") and not self.values.at("load_in_4bit"):
            quantized: _Own = {
                ("adapter",): "qlora",
                ("load_in_4bit",): True,
                ("load_in_8bit",): None,
                **alpha,
            }
            yield costs.four_bits("`adapter: qlora`", quantized, has_adapter=bool(adapter))
