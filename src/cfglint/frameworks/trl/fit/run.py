"""Puts together what is certain of a run of TRL: `trl/scripts`, `ModelConfig`, the trainers."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.fit.adapters import copies, linear_names, low_rank
from cfglint.fit.base import NF4, NF4_PLAIN_SCALES, PACKED, Base, base_of, of_checkpoint
from cfglint.fit.optimizers import by_name, usual_states
from cfglint.fit.parts import Kind, Shape
from cfglint.fit.run import Because, Run, Shards, Usual
from cfglint.fit.values import Values
from cfglint.frameworks.deepspeed.memory import (
    master_bytes,
    own_optimizer,
    reduction,
    settings_of,
    step_bytes,
    zero_shards,
)
from cfglint.record import FrozenDict, Record

#: With one of these, parts may lie in other memory than the GPUs', or be built otherwise.
_ELSEWHERE = ("max_memory", "gguf_file", "use_cpu", "no_cuda", "use_ipex", "model_init_kwargs")
#: `load_model` of `trl/scripts` has a default of its own for `dtype` from this release on.
_32_BITS_SINCE = "0.27.0"
_DEFAULT_RANK = 16
#: No rank in use is larger.
_MOST_RANK = 1 << 20
#: Methods of PEFT that change what an adapter holds, or which modules have one.
_OTHER_ADAPTERS = ("use_dora", "lora_target_parameters", "lora_task_type")
_DEFAULT_OPTIMIZER = "adamw_torch_fused"
#: The length that sequences are cut to when none is written: in all releases since it is not the
#: model's own.
_LENGTH, _LENGTH_SINCE = 1024, "0.19.0"
#: TRL's own classes checkpoint layers when nothing is written.
_CHECKPOINTS_SINCE = "0.24.0"
_BATCH = 8
_MOST_TOKENS = 1 << 34
_OTHER = ("activation_offloading", "torch_compile", "padding_free", "assistant_only_loss")
_WITHOUT_LOGITS = ("use_liger_kernel", "use_liger", "use_liger_loss")


class Trained(Record):
    """The trained parameters that are certain."""

    parameters: int
    beside: bool
    because: Because


def run_of(command: str, values: Values, gpus: int, around: Surroundings) -> Run | None:
    """What is certain of the run; None when nothing is, as for an unknown model.

    Args:
        command: `sft`, `dpo` …; empty when it is not known.
    """
    if not command or any(values.at(key) for key in _ELSEWHERE):
        return None
    base = base_of(values.at("model_name_or_path"), values.at("model_revision"), around)
    if base is None:
        return None
    plain = 4.0 if _is_full_precision(values) else 2.0
    packed, weights = _packed(values, base, plain)
    what = _trained(values, base.shape, quantized=bool(packed))
    written = values.at("deepspeed")
    settings = settings_of(written, around) if written else None
    zero = zero_shards(settings, gpus) if written else None
    if written:
        shards = Shards(0, 0, 0) if zero is None else zero.shards
    else:
        # Several processes are accelerate's, whose settings are not in this file.
        shards = Shards() if gpus == 1 else Shards(gpus, gpus, gpus, gpus)
    chosen = own_optimizer(settings) or by_name(
        _optimizer(values),
        Because(_optimizer(values)[:60], ("optim",)),
        copies=gpus == 1 and not values.at("optim_args"),
    )
    master = master_bytes(settings) if zero is not None else 0.0
    # DeepSpeed has the model in 16 bits, with a copy in 32 bits of what is trained.
    each = 2.0 if zero is not None or what.beside else plain
    keeps = chosen.keeps_gradients
    buffers = reduction(settings or {}, base.shape.hidden)
    because = {
        "weights": weights,
        "adapter": what.because,
        "reference": Because("a copy of the weights to compare with"),
        "masters": Because("32 bits a trained parameter", ("deepspeed",)),
        "states": chosen.because,
        "gradients": what.because,
        "reduction": Because("the buffers in which gradients are reduced", ("deepspeed",)),
        "step": Because("copies while the optimizer steps", chosen.because.path),
    }
    return Run(
        base.shape,
        shards,
        2.0 if zero is not None else plain,
        FrozenDict(packed),
        trained=what.parameters,
        trained_bytes=each,
        gradient_bytes=each if keeps else 0.0,
        beside=what.beside,
        master_bytes=master,
        state_bytes=chosen.states(master or each),
        step_bytes=_step(settings, what, shards, each, copies=chosen.copies) if keeps else 0.0,
        reduction=buffers.size,
        keeps_reduction=buffers.stays,
        references=_references(command, values, quantized=bool(packed)),
        accumulates=keeps and values.size("gradient_accumulation_steps") > 1,
        # From TRL's own loading (`create_model_from_path`): `device_map` is "auto" in one process.
        may_move=what.beside and not packed and zero is None,
        usual=_usual(command, values),
        because=FrozenDict(because),
    )


def _is_full_precision(values: Values) -> bool:
    dtype = values.at("dtype") or values.at("torch_dtype")
    if dtype is None:
        return values.since(_32_BITS_SINCE)
    return bool(dtype == "float32")


def _packed(values: Values, base: Base, plain: float) -> tuple[dict[Kind, float], Because]:
    """Bytes of a quantized weight, by kind; nothing where weights are not quantized."""
    if base.quantization is not None:
        because = Because("as the checkpoint packs them", ("model_name_or_path",))
        return dict.fromkeys(PACKED, of_checkpoint(base.quantization)), because
    if values.at("load_in_4bit"):
        each = NF4 if values.at("use_bnb_nested_quant") else NF4_PLAIN_SCALES
        because = Because(f"{each:.2f} bytes a weight of linear layers", ("load_in_4bit",))
        return dict.fromkeys(PACKED, each), because
    if values.at("load_in_8bit"):
        because = Because("1 byte a weight of linear layers", ("load_in_8bit",))
        return dict.fromkeys(PACKED, 1.0), because
    key = "torch_dtype" if values.at("torch_dtype") else "dtype"
    return {}, Because(f"{plain:.0f} bytes a parameter", (key,))


def _trained(values: Values, shape: Shape, *, quantized: bool) -> Trained:
    path = ("use_peft",)
    if values.at("use_peft") is not True:
        if quantized:
            return Trained(0, False, Because("quantized weights are not trained", path))
        return Trained(shape.parameters, False, Because("all parameters", ("model_name_or_path",)))
    rank = values.at("lora_r")
    rank = _DEFAULT_RANK if rank is None else rank
    names = set(values.names("lora_target_modules"))
    if type(rank) is not int or not 0 < rank < _MOST_RANK or not names:
        # Without names, PEFT has its own for each family of models.
        return Trained(0, True, Because("which modules are trained is not counted", path))
    if any(values.at(key) for key in _OTHER_ADAPTERS) or shape.partial:
        return Trained(0, True, Because("what the adapter trains is not counted", path))
    aimed = linear_names(shape) if names == {"all-linear"} else frozenset(names)
    count = low_rank(shape, rank, aimed) + copies(shape, values.names("lora_modules_to_save"))
    return Trained(count, True, Because(f"{count / 10**6:.1f} million parameters", ("lora_r",)))


def _optimizer(values: Values) -> str:
    name = values.at("optim")
    return _DEFAULT_OPTIMIZER if name is None else str(name)


def _step(settings: object, what: Trained, shards: Shards, each: float, *, copies: bool) -> float:
    if isinstance(settings, dict):
        share = what.parameters / (shards.states or 1)
        # Norms and biases are groups of their own, far less than a hundredth of a model.
        return 0.99 * step_bytes(settings, share, copies=copies)
    return each if copies else 0.0


def _references(command: str, values: Values, *, quantized: bool) -> int:
    """Whether a second model is loaded to compare with; the trainers have none with PEFT."""
    if values.at("use_peft") or quantized:
        return 0
    if command in ("dpo", "kto"):
        return int(not values.at("precompute_ref_log_probs"))
    beta = values.at("beta")
    return int(command == "grpo" and isinstance(beta, (int, float)) and beta > 0)


def _usual(command: str, values: Values) -> Usual | None:
    """What an estimate goes by; supervised training alone was measured."""
    length = values.at("max_length") or values.at("max_seq_length")
    if length is None and values.since(_LENGTH_SINCE):
        length = _LENGTH
    batch = values.at("per_device_train_batch_size")
    batch = _BATCH if batch is None else batch
    checkpoints = values.at("gradient_checkpointing")
    if checkpoints is None:
        checkpoints = values.since(_CHECKPOINTS_SINCE)
    states = usual_states(_optimizer(values))
    if type(length) is not int or type(batch) is not int or not 0 < length * batch < _MOST_TOKENS:
        return None
    if command != "sft" or states is None or any(values.at(key) for key in _OTHER):
        return None
    logits = not any(values.at(key) for key in _WITHOUT_LOGITS)
    return Usual(length * batch, bool(checkpoints), logits, states)
