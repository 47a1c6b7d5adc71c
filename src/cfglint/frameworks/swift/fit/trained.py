"""What ms-swift trains: `pipelines/train/tuner.py`, before 4.0 `llm/train/tuner.py`."""

from __future__ import annotations

from cfglint.base.type_names import Final
from cfglint.frameworks.swift.fit.model import RENAMED_SINCE
from cfglint.runs.memory.adapters import (
    copies,
    linear_names,
    low_rank,
    named_by,
)
from cfglint.runs.memory.optimizers import Optimizer, of_trainer
from cfglint.runs.memory.parts import Shape
from cfglint.runs.memory.run import Because
from cfglint.runs.memory.trained import Trained, all_of, known_rank, of_adapter
from cfglint.runs.memory.values import Values

FULL, LORA = "full", "lora"
#: The names of the argument that says what is trained, the newest first.
_KINDS = ("tuner_type", "train_type", "sft_type")
_TUNER_SINCE: Final = "4.0.0"
_RANK: Final = 8
#: With one of these, only some of the parameters are trained.
_SOME_PARAMETERS = (
    *("freeze_parameters", "freeze_parameters_regex", "freeze_parameters_ratio"),
    "lisa_activated_layers",
)
#: An adapter that is there already has a rank and modules of its own.
_GOES_ON = ("adapters", "resume_from_checkpoint")
#: All matrices but the head, since 3.0 and up to 2.6.
_ALL = frozenset({"all-linear", "ALL"})
#: What the default is up to 2.6 of models with such modules.
_DEFAULT, _OF_DEFAULT = frozenset({"DEFAULT", "AUTO"}), frozenset({"q_proj", "k_proj", "v_proj"})
#: Values of `optimizer` with which the one that `optim` names still steps.
_OF_TRAINER = (None, "default", "lorap", "multimodal")


def kind_key(values: Values) -> str:
    """The argument that says what is trained: the written one, or that of the release."""
    for key in _KINDS:
        if values.at(key) is not None:
            return key
    if not values.since(RENAMED_SINCE):
        return "sft_type"
    return "tuner_type" if values.since(_TUNER_SINCE) else "train_type"


def kind_of(values: Values) -> object:
    """What is trained: `lora` where nothing is written."""
    written = values.at(kind_key(values))
    return LORA if written is None else written


def trained(values: Values, shape: Shape, *, quantized: bool) -> Trained:
    """How many parameters are trained for certain."""
    kind, path = kind_of(values), (kind_key(values),)
    if kind == FULL:
        if quantized:
            return Trained(0, False, Because("quantized weights are not trained", path))
        if _trains_some(values) or (shape.partial and values.at("freeze_llm")):
            return Trained(0, False, Because("which parameters is not counted", path))
        return all_of(shape, path)
    rank = known_rank(values.at("lora_rank"), _RANK)
    if kind != LORA or rank is None or any(values.at(key) for key in _GOES_ON):
        return Trained(0, True, Because("what the adapter trains is not counted", path))
    aimed = _targets(values, shape)
    count = low_rank(shape, rank, aimed, dora=bool(values.at("use_dora")))
    count += copies(
        shape, values.parted_names("modules_to_save") | values.parted_names("lora_modules_to_save")
    )
    return of_adapter(count, shape, aimed, ("lora_rank",))


def _trains_some(values: Values) -> bool:
    return any(values.at(key) for key in _SOME_PARAMETERS) or "lisa" in values.names("callbacks")


def _targets(values: Values, shape: Shape) -> frozenset[str]:
    """The names of the modules that have an adapter, as far as they are those of the language model."""
    pattern = values.at("target_regex")
    if pattern:
        return named_by(str(pattern), shape)
    is_newer = values.since(RENAMED_SINCE)
    names = values.parted_names("target_modules") | values.parted_names("lora_target_modules")
    names = names or {"all-linear" if is_newer else "DEFAULT"}
    if shape.partial and (values.at("freeze_llm") or not is_newer) and names & (_ALL | _DEFAULT):
        # Of such a model, all matrices are those of the parts that are not frozen.
        return frozenset()
    found = frozenset(names)
    every = linear_names(shape)
    if names & _ALL:
        found |= every
    if names & _DEFAULT and every >= _OF_DEFAULT:
        found |= _OF_DEFAULT
    return found


def optimizer(values: Values) -> Optimizer:
    """The trainer's optimizer; nothing is certain of ms-swift's own ones."""
    own = own_optimizer_key(values)
    if own:
        return Optimizer(0, 0.0, False, False, Because(str(values.at(own))[:60], (own,)))
    return of_trainer(optimizer_name(values), ("optim",), copies=not values.at("optim_args"))


def optimizer_name(values: Values) -> str | None:
    """The name of the optimizer that is written, or the default; None for that of transformers."""
    written = values.at("optim")
    if written is not None:
        return str(written)
    return None if values.since(RENAMED_SINCE) else "adamw_torch"


def own_optimizer_key(values: Values) -> str:
    """The key that asks for one of ms-swift's own optimizers; empty without one."""
    if values.at("use_galore"):
        return "use_galore"
    return "" if values.at("optimizer") in _OF_TRAINER else "optimizer"
