"""Puts together what is certain of a run of LLaMA-Factory."""

from __future__ import annotations

from cfglint.base.record import FrozenDict
from cfglint.base.type_names import Any
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.accelerate.memory import on_gpus
from cfglint.frameworks.deepspeed.memory import (
    master_bytes,
    own_optimizer,
    reduction,
    settings_of,
    step_of_trainer,
    zero_division,
)
from cfglint.frameworks.llamafactory.fit.sequences import sequences
from cfglint.frameworks.llamafactory.fit.sequences import usual as usual_sizes
from cfglint.frameworks.llamafactory.fit.trained import optimizer, trained, weights
from cfglint.runs.memory.base import check_elsewhere, stated_base
from cfglint.runs.memory.division import NOWHERE, Division, copies
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.reasons import reasons
from cfglint.runs.memory.run import Because, MemoryRun
from cfglint.runs.memory.trained import with_training
from cfglint.runs.memory.values import Values

#: With one of these, parts may lie in other memory than the GPUs', or the model is another, as with
#: Megatron.
_ELSEWHERE = (
    "use_kt", "use_mca", "mixture_of_depths", "max_memory", "offload_folder",
    "tensor_model_parallel_size", "pipeline_model_parallel_size", "expert_model_parallel_size",
    "context_parallel_size", "use_distributed_optimizer", "ray_run_name", "ray_num_workers",
)  # fmt: skip
#: `llamafactory-cli train` starts torchrun for each GPU that it sees from this release on
#: (`cli.py`, `launcher.py`), with `FORCE_TORCHRUN` for a single one, too. Another command that runs one
#: process is refused from 0.8.2 on ("Please launch distributed training with"), and before torch
#: copies the model to each GPU itself (`nn.DataParallel`).
_OWN_LAUNCHER_SINCE = "0.8.0"
_WITHOUT_REFERENCE = ("orpo", "simpo")
#: The files that come with LLaMA-Factory, by the end of their name.
_SHIPPED: dict[str, dict[str, Any]] = {
    "ds_z0_config.json": {"stage": 0},
    "ds_z2_config.json": {"stage": 2, "reduce_bucket_size": 500_000_000},
    "ds_z3_config.json": {"stage": 3, "reduce_bucket_size": "auto", "sub_group_size": 0},
    "ds_z2_offload_config.json": {"stage": 2, "offload_optimizer": {"device": "cpu"}},
    "ds_z3_offload_config.json": {
        "stage": 3,
        "offload_optimizer": {"device": "cpu"},
        "offload_param": {"device": "cpu"},
    },
}


def run_of(values: Values, gpus: int, around: Surroundings, *, usual: bool = False) -> MemoryRun:
    """A run on a number of GPUs.

    Args:
        usual: as it usually is, instead of the least that is certain.

    Raises:
        NotCertainError: nothing is certain, as for an unknown model.
    """
    check_elsewhere(values, _ELSEWHERE)
    if values.at("do_train") is not True:
        raise NotCertainError("the file does not train: `do_train: true` is missing")
    key = "model_name_or_path"
    base = stated_base(key, values.at(key), values.at("model_revision"), around)
    loaded = weights(values, base)
    what = trained(values, base, quantized=loaded.quantized)
    how = division(values, gpus, around, usual=usual)
    lengths = sequences(values, everywhere=what.everywhere)
    whole = what.parameters > 0 and not what.is_adapter
    full = _is_cast(values, how, quantized=loaded.quantized, usual=usual)
    # DeepSpeed has the model in 16 bits again, with a copy in 32 bits of what is trained.
    each = 4.0 if full and how.way != "zero" else 2.0
    chosen = own_optimizer(how.settings) or optimizer(values)
    master = master_bytes(how)
    keeps = chosen.keeps_gradients
    buffers = reduction(how.settings or {}, base.shape.hidden)
    run = MemoryRun(
        base.shape,
        how.shards,
        each if whole else 2.0,
        FrozenDict(loaded.packed),
        step_bytes=step_of_trainer(how, what.parameters, each, chosen),
        bucket_bytes=each if how.way == "ddp" else 0.0,
        reduction=buffers.size,
        keeps_reduction=buffers.stays,
        references=_references(values, quantized=loaded.quantized),
        accumulates=keeps and values.size("gradient_accumulation_steps") > 1,
        tokens=lengths.tokens,
        keeps_layers=lengths.keeps_layers,
        keeps_inside=lengths.keeps_inside,
        recomputes_layers=lengths.recomputes_layers,
        compiled=lengths.compiled,
        logit_bytes=lengths.logit_bytes,
        may_move=how.may_move,
        usual=usual_sizes(values),
        divided=how.because,
        because=reasons(
            *(loaded.because, what.because, how.because.path, chosen.because, lengths.because),
            reference=("stage",),
        ),
    )
    return with_training(run, what, chosen, each, master)


def division(values: Values, gpus: int, around: Surroundings, *, usual: bool) -> Division:
    """How weights, gradients and states are divided over a number of GPUs."""
    if values.at("deepspeed"):
        named = values.at("deepspeed")
        return zero_division(_settings(named, around), gpus, named=named)
    if values.at("fsdp") or values.at("fsdp_config"):
        return Division(
            NOWHERE, "unknown", Because("FSDP, whose shares are not counted", ("fsdp",))
        )
    if gpus > 1 and _has_copies(values, around):
        return copies()
    own = values.since(_OWN_LAUNCHER_SINCE)
    return on_gpus(gpus, around, "`llamafactory-cli train`" if own else "", usual=usual)


def _has_copies(values: Values, around: Surroundings) -> bool:
    """Whether every GPU certainly has a process with a copy of everything.

    FSDP is not in the file: `accelerate launch` brings it, and so may a command that is not known.
    """
    lines = [line for line in around.launches if line.command in ("", "train")]
    own = values.since(_OWN_LAUNCHER_SINCE)
    return bool(lines) and all(line.own and own for line in lines)


def _settings(written: object, around: Surroundings) -> dict[str, Any] | None:
    settings = settings_of(written, around)
    if settings is None and isinstance(written, str):
        zero = _SHIPPED.get(written.replace("\\", "/").rpartition("/")[2])
        return None if zero is None else {"zero_optimization": zero}
    return settings


def _is_cast(values: Values, how: Division, *, quantized: bool, usual: bool) -> bool:
    """Whether what is trained is in 32 bits (`init_adapter`, in all releases from 0.6.0 on).

    With FSDP it is accelerate that usually puts it there, for mixed precision.
    """
    if values.at("pure_bf16") or values.at("use_badam"):
        return False
    return quantized or (how.stage != 3 and (usual or how.way != "fsdp"))


def _references(values: Values, *, quantized: bool) -> int:
    """Whether a second model is loaded to compare with: `create_ref_model`."""
    if values.at("finetuning_type") in (None, "lora") or quantized or values.at("ref_model"):
        return 0
    if values.at("stage") == "dpo":
        return int(values.at("pref_loss") not in _WITHOUT_REFERENCE)
    return int(values.at("stage") in ("kto", "ppo"))
