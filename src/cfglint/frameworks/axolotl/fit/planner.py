"""What a config of Axolotl could say to need less memory, in the release that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings
from cfglint.fit.planning import Change, Planner
from cfglint.fit.run import Run
from cfglint.fit.values import Values
from cfglint.framework import Framework
from cfglint.frameworks.axolotl.fit.run import Question, run_of
from cfglint.source.document import Document, Path

_CUT = "axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin"
#: The section `fsdp_config` without prefixes, and the plugin for logits, are read from here on.
_FSDP2_SINCE, _CUT_SINCE = "0.13.0", "0.6.0"
_ZERO3 = "deepspeed_configs/zero3_bf16.json"
#: How many GPUs are asked about, at most.
_MOST_GPUS = 64
_Changes = dict[Path, Any]
_ADAPTER: _Changes = {
    ("lora_r",): 16,
    ("lora_target_linear",): True,
    ("unfrozen_parameters",): None,
}


class AxolotlPlanner(Planner):
    """One config with its release and what lies around it."""

    model_key = ("base_model",)

    def __init__(
        self, document: Document, framework: Framework, target: Environment, around: Surroundings
    ) -> None:
        self._values = Values(document, framework, target.release)
        self._around = around

    def run(self, gpus: int) -> Run | None:
        return run_of(self._question(gpus))

    def sized(
        self, gpus: int, *, length: int | None = None, batch: int | None = None
    ) -> Run | None:
        changes: _Changes = {}
        if length is not None:
            changes["sequence_len",] = length
        if batch is not None:
            changes["micro_batch_size",] = batch
        return run_of(self._question(gpus).changed(changes))

    def changes(self, gpus: int) -> Iterator[Change]:
        question = self._question(gpus)
        for title, path, changes in self._alternatives(gpus):
            run = run_of(question.changed(changes))
            if run is not None:
                yield Change(title, path, gpus, run)
        number = 2 * gpus
        while number <= _MOST_GPUS:
            run = run_of(self._question(number))
            if run is not None:
                yield Change(f"{number} GPUs", (), number, run)
            number *= 2

    def _question(self, gpus: int) -> Question:
        return Question(self._values, gpus, self._around)

    def _alternatives(self, gpus: int) -> Iterator[tuple[str, tuple[str, ...], _Changes]]:
        values = self._values
        adapter = values.at("adapter")
        sharded = values.at("fsdp") or values.at("fsdp_config")
        if not adapter:
            yield from self._optimizers(bool(sharded))
        if gpus > 1 and not sharded:
            yield (
                f"ZeRO-3 over {gpus} GPUs (`deepspeed: {_ZERO3}`)",
                ("deepspeed",),
                {("deepspeed",): _ZERO3},
            )
        if gpus > 1 and not sharded and not values.at("deepspeed") and values.since(_FSDP2_SINCE):
            yield (
                f"FSDP2 over {gpus} GPUs (`fsdp_config`)",
                ("fsdp_config",),
                {
                    ("fsdp_version",): 2,
                    ("fsdp_config",): {"auto_wrap_policy": "TRANSFORMER_BASED_WRAP"},
                },
            )
        if not adapter:
            yield "`adapter: lora`", ("adapter",), {("adapter",): "lora", **_ADAPTER}
        if not values.at("load_in_4bit"):
            changes = {} if adapter else dict(_ADAPTER)
            quantized: _Changes = {
                ("adapter",): "qlora",
                ("load_in_4bit",): True,
                ("load_in_8bit",): None,
            }
            yield "`adapter: qlora`", ("adapter",), {**changes, **quantized}
        yield from self._shorter()

    def _optimizers(self, sharded: bool) -> Iterator[tuple[str, tuple[str, ...], _Changes]]:
        own = str(self._values.at("optimizer"))
        for name in ("adamw_8bit",) if sharded else ("adamw_8bit", "paged_adamw_8bit"):
            if own != name:
                yield f"`optimizer: {name}`", ("optimizer",), {("optimizer",): name}

    def _shorter(self) -> Iterator[tuple[str, tuple[str, ...], _Changes]]:
        values = self._values
        if values.size("micro_batch_size") > 1:
            changes: _Changes = {("micro_batch_size",): 1}
            yield "`micro_batch_size: 1`", ("micro_batch_size",), changes
        if not values.at("gradient_checkpointing"):
            key = ("gradient_checkpointing",)
            yield "`gradient_checkpointing: true`", key, {key: True}
        plugins = values.names("plugins")
        if not plugins and values.since(_CUT_SINCE):
            yield "the plugin for cut cross-entropy", ("plugins",), {("plugins",): [_CUT]}
