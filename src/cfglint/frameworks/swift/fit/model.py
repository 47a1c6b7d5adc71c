"""The base model of a run of ms-swift, and what its command makes of it."""

from __future__ import annotations

from cfglint.base.type_names import Final
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.swift.commands import ARGUMENTS_OF_SECOND, TRAINING, spoken
from cfglint.runs.memory.base import Base, check_elsewhere, stated_base
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.values import Values

#: The names of the model's argument: since 3.0, and up to 2.6.
MODEL, OLDER_MODEL = ("model",), ("model_id_or_path",)
RENAMED_SINCE: Final = "3.0.0"
#: With one of these, parts may lie in other memory than the GPUs', or be built otherwise.
_ELSEWHERE = ("device_map", "device_map_config", "max_memory", "use_ray")
#: Methods that train with models beside their own of which nothing is counted.
_WITH_OTHERS: Final = {
    "ppo": "a value model and a reward model",
    "gkd": "a teacher",
}
#: What a file has that one for inference, export or evaluation has not.
_OF_TRAINING = (
    *("tuner_type", "train_type", "lora_rank", "deepspeed", "fsdp", "optim", "learning_rate"),
    *("num_train_epochs", "max_steps", "per_device_train_batch_size", "save_steps"),
    "gradient_accumulation_steps",
)
#: Tasks for which the model keeps its head; for the others a small one, or none, takes its place.
_WITH_HEAD = (None, "causal_lm", "generative_reranker")


def check_trains(command: str, method: str, values: Values) -> None:
    """Refuse what trains nothing, and what trains in a way that is not counted.

    Raises:
        NotCertainError: it is such a command, method or setting.
    """
    is_second = command.startswith("megatron") or values.at("train_backend") == "megatron"
    if is_second or (not command and any(values.at(key) for key in ARGUMENTS_OF_SECOND)):
        raise NotCertainError(
            "Megatron divides weights, gradients, states and layers by sizes of its own (tensor, pipeline, expert and"
            " context parallelism), which is not counted"
        )
    if not command and not any(values.at(key) is not None for key in _OF_TRAINING):
        raise NotCertainError(
            "it is not known which command of ms-swift reads the file, and it has no argument for training alone"
        )
    if command and command not in TRAINING:
        where = ", the first command of the script," if values.of_command else ""
        raise NotCertainError(f"`{spoken(command)}`{where} does not train")
    if method in _WITH_OTHERS:
        raise NotCertainError(
            f"`rlhf_type: {method}` has {_WITH_OTHERS[method]} beside the model that it trains, which is not counted"
        )
    check_elsewhere(values, _ELSEWHERE)


def base_of(values: Values, method: str, around: Surroundings) -> Base:
    """The base model, without its head where another takes its place.

    Raises:
        NotCertainError: its sizes are not known.
    """
    base = _stated(values, around)
    if method != "rm" and values.at("task_type") in _WITH_HEAD:
        return base
    parts = tuple(part for part in base.shape.parts if part.kind != "head")
    return base.replaced(shape=base.shape.replaced(parts=parts))


def _stated(values: Values, around: Surroundings) -> Base:
    key = model_key(values)
    name, revision = values.at(*key), values.at("model_revision")
    of_list = values.at("model_type")
    if name is not None or values.since(RENAMED_SINCE) or not isinstance(of_list, str):
        return stated_base(key[0], name, revision, around)
    # Up to 2.6, a name of ms-swift's list is enough; most are those of the hub in small letters.
    try:
        return stated_base("model_type", f"modelscope/{of_list.replace('_', '.')}", None, around)
    except NotCertainError:
        raise NotCertainError(
            f"the sizes of `model_type: {of_list[:80]}` are not known; `model_id_or_path` with the model's full name, or"
            " with a folder that has its `config.json`, shows them"
        ) from None


def model_key(values: Values) -> tuple[str, ...]:
    """The key of the base model in a release."""
    return MODEL if values.since(RENAMED_SINCE) else OLDER_MODEL
