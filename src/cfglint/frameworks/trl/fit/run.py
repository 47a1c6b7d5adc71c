"""Puts together what is certain of a run of TRL: `trl/scripts`, `ModelConfig`, the trainers."""

from __future__ import annotations

from cfglint.base.record import FrozenDict
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.accelerate.memory import on_gpus
from cfglint.frameworks.deepspeed.memory import (
    master_bytes,
    own_optimizer,
    reduction,
    settings_of,
    step_of_most,
    zero_division,
)
from cfglint.runs.memory.adapters import copies, linear_names, low_rank, taken_in
from cfglint.runs.memory.base import (
    NF4,
    NF4_PLAIN_SCALES,
    PACKED,
    Base,
    as_checkpoint_packs,
    check_elsewhere,
    stated_base,
)
from cfglint.runs.memory.division import Division
from cfglint.runs.memory.optimizers import of_trainer
from cfglint.runs.memory.parts import Kind, Shape
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.reasons import reasons
from cfglint.runs.memory.run import Because, MemoryRun, Usual
from cfglint.runs.memory.trained import Trained, in_words, known_rank, with_training
from cfglint.runs.memory.usual import usual_of
from cfglint.runs.memory.values import Values

#: With one of these, parts may lie in other memory than the GPUs', or be built otherwise.
_ELSEWHERE = ("max_memory", "gguf_file", "use_cpu", "no_cuda", "use_ipex", "model_init_kwargs")
#: `load_model` of `trl/scripts` has a default of its own for `dtype` from this release on.
_32_BITS_SINCE = "0.27.0"
_DEFAULT_RANK = 16
#: The default of the alignment-handbook's DPO up to 0.3, which has fewer states than that of others.
_LEAST_OPTIMIZER = "rmsprop"
#: Methods of PEFT that change the contents of an adapter, or which modules have one.
_OTHER_ADAPTERS = ("use_dora", "lora_target_parameters", "lora_task_type")
#: The length that sequences are cut to when none is written: in all releases since it is not the
#: model's own.
_LENGTH, _LENGTH_SINCE = 1024, "0.19.0"
#: TRL's own classes checkpoint layers when nothing is written.
_CHECKPOINTS_SINCE = "0.24.0"
BATCH = 8
#: What starts the processes of a program.
_LAUNCHERS = "a launcher such as `accelerate launch`"
#: `load_in_8bit` takes 25 GiB beside its weights where 4 bits take 4 (measured with a model of 8 billion
#: parameters).
_OTHER = (
    "activation_offloading", "torch_compile", "padding_free", "assistant_only_loss", "load_in_8bit",
)  # fmt: skip
_WITHOUT_LOGITS = ("use_liger_kernel", "use_liger", "use_liger_loss")
#: `SFTTrainer` computes its loss from a few tokens' logits at a time: for `chunked_nll`, which became
#: the default, and later for every loss but a smoothed one (`trl/trainer/sft_config.py`,
#: `sft_trainer.py` of these releases).
_CHUNKED_BY_DEFAULT_SINCE, _ALWAYS_CHUNKED_SINCE = "1.7.0", "1.15.0"


def run_of(
    command: str,
    values: Values,
    gpus: int,
    around: Surroundings,
    *,
    of_program: bool = False,
    usual: bool = False,
    in_program: bool = False,
) -> MemoryRun:
    """A run on a number of GPUs.

    Args:
        command: `sft`, `dpo` …; empty when it is not known.
        of_program: whether a program reads the file whose classes extend TRL's. Where nothing is
            written, its own defaults apply: of the precision in any case, in some of its releases of
            the optimizer (`rmsprop`) and of the length.
        usual: as it usually is, instead of the least that is certain.
        in_program: whether the calls of a program are the run, which load the model without a default of TRL's.

    Raises:
        NotCertainError: nothing is certain, as for an unknown model.
    """
    base = _base(command, values, around)
    own = "" if in_program or of_program else command
    how = _division(own, values, gpus, around, usual=usual)
    # DeepSpeed has the model in 16 bits, with a copy in 32 bits of what is trained.
    is_full = how.way != "zero" and _is_full_precision(values, of_program=of_program or in_program)
    plain = 4.0 if is_full else 2.0
    packed, weights = _packed(values, base, plain)
    what = _trained(values, base.shape, quantized=bool(packed))
    copied = (gpus == 1 or how.way == "ddp") and not values.at("optim_args")
    optim = values.at("optim") or (_LEAST_OPTIMIZER if of_program else None)
    chosen = own_optimizer(how.settings) or of_trainer(optim, ("optim",), copies=copied)
    master = master_bytes(how)
    each = 2.0 if what.is_adapter else plain
    keeps, buffers = chosen.keeps_gradients, reduction(how.settings or {}, base.shape.hidden)
    run = MemoryRun(
        base.shape,
        how.shards,
        plain,
        FrozenDict(packed),
        step_bytes=_step_bytes(how, what, each, copies=chosen.copies) if keeps else 0.0,
        bucket_bytes=each if how.way == "ddp" else 0.0,
        reduction=buffers.size,
        keeps_reduction=buffers.stays,
        references=_references(command, values, quantized=bool(packed)),
        accumulates=keeps and values.size("gradient_accumulation_steps") > 1,
        may_move=_may_move(how, what, quantized=bool(packed), elsewhere=of_program or in_program),
        usual=None if of_program else _estimated(command, values),
        divided=how.because,
        because=reasons(weights, what.because, ("deepspeed",), chosen.because),
    )
    return with_training(run, what, chosen, each, master)


def _may_move(how: Division, what: Trained, *, quantized: bool, elsewhere: bool) -> bool:
    """Whether parts may lie in other memory than the GPUs'.

    From TRL's own loading (`create_model_from_path`): `device_map` is "auto" in one process. Programs are started with
    accelerate, whose settings may offload, launch line or not.

    Args:
        elsewhere: whether a program decides on the loading.
    """
    return how.may_move or (
        how.way != "zero" and (elsewhere or (what.is_adapter and not quantized))
    )


def _base(command: str, values: Values, around: Surroundings) -> Base:
    """The base model; raises `NotCertainError` where it, or what is made of it, is not known."""
    if not command:
        raise NotCertainError(
            "it is not known which of TRL's commands reads the file, or whether the program that "
            "does loads and trains as TRL does"
        )
    check_elsewhere(values, _ELSEWHERE)
    key = "model_name_or_path"
    return stated_base(key, values.at(key), values.at("model_revision"), around)


def _division(
    command: str, values: Values, gpus: int, around: Surroundings, *, usual: bool
) -> Division:
    """How a run is divided; several processes are accelerate's, whose settings are elsewhere.

    Args:
        command: that of `trl` which starts a process for each GPU; empty where a program is started.

    All releases of `trl` run `accelerate launch` (`trl/cli.py`, `trl/commands/cli.py`), which starts
    a process for each GPU.
    """
    if values.at("deepspeed"):
        named = values.at("deepspeed")
        return zero_division(settings_of(named, around), gpus, named=named)
    started = f"`trl {command}`" if command else _LAUNCHERS
    return on_gpus(gpus, around, started, usual=usual)


def _is_full_precision(values: Values, *, of_program: bool) -> bool:
    dtype = values.at("dtype") or values.at("torch_dtype")
    if dtype is None:
        return values.since(_32_BITS_SINCE) and not of_program
    return bool(dtype == "float32")


def _packed(values: Values, base: Base, plain: float) -> tuple[dict[Kind, float], Because]:
    """Bytes of a quantized weight, by kind; nothing where weights are not quantized."""
    if base.quantization is not None:
        return as_checkpoint_packs(base.quantization, ("model_name_or_path",))
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
    rank = known_rank(values.at("lora_r"), _DEFAULT_RANK)
    names = set(values.names("lora_target_modules"))
    if rank is None or not names:
        # Without names, PEFT has its own for each family of models.
        return Trained(0, True, Because("which modules are trained is not counted", path))
    if any(values.at(key) for key in _OTHER_ADAPTERS) or shape.partial:
        return Trained(0, True, Because("what the adapter trains is not counted", path))
    aimed = linear_names(shape) if names == {"all-linear"} else frozenset(names)
    count = low_rank(shape, rank, aimed) + copies(shape, values.names("lora_modules_to_save"))
    because = Because(in_words(count), ("lora_r",))
    return Trained(count, True, because, taken_in=taken_in(shape, aimed))


def _step_bytes(how: Division, what: Trained, each: float, *, copies: bool) -> float:
    if how.settings is not None:
        return step_of_most(how, what.parameters, copies=copies)
    return each if copies else 0.0


def _references(command: str, values: Values, *, quantized: bool) -> int:
    """Whether a second model is loaded to compare with; the trainers have none with PEFT."""
    if values.at("use_peft") or quantized:
        return 0
    if command in ("dpo", "kto"):
        return int(not values.at("precompute_ref_log_probs"))
    beta = values.at("beta")
    return int(command == "grpo" and isinstance(beta, (int, float)) and beta > 0)


def _estimated(command: str, values: Values) -> Usual | None:
    """What an estimate goes by; None as well where something of it is not known."""
    try:
        return _usual(command, values)
    except NotCertainError:
        return None


def _usual(command: str, values: Values) -> Usual | None:
    """What an estimate goes by; supervised training alone was measured."""
    batch = values.at("per_device_train_batch_size")
    if command != "sft" or any(values.at(key) for key in _OTHER):
        return None
    # Eager attention has a matrix of all pairs of tokens for each head.
    if values.at("attn_implementation") == "eager":
        return None
    return usual_of(
        length_of(values),
        BATCH if batch is None else batch,
        checkpoints=checkpoints(values),
        logits=has_all_logits(values),
        optimizer=values.at("optim"),
    )


def length_of(values: Values) -> object:
    """The longest sequence, as written or by default; None where the release has no default."""
    length = values.at("max_length") or values.at("max_seq_length")
    return _LENGTH if length is None and values.since(_LENGTH_SINCE) else length


def checkpoints(values: Values) -> bool:
    """Whether layers keep their inputs alone, as written or by default."""
    written = values.at("gradient_checkpointing")
    return bool(values.since(_CHECKPOINTS_SINCE) if written is None else written)


def has_all_logits(values: Values) -> bool:
    """Whether the logits of all tokens exist at once while the loss is computed."""
    if any(values.at(key) for key in _WITHOUT_LOGITS):
        return False
    if values.since(_ALWAYS_CHUNKED_SINCE):
        return bool(values.at("label_smoothing_factor"))
    loss = values.at("loss_type")
    if loss is None:
        return not values.since(_CHUNKED_BY_DEFAULT_SINCE)
    return bool(loss != "chunked_nll")
