"""What LLaMA-Factory loads and trains: `hparams/parser.py`, `model/loader.py`, `model/adapter.py`."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.runs.memory.adapters import copies, linear_names, low_rank
from cfglint.runs.memory.base import NF4, NF4_PLAIN_SCALES, PACKED, Base, as_checkpoint_packs
from cfglint.runs.memory.optimizers import Optimizer, of_trainer
from cfglint.runs.memory.parts import Kind
from cfglint.runs.memory.run import Because
from cfglint.runs.memory.trained import Trained, all_of, known_rank, of_adapter
from cfglint.runs.memory.values import Values

_DEFAULT_RANK = 8
#: Flags of its own optimizers, whose states are not counted.
_OWN_OPTIMIZERS = ("use_galore", "use_apollo", "use_badam", "use_adam_mini", "use_muon")
#: Keys with which only some of a model's parameters are trained.
_SOME_PARAMETERS = ("freeze_language_model", "train_mm_proj_only", "use_badam")


class Weights(Record):
    """How the base model's weights lie there."""

    packed: dict[Kind, float]
    because: Because
    #: Whether the weights are quantized, so that they cannot be trained.
    quantized: bool = False


def weights(values: Values, base: Base) -> Weights:
    """How the base model is loaded.

    Without quantization in 16 bits at the least: `bf16` and `fp16` decide, or else the checkpoint.
    """
    if base.quantization is not None:
        return Weights(*as_checkpoint_packs(base.quantization, ("model_name_or_path",)), True)
    bits = values.at("quantization_bit")
    if bits is None:
        key = next((key for key in ("pure_bf16", "bf16", "fp16") if values.at(key)), "bf16")
        return Weights({}, Because("2 bytes a parameter at the least", (key,)))
    path = ("quantization_bit",)
    if values.at("quantization_method") not in (None, "bitsandbytes", "bnb"):
        return Weights(dict.fromkeys(PACKED, 0.0), Because("packed", path), True)
    if bits == 4:
        each = NF4 if values.at("double_quantization") is not False else NF4_PLAIN_SCALES
        because = Because(f"{each:.2f} bytes a weight of linear layers", path)
        return Weights(dict.fromkeys(PACKED, each), because, True)
    each = 1.0 if bits == 8 else 0.0
    return Weights(dict.fromkeys(PACKED, each), Because("packed linear layers", path), True)


def trained(values: Values, base: Base, *, quantized: bool) -> Trained:
    """How many parameters are trained for certain; `finetuning_type` is `lora` by default."""
    kind = values.at("finetuning_type")
    path = ("finetuning_type",)
    shape = base.shape
    if kind == "full":
        if quantized or any(values.at(key) for key in _SOME_PARAMETERS):
            return Trained(0, False, Because("which parameters is not counted", path))
        return all_of(shape, path)
    if kind not in (None, "lora"):
        return Trained(0, kind != "freeze", Because("what is trained is not counted", path))
    rank = known_rank(values.at("lora_rank"), _DEFAULT_RANK)
    if rank is None or values.at("use_llama_pro") or _goes_on(values):
        return Trained(0, True, Because("what the adapter trains is not counted", path))
    targets = values.parted_names("lora_target") or {"all"}
    aimed = linear_names(shape) if "all" in targets else frozenset(targets)
    if shape.partial and "all" in targets:
        # Which modules "all" leaves out depends on what is frozen of the other towers.
        aimed = frozenset()
    count = low_rank(shape, rank, aimed, dora=bool(values.at("use_dora")))
    count += copies(shape, values.parted_names("additional_target"))
    return of_adapter(count, shape, aimed, ("lora_rank",))


def _goes_on(values: Values) -> bool:
    """Whether an adapter that is there already is trained on, with a rank and modules of its own."""
    return bool(values.at("adapter_name_or_path")) and not values.at("create_new_adapter")


def optimizer(values: Values) -> Optimizer:
    """The trainer's optimizer; nothing is certain of LLaMA-Factory's own ones."""
    own = own_optimizer_key(values)
    if own is not None:
        return Optimizer(0, 0.0, False, False, Because(own, (own,)))
    return of_trainer(values.at("optim"), ("optim",), copies=not values.at("optim_args"))


def own_optimizer_key(values: Values) -> str | None:
    """The key that asks for one of LLaMA-Factory's own optimizers; None without one."""
    return next((key for key in _OWN_OPTIMIZERS if values.at(key)), None)
