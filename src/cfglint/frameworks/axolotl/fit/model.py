"""The base model of a config."""

from __future__ import annotations

from cfglint.environment.surroundings import Surroundings
from cfglint.fit.base import Base, base_of
from cfglint.fit.values import Values

#: Classes of models that have a head over the vocabulary.
_USUAL_CLASSES = frozenset(
    {
        "AutoModelForCausalLM", "LlamaForCausalLM", "MistralForCausalLM", "MixtralForCausalLM",
        "Qwen2ForCausalLM", "GemmaForCausalLM", "AutoModelForImageTextToText",
    }
)  # fmt: skip


def _is_usual(name: object) -> bool:
    return isinstance(name, str) and name in _USUAL_CLASSES


def base_model(values: Values, around: Surroundings) -> Base | None:
    """The base model; None when its sizes are not known for certain."""
    name = values.at("base_model")
    other = values.at("base_model_config")
    if other is not None and other != name:
        return None
    if any(values.at(key) for key in ("overrides_of_model_config", "overrides_of_model_kwargs")):
        return None
    found = base_of(name, values.at("revision_of_model"), around)
    named = [values.at(key) for key in ("type_of_model", "model_type")]
    if found is None or not all(_is_usual(name) for name in named if name):
        return None
    if values.at("reward_model") or values.at("process_reward_model"):
        # The head is one over a few labels.
        parts = tuple(part for part in found.shape.parts if part.kind != "head")
        return found.replaced(shape=found.shape.replaced(parts=parts))
    return found
