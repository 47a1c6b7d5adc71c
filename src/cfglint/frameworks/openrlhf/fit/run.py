"""Puts together what is certain of a run of OpenRLHF: `openrlhf/models/actor.py`, `openrlhf/utils/deepspeed`."""

from __future__ import annotations

from cfglint.base.record import FrozenDict
from cfglint.base.type_names import Any, Final
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.deepspeed.memory import (
    master_bytes,
    own_optimizer,
    reduction,
    step_of_most,
    zero_division,
)
from cfglint.frameworks.openrlhf.fit.options import option, path_of, spoken
from cfglint.runs.memory.adapters import linear_names, low_rank
from cfglint.runs.memory.base import NF4, PACKED, Base, as_checkpoint_packs, stated_base
from cfglint.runs.memory.optimizers import of_trainer
from cfglint.runs.memory.parts import Kind, Shape
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.reasons import reasons
from cfglint.runs.memory.run import Because, MemoryRun, Usual
from cfglint.runs.memory.trained import (
    Trained,
    all_of,
    known_rank,
    of_adapter,
    with_training,
)
from cfglint.runs.memory.usual import usual_of
from cfglint.runs.memory.values import Values

SFT: Final = "train_sft"
DPO: Final = "train_dpo"
#: The programs that are counted -> how long their sequences are by default.
LENGTHS: Final = {SFT: 2048, DPO: 512}
BATCH: Final = 8
_GLOBAL_BATCH, _STAGE = 128, 2
_MUON: Final = "muon"
#: Attention was a switch, without which it was eager, until this release.
_ATTENTION_SINCE: Final = "0.8.10"
#: DeepSpeed creates its own Adam, in one kernel.
_ADAM: Final = "adamw_torch_fused"


def run_of(program: str, values: Values, gpus: int, around: Surroundings) -> MemoryRun:
    """A run on a number of GPUs, which DeepSpeed's ZeRO always divides.

    Raises:
        NotCertainError: nothing is certain, as for an unknown model.
    """
    if program not in LENGTHS:
        raise NotCertainError(
            f"what `{program}` holds is not counted: of OpenRLHF's programs, `{SFT}` and `{DPO}` are"
        )
    named = option("model", values)
    base = stated_base(spoken("model", values), named, None, around)
    packed, weights = _packed(values, base)
    what = _trained(values, base.shape, quantized=bool(packed))
    divided = is_parallel("tensor_parallel", values)
    how = zero_division(_settings(values), gpus, divided=divided)
    path = path_of("stage", values)
    because = Because(how.because.text, tuple(map(str, path)))
    chosen = own_optimizer(how.settings) or of_trainer(_ADAM, ("optim",), copies=False)
    master, keeps = master_bytes(how), chosen.keeps_gradients
    buffers = reduction(how.settings or {}, base.shape.hidden)
    step = step_of_most(how, what.parameters, copies=chosen.copies) if keeps else 0.0
    run = MemoryRun(
        base.shape,
        how.shards,
        2.0,
        FrozenDict(packed),
        step_bytes=step,
        reduction=buffers.size,
        keeps_reduction=buffers.stays,
        references=_references(program, values),
        accumulates=keeps and accumulation(values, gpus) > 1,
        usual=_usual(program, values, base),
        divided=because,
        because=reasons(
            *(weights, what.because, because.path, chosen.because.replaced(path=("optim",))),
            reference=tuple(map(str, path_of("reference", values))),
        ),
    )
    return with_training(run, what, chosen, 2.0, master)


def stage_of(values: Values) -> object:
    """The stage of ZeRO, as written or by default."""
    return option("stage", values, _STAGE)


def accumulation(values: Values, gpus: int) -> int:
    """The steps of accumulation that the batch of all processes takes."""
    rows, each = option("global_batch", values, _GLOBAL_BATCH), option("batch", values, BATCH)
    if type(rows) is not int or type(each) is not int or min(rows, each) < 1:
        return 1
    return max(rows // each // max(gpus, 1), 1)


def is_parallel(name: str, values: Values) -> bool:
    """Whether a parallel size is above 1."""
    size = option(name, values, 1)
    return type(size) is int and size > 1


def _settings(values: Values) -> dict[str, Any]:
    """The settings of DeepSpeed that the options make (`get_train_ds_config`).

    Numbers that are "auto" there take DeepSpeed's own defaults, as no trainer fills them in.
    """
    device = "cpu" if option("states_off", values) else "none"
    zero: dict[str, Any] = {
        "stage": stage_of(values),
        "offload_optimizer": {"device": device},
        "overlap_comm": bool(option("overlap", values)),
    }
    name = "Muon" if values.at("optim") == _MUON else "AdamW"
    return {"zero_optimization": zero, "optimizer": {"type": name}}


def _packed(values: Values, base: Base) -> tuple[dict[Kind, float], Because]:
    """Bytes of a quantized weight, by kind; nothing where weights are not quantized."""
    if base.quantization is not None:
        return as_checkpoint_packs(base.quantization, _text("model", values))
    if option("four_bits", values):
        because = Because(f"{NF4:.2f} bytes a weight of linear layers", _text("four_bits", values))
        return dict.fromkeys(PACKED, NF4), because
    return {}, Because("2 bytes a parameter", _text("model", values))


def _trained(values: Values, shape: Shape, *, quantized: bool) -> Trained:
    path = _text("rank", values)
    written = option("rank", values, 0)
    if written == 0:
        if quantized:
            return Trained(0, False, Because("quantized weights are not trained", path))
        return all_of(shape, _text("model", values))
    rank = known_rank(written)
    if rank is None:
        return Trained(0, True, Because("what the adapter trains is not counted", path))
    names = _targets(values)
    aimed = linear_names(shape) if names <= {"all-linear"} else frozenset(names)
    count = low_rank(shape, rank, aimed)
    return of_adapter(count, shape, aimed, path)


def _targets(values: Values) -> set[str]:
    """The names of the modules that have an adapter; none for all matrices."""
    found = option("targets", values)
    listed = found if isinstance(found, list) else [found]
    return {name for name in listed if isinstance(name, str)}


def _references(program: str, values: Values) -> int:
    """Whether a copy of the model is loaded to compare with, as it is beside an adapter, too."""
    if program != DPO or option("reference_off", values):
        return 0
    other = option("reference", values)
    return int(other is None or other == option("model", values))


def _usual(program: str, values: Values, base: Base) -> Usual | None:
    """What an estimate goes by; None where a run is unlike those that were measured."""
    if program != SFT or base.shape.partial or base.quantization is not None:
        return None
    is_eager = not values.since(_ATTENTION_SINCE) and not values.at("flash_attn")
    if is_eager or option("attention", values) == "eager" or values.at("optim") == _MUON:
        return None
    if is_parallel("tensor_parallel", values) or is_parallel("ring", values):
        return None
    if option("compiled", values) or values.at("torch_compile"):
        return None
    return usual_of(
        option("length", values, LENGTHS[program]),
        option("batch", values, BATCH),
        checkpoints=bool(option("checkpoints", values)),
        # The loss is computed from all of them, also with Liger's kernels: the model is given no labels.
        logits=True,
        optimizer=_ADAM,
    )


def _text(name: str, values: Values) -> tuple[str, ...]:
    return tuple(map(str, path_of(name, values)))
