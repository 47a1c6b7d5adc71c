"""The base model of a config."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.runs.memory.base import Base, check_elsewhere, stated_base
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.values import Values

#: Classes of models that have a head over the vocabulary.
_USUAL_CLASSES = frozenset(
    {
        "AutoModelForCausalLM", "LlamaForCausalLM", "MistralForCausalLM", "MixtralForCausalLM",
        "Qwen2ForCausalLM", "GemmaForCausalLM", "AutoModelForImageTextToText",
    }
)  # fmt: skip


def _is_usual(name: object) -> bool:
    return isinstance(name, str) and name in _USUAL_CLASSES


def base_model(values: Values, around: Surroundings) -> Base:
    """The base model.

    Raises:
        NotCertainError: its sizes are not known for certain.
    """
    name = values.at("base_model")
    other = values.at("base_model_config")
    if other is not None and other != name:
        raise NotCertainError("`base_model_config` names another model than `base_model`")
    check_elsewhere(values, ("overrides_of_model_config", "overrides_of_model_kwargs"))
    found = stated_base("base_model", name, values.at("revision_of_model"), around)
    for key in ("type_of_model", "model_type"):
        if values.at(key) and not _is_usual(values.at(key)):
            raise NotCertainError(
                f"the class that `{key}` names is not known to be a language model"
            )
    if values.at("reward_model") or values.at("process_reward_model"):
        # The head is one over a few labels.
        parts = tuple(part for part in found.shape.parts if part.kind != "head")
        return found.replaced(shape=found.shape.replaced(parts=parts))
    return found
