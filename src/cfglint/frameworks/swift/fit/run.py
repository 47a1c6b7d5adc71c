"""Puts together what is certain of a run of ms-swift."""

from __future__ import annotations

from cfglint.base.record import FrozenDict
from cfglint.base.type_names import Final
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.deepspeed.memory import (
    master_bytes,
    own_optimizer,
    reduction,
    step_of_trainer,
)
from cfglint.frameworks.swift.fit.copies import generators, method_of, references
from cfglint.frameworks.swift.fit.division import division
from cfglint.frameworks.swift.fit.model import RENAMED_SINCE, base_of, check_trains
from cfglint.frameworks.swift.fit.sequences import accumulation
from cfglint.frameworks.swift.fit.sequences import usual as usual_sizes
from cfglint.frameworks.swift.fit.trained import FULL, kind_of, optimizer, trained
from cfglint.frameworks.swift.fit.weights import LoadedWeights, weights
from cfglint.runs.memory.base import Base
from cfglint.runs.memory.division import Division
from cfglint.runs.memory.reasons import reasons
from cfglint.runs.memory.run import Because, MemoryRun
from cfglint.runs.memory.trained import Trained, with_training
from cfglint.runs.memory.values import Values

#: Precisions in which an adapter is kept that PEFT would otherwise have in 32 bits.
_SIXTEEN: Final = ("float16", "bfloat16", "fp16", "bf16")
#: Names of modules that are copied and trained whole.
_COPIES = ("modules_to_save", "lora_modules_to_save")


def run_of(
    command: str, values: Values, gpus: int, around: Surroundings, *, usual: bool = False
) -> MemoryRun:
    """A run on a number of GPUs.

    Args:
        command: `sft`, `pt`, `rlhf` …; empty where it is not known which command reads a file.
        usual: as it usually is, instead of the least that is certain.

    Raises:
        NotCertainError: nothing is certain, as for an unknown model.
    """
    method = method_of(command, values, around)
    check_trains(command, method, values)
    base = base_of(values, method, around)
    loaded = weights(values, base, trains_all=kind_of(values) == FULL)
    what = trained(values, base.shape, quantized=loaded.quantized)
    how = division(values, gpus, around, usual=usual)
    plain = _plain(loaded, how, usual=usual)
    each = _adapter_bytes(values, how, usual=usual) if what.is_adapter else plain
    chosen = own_optimizer(how.settings) or optimizer(values)
    master, keeps = master_bytes(how), chosen.keeps_gradients
    buffers = reduction(how.settings or {}, base.shape.hidden)
    steps = accumulation(values, processes_of(how, gpus))
    run = MemoryRun(
        base.shape,
        how.shards,
        plain,
        FrozenDict(loaded.packed),
        step_bytes=step_of_trainer(how, what.parameters, each, chosen),
        bucket_bytes=each if how.way == "ddp" else 0.0,
        reduction=buffers.size,
        keeps_reduction=buffers.stays,
        gathers_layers=how.gathers_layers,
        references=references(method, values, quantized=loaded.quantized),
        generators=generators(method, values, quantized=loaded.quantized),
        accumulates=keeps and isinstance(steps, int) and steps > 1,
        may_move=how.may_move,
        usual=usual_sizes(command, values) if _is_estimated(base, what) else None,
        divided=how.because,
        because=reasons(
            *(loaded.because, what.because, how.because.path, chosen.because),
            reference=("rlhf_type",),
            gathered=Because("on each GPU while the layer is computed", how.because.path),
            generator=Because("vLLM's own copy of the weights", ("vllm_mode",)),
        ),
    )
    return with_training(run, what, chosen, each, master)


def processes_of(how: Division, gpus: int) -> int:
    """How many processes a number of GPUs has."""
    return 1 if how.way in ("one", "split") else gpus


def _is_estimated(base: Base, what: Trained) -> bool:
    """Whether a run is like those that an estimate goes by: of a language model, whose weights and trained parameters are known."""
    return not base.shape.partial and base.quantization is None and what.parameters > 0


def _plain(loaded: LoadedWeights, how: Division, *, usual: bool) -> float:
    """Bytes of a parameter that is not packed.

    DeepSpeed has the model in 16 bits, and accelerate in 32 where FSDP2 shards it (`fsdp2_prepare_model`).
    """
    if how.way == "zero":
        return 2.0
    return 4.0 if usual and how.way == "fsdp2" else loaded.plain


def _adapter_bytes(values: Values, how: Division, *, usual: bool) -> float:
    """Bytes of an adapter's parameter: 4 as PEFT has it, if nothing asks for 16 bits.

    Copies of whole modules keep the precision of the module, and are mostly far larger than the rest.
    """
    if how.way == "zero" or values.at("lora_dtype") in _SIXTEEN:
        return 2.0
    if any(values.at(key) for key in _COPIES):
        return 2.0
    by_peft = values.since(RENAMED_SINCE) and how.way in ("one", "split", "ddp")
    own = values.at("use_swift_lora") or values.at("tuner_backend") in ("swift", "unsloth")
    return 4.0 if usual or (by_peft and not own) else 2.0
