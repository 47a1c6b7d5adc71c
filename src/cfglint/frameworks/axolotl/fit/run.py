"""Puts together what is certain of a run of Axolotl."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cfglint.environment.surroundings import Surroundings
from cfglint.fit.run import Because, Run
from cfglint.frameworks.axolotl.fit.model import Base, base_model
from cfglint.frameworks.axolotl.fit.optimizers import optimizer
from cfglint.frameworks.axolotl.fit.precision import is_sixteen, loaded
from cfglint.frameworks.axolotl.fit.sequences import sequences
from cfglint.frameworks.axolotl.fit.sharding import Sharding, sharding
from cfglint.frameworks.axolotl.fit.training import trained
from cfglint.frameworks.axolotl.fit.values import Values
from cfglint.record import FrozenDict, Record
from cfglint.source.document import Path

#: With one of these, parts may lie in other memory than the GPUs', or be built otherwise.
_ELSEWHERE = (
    "max_memory", "gpu_memory_limit", "layer_offloading", "ple_cpu_offload", "qat", "llmcompressor",
    "relora_cpu_offload", "inference", "merge_lora", "nonexpert_quantization", "hatchery",
    "peft",
)  # fmt: skip
#: Plugins that change neither what is loaded nor what is trained.
_HARMLESS = frozenset(
    {
        "CutCrossEntropyPlugin", "LigerPlugin", "LMEvalPlugin", "KernelsPlugin", "GrokfastPlugin",
        "SwanLabPlugin", "ExpertParallelPlugin", "ContextParallelPlugin",
    }
)  # fmt: skip
#: FSDP1 keeps what is trained in full precision with mixed precision: accelerate from 0.30 on,
#: which this release and all later ones ask for.
_UPCASTS_SINCE = "0.5.0"
#: Kinds of preference training with a reference model that is loaded like the model.
_WITH_REFERENCE = ("dpo", "ipo", "kto")


class Question(Record):
    """A config with the number of GPUs that it is meant for."""

    values: Values
    gpus: int
    around: Surroundings

    def changed(self, changes: Mapping[Path, Any]) -> Question:
        return Question(self.values.changed(changes), self.gpus, self.around)


def run_of(question: Question) -> Run | None:
    """What is certain of the run; None when nothing is, as for an unknown model."""
    values = question.values
    if any(values.at(key) for key in _ELSEWHERE) or _unknown_plugins(values):
        return None
    base = base_model(values, question.around)
    return None if base is None else _run(question, base)


def _unknown_plugins(values: Values) -> bool:
    own = {name.replace(":", ".").rpartition(".")[2] for name in values.names("plugins")}
    return not own <= _HARMLESS


def _run(question: Question, base: Base) -> Run:
    values = question.values
    sixteen = is_sixteen(values)
    weights = loaded(values, base.quantization)
    what = trained(values, base.shape, quantised=weights.quantised)
    how = sharding(values, question.gpus, question.around)
    chosen = optimizer(values, how.settings)
    lengths = sequences(values, sixteen=sixteen)
    plain = weights.plain
    if how.way == "fsdp1" and what.parameters and not what.beside and _upcasts(values):
        plain = 4
    each = (2.0 if sixteen else 4.0) if what.beside else plain
    zero = how.way == "zero"
    master = _master_bytes(how) if zero else 0.0
    whole = how.way in ("one", "ddp")
    # ZeRO stage 2 turns its share of the gradients to full precision before it steps.
    step = 2.0 if _stage(how) == 2 and sixteen else each if chosen.copies and whole else 0.0
    keeps = chosen.keeps_gradients
    because = {
        "weights": weights.because,
        "adapter": what.because,
        "reference": Because("a copy of the weights to compare with", ("rl",)),
        "masters": Because("32 bits a trained parameter", how.because.path),
        "states": chosen.because,
        "gradients": what.because,
        "buckets": Because("the buckets in which gradients are averaged", ()),
        "step": Because("a copy while the optimizer steps", chosen.because.path),
        "layers": lengths.because,
        "logits": lengths.because,
    }
    return Run(
        base.shape,
        how.shards,
        plain,
        FrozenDict(weights.packed),
        trained=what.parameters,
        trained_bytes=each,
        gradient_bytes=each if keeps else 0.0,
        beside=what.beside,
        master_bytes=master,
        state_bytes=chosen.states(_stated(master, each)),
        step_bytes=step if keeps else 0.0,
        bucket_bytes=each if how.way == "ddp" else 0.0,
        references=_references(values, base),
        accumulates=keeps and values.size("gradient_accumulation_steps") > 1,
        tokens=lengths.tokens,
        keeps_layers=lengths.keeps_layers,
        logit_bytes=lengths.logit_bytes,
        may_move=_may_move(values, how, quantised=weights.quantised),
        because=FrozenDict(because),
    )


def _upcasts(values: Values) -> bool:
    return values.at("bf16") in (None, True, "auto") and values.since(_UPCASTS_SINCE)


def _stage(how: Sharding) -> int | None:
    zero = (how.settings or {}).get("zero_optimization")
    return zero.get("stage") if isinstance(zero, dict) else None


def _master_bytes(how: Sharding) -> float:
    """Four, except for the settings that keep master weights in 16 bits."""
    text = str(how.settings)
    return 2.0 if "bf16_master" in text or "fp16_master" in text or "bf16_opt" in text else 4.0


def _stated(master: float, each: float) -> float:
    """The bytes of what the optimizer works on: the master weights, where there are some."""
    return master or each


def _references(values: Values, base: Base) -> int:
    if values.at("rl") not in _WITH_REFERENCE or values.at("adapter"):
        return 0
    return 0 if values.at("precompute_ref_log_probs") or base.quantization else 1


def _may_move(values: Values, how: Sharding, *, quantised: bool) -> bool:
    """Whether transformers may put frozen layers into the memory of the machine by itself.

    With one process, `device_map` is "auto". Quantised layers and such that are trained cannot be
    put there: the run ends with an error.
    """
    frozen = bool(values.at("adapter")) or bool(values.at("unfrozen_parameters"))
    return how.way in ("one", "split") and frozen and not quantised
