"""What DeepSpeed's ZeRO divides among GPUs, and what it needs besides the shares."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.base.shortened import shortened
from cfglint.base.type_names import Any
from cfglint.environment.named_files import named_document, named_file
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.deepspeed.references import MAX_BYTES
from cfglint.runs.memory.division import NOWHERE, Division
from cfglint.runs.memory.optimizers import Optimizer
from cfglint.runs.memory.run import Because, Shards
from cfglint.source.languages.named import language
from cfglint.source.values import to_python

#: Numbers of parameters when the settings do not say: `deepspeed/runtime/zero/config.py`.
_BUCKET, _SUB_GROUP = 500_000_000, 1_000_000_000
#: Nothing larger is multiplied.
_MOST = 1 << 50
#: Settings with which optimizer states move to and fro, and such that divide the weights.
_MOVES = frozenset({"super_offload", "zenflow"})
_DIVIDES = frozenset({"tensor_parallel", "pipeline", "autotp_size"})
#: Optimizers whose states are in full precision.
_ADAM = frozenset({"adam", "adamw", "fusedadam"})
#: The key that names the settings in the files of all frameworks.
_KEY = ("deepspeed",)


def settings_of(written: object, around: Surroundings) -> dict[str, Any] | None:
    """DeepSpeed's settings as a config has them, or the file that it names; None without any."""
    if isinstance(written, dict):
        return written
    path = named_file(written, around, MAX_BYTES)
    if path is None:
        return None
    document = named_document(path, language("json"), around, MAX_BYTES)
    found = to_python(document.root) if document is not None else None
    return found if isinstance(found, dict) else None


def zero_division(
    settings: dict[str, Any] | None, gpus: int, *, named: object = None, divided: bool = False
) -> Division:
    """How weights, gradients and states are divided.

    A process may hold a share over all GPUs, but not less.

    Args:
        named: what the config names, for a file that cannot be read.
        divided: whether something else spreads the weights, too.
    """
    zero = settings.get("zero_optimization") if settings is not None else None
    zero = {"stage": 0} if settings is not None and zero is None else zero
    stage = zero.get("stage", 0) if isinstance(zero, dict) else None
    if not isinstance(zero, dict) or type(stage) is not int or not 0 <= stage <= 3:
        file = ""
        if isinstance(named, str) and not settings:
            file = f" (`{shortened(named, 80)}` cannot be read, or may be one of several)"
        because = Because(f"DeepSpeed settings that are not known{file}", _KEY)
        return Division(NOWHERE, "unknown", because)
    states_off = _is_off(zero, "offload_optimizer", "cpu_offload") or bool(_MOVES & set(zero))
    weights_off = _is_off(zero, "offload_param", "cpu_offload_params")
    # Frozen weights in 8 bits.
    weights_off = weights_off or bool(zero.get("zero_quantized_nontrainable_weights"))
    divided = divided or bool(_DIVIDES & set(settings or ()))
    weights = gpus if stage == 3 or divided else 1
    gradients = gpus if stage >= 2 or weights != 1 else 1
    shards = Shards(
        0 if weights_off else weights,
        0 if states_off else gradients,
        0 if states_off else gpus,
        gpus if divided else 1,
    )
    text = f"ZeRO stage {stage} over {gpus} GPUs" if gpus > 1 else f"ZeRO stage {stage} on one GPU"
    off = [name for name, is_off in (("parameters", weights_off), ("states", states_off)) if is_off]
    text += f", with {' and '.join(off)} in the memory of the machine" if off else ""
    return Division(shards, "zero", Because(text, _KEY), settings, stage)


class Reduction(Record):
    """The buffers in which gradients are reduced."""

    size: int
    #: Whether they stay from one backward pass to the next.
    stays: bool


def own_optimizer(settings: dict[str, Any] | None) -> Optimizer | None:
    """The optimizer that the settings put in the place of the trainer's; None without one."""
    section = settings.get("optimizer") if settings is not None else None
    if not isinstance(section, dict):
        return None
    known = str(section.get("type", "")).lower() in _ADAM
    because = Because(f"{section.get('type')} of DeepSpeed's settings"[:80], _KEY)
    return Optimizer(0, 8.0 if known else 0.0, known, False, because)


def master_bytes(how: Division) -> float:
    """Bytes of a trained parameter's copy, which ZeRO makes: 4, or 2 if the settings say so."""
    if how.way != "zero":
        return 0.0
    text = str(how.settings)
    return 2.0 if "bf16_master" in text or "fp16_master" in text or "bf16_opt" in text else 4.0


def reduction(settings: dict[str, Any], hidden: int) -> Reduction:
    """The buffers of stages 2 and 3, in bytes.

    Stage 2 makes them at the start of a backward pass, two with `overlap_comm`
    (`stage_1_and_2.py`, `backward_prologue`; `setup_buckets` from 0.17 on), and drops them at its
    end. Stage 3 makes one for good (`stage3.py`, "IPG"). They are on the GPU whatever is offloaded,
    and in the 16 bits of the model.

    Args:
        settings: the whole file.
        hidden: the model's hidden size; transformers puts its square for "auto".
    """
    zero = settings.get("zero_optimization")
    nothing = Reduction(0, False)
    if not isinstance(zero, dict) or zero.get("contiguous_gradients", True) is not True:
        return nothing
    stage, size = zero.get("stage"), zero.get("reduce_bucket_size", _BUCKET)
    numbers = hidden * hidden if size == "auto" else _whole(size)
    if stage == 3:
        return Reduction(2 * numbers, True)
    if stage == 2:
        buffers = 2 if zero.get("overlap_comm") is True else 1
        return Reduction(2 * numbers * buffers, False)
    return nothing


def step_bytes(settings: dict[str, Any], share: float, *, copies: bool) -> float:
    """Bytes of a trained parameter in what stages 2 and 3 take at their step.

    The share of the gradients is copied to 32 bits while it is still there in 16, and torch's own
    Adam then takes as much once more for the roots of its states: LLaMA-Factory 1221 shows both in
    the message of an out-of-memory error. Stage 2 gives the 16 bits back in between
    (`stage_1_and_2.py`, `step`). In stage 3 they are part of a buffer that stays, which is copied to
    one tensor first (`stage3.py`, `_prepare_fp32_grad_for_sub_group`); it steps one group of
    parameters after the other.

    Args:
        share: the parameters that a GPU steps.
        copies: whether the optimizer takes a copy at its step.
    """
    zero = settings.get("zero_optimization")
    stage = zero.get("stage") if isinstance(zero, dict) else None
    if not isinstance(zero, dict) or stage not in (2, 3):
        return 0.0
    if stage == 2:
        return 6.0 if copies else 4.0
    group = _whole(zero.get("sub_group_size", _SUB_GROUP))
    return (8.0 if copies else 6.0) * min(1.0, group / max(share, 1))


def step_of_most(how: Division, trained: int, *, copies: bool) -> float:
    """The same of all that is trained, but for norms and biases: they are groups of their own.

    These are far less than a hundredth of a model.
    """
    share = trained / (how.shards.states or 1)
    return 0.99 * step_bytes(how.settings or {}, share, copies=copies)


def step_of_trainer(how: Division, trained: int, each: float, chosen: Optimizer) -> float:
    """The same, or what the trainer's own optimizer takes where no ZeRO divides the run; 0 if it keeps no gradients.

    Args:
        each: bytes of a trained parameter.
    """
    if not chosen.keeps_gradients:
        return 0.0
    if how.way == "zero":
        return step_of_most(how, trained, copies=chosen.copies)
    return each if chosen.copies and how.way in ("one", "ddp") else 0.0


def _whole(size: object) -> int:
    """A number of parameters as DeepSpeed reads it, also `5e8`; 0 for everything else."""
    if isinstance(size, bool) or not isinstance(size, (int, float)) or not 0 <= size < _MOST:
        return 0
    return int(size)


def _is_off(zero: dict[str, Any], section: str, older: str) -> bool:
    """Whether a part may lie in the memory of the machine, whatever share of it."""
    found = zero.get(section)
    if zero.get(older) or not isinstance(found, (dict, type(None))):
        return True
    # A section without a device means none; everything else is taken for an offload.
    return found is not None and found.get("device", "none") != "none"
