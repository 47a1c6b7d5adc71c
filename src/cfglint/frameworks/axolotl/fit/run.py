"""Puts together what is certain of a run of Axolotl."""

from __future__ import annotations

from cfglint.base.record import FrozenDict
from cfglint.base.shortened import shortened
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.axolotl.fit.copies import generators, references
from cfglint.frameworks.axolotl.fit.model import base_model
from cfglint.frameworks.axolotl.fit.optimizers import (
    OWN_GROUPS,
    of_embeddings,
    optimizer,
)
from cfglint.frameworks.axolotl.fit.precision import is_sixteen, loaded
from cfglint.frameworks.axolotl.fit.sequences import sequences
from cfglint.frameworks.axolotl.fit.sharding import sharding
from cfglint.frameworks.axolotl.fit.training import trained
from cfglint.frameworks.axolotl.fit.usual import usual as usual_sizes
from cfglint.frameworks.deepspeed.memory import master_bytes, reduction, step_bytes
from cfglint.runs.memory.base import Base, check_elsewhere
from cfglint.runs.memory.division import Division
from cfglint.runs.memory.optimizers import Optimizer
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.reasons import reasons
from cfglint.runs.memory.run import Because, MemoryRun
from cfglint.runs.memory.trained import Trained, with_training
from cfglint.runs.memory.values import Values

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
#: PEFT has what it trains in full precision from 0.12 on, which this release and all later ones
#: ask for (`autocast_adapter_dtype` of `get_peft_model`).
_FULL_ADAPTERS_SINCE = "0.5.0"


def run_of(values: Values, gpus: int, around: Surroundings, *, usual: bool = False) -> MemoryRun:
    """A run on a number of GPUs.

    Args:
        usual: as it usually is, instead of the least that is certain.

    Raises:
        NotCertainError: nothing is certain, as for an unknown model.
    """
    check_elsewhere(values, _ELSEWHERE)
    unknown = sorted(values.plugins() - _HARMLESS)
    if unknown:
        raise NotCertainError(
            f"the plugin `{shortened(unknown[0], 80)}` may change what is loaded or trained, which is not counted"
        )
    how = sharding(values, gpus, around, usual=usual)
    return _run(values, around, base_model(values, around), how)


def _run(values: Values, around: Surroundings, base: Base, how: Division) -> MemoryRun:
    sixteen = is_sixteen(values)
    weights = loaded(values, base.quantization)
    what = trained(values, base.shape, quantized=weights.quantized)
    chosen = optimizer(values, how.settings)
    lengths = sequences(values)
    plain = weights.plain
    if how.way == "fsdp1" and what.parameters and not what.is_adapter and _upcasts(values):
        plain = 4
    each = _adapter_bytes(values, how, sixteen=sixteen) if what.is_adapter else plain
    zero = how.way == "zero"
    master = master_bytes(how)
    whole = how.way in ("one", "ddp")
    keeps = chosen.keeps_gradients
    buffers = reduction(how.settings or {}, base.shape.hidden)
    stays = zero and buffers.stays and sixteen
    embeddings = of_embeddings(values) if whole and what.parameters and not what.is_adapter else 0.0
    run = MemoryRun(
        base.shape,
        how.shards,
        plain,
        FrozenDict(weights.packed),
        embedding_state_bytes=embeddings,
        step_bytes=_step_bytes(values, how, chosen, what, each) if keeps else 0.0,
        bucket_bytes=each if how.way == "ddp" else 0.0,
        reduction=buffers.size if sixteen else 0,
        keeps_reduction=stays,
        gathers_layers=how.gathers_layers,
        references=references(values, quantized=base.quantization is not None),
        generators=generators(values, quantized=weights.quantized),
        # Stage 3 has one buffer for its share of the gradients, for good.
        accumulates=keeps and (stays or values.size("gradient_accumulation_steps") > 1),
        tokens=lengths.tokens,
        keeps_layers=lengths.keeps_layers,
        keeps_inside=lengths.keeps_inside and what.everywhere,
        recomputes_layers=lengths.recomputes_layers and what.everywhere,
        compiled=lengths.compiled,
        logit_bytes=lengths.logit_bytes,
        may_move=_may_move(values, how, quantized=weights.quantized),
        usual=usual_sizes(values) if what.parameters or what.is_adapter else None,
        divided=how.because,
        because=_reasons(
            weights.because, what.because, how.because, chosen.because, lengths.because
        ),
    )
    return with_training(run, what, chosen, each, master)


def _reasons(
    weights: Because, trained: Because, sharding: Because, optimizer: Because, lengths: Because
) -> FrozenDict[str, Because]:
    return reasons(
        weights,
        trained,
        sharding.path,
        optimizer,
        lengths,
        reference=("rl",),
        gathered=Because("on each GPU while the layer is computed", sharding.path),
        generator=Because("vLLM's own copy of the weights", ("trl",)),
    )


def _upcasts(values: Values) -> bool:
    return values.at("bf16") in (None, True, "auto") and values.since(_UPCASTS_SINCE)


def _adapter_bytes(values: Values, how: Division, *, sixteen: bool) -> float:
    """Bytes of an adapter's parameter.

    FSDP and DeepSpeed want it in the precision of the rest, TRL puts it there, and copies of whole
    modules keep the precision of the module.
    """
    if not sixteen:
        return 4.0
    autocast = values.at("peft_autocast_adapter_dtype")
    other = values.at("rl") or values.at("lora_modules_to_save") or autocast not in (None, True)
    full = how.way in ("one", "split", "ddp") and values.since(_FULL_ADAPTERS_SINCE) and not other
    return 4.0 if full else 2.0


def _step_bytes(
    values: Values, how: Division, chosen: Optimizer, what: Trained, each: float
) -> float:
    """Bytes of a trained parameter in what the step takes; DeepSpeed steps group by group."""
    if how.way == "zero":
        if not is_sixteen(values) or any(values.at(key) is not None for key in OWN_GROUPS):
            return 0.0
        share = what.grouped * what.parameters / (how.shards.states or 1)
        return what.grouped * step_bytes(how.settings or {}, share, copies=chosen.copies)
    return each if chosen.copies and how.way in ("one", "ddp") else 0.0


def _may_move(values: Values, how: Division, *, quantized: bool) -> bool:
    """Whether transformers may put frozen layers into the memory of the machine by itself.

    With one process, `device_map` is "auto". Quantized layers and such that are trained cannot be
    put there: the run ends with an error.
    """
    frozen = bool(values.at("adapter")) or bool(values.at("unfrozen_parameters"))
    return how.may_move or (how.way in ("one", "split") and frozen and not quantized)
