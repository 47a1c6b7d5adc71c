"""The base model of a config: the sizes that its files or its name tell."""

from __future__ import annotations

from typing import Any

from cfglint import compiled
from cfglint.environment.surroundings import Surroundings
from cfglint.files.hub import may_have_files
from cfglint.fit.families import shape
from cfglint.fit.parts import Shape
from cfglint.frameworks.axolotl.fit.values import Values
from cfglint.logic import MISSING
from cfglint.record import Record

#: Classes of models that have a head over the vocabulary.
_USUAL_CLASSES = frozenset(
    {
        "AutoModelForCausalLM", "LlamaForCausalLM", "MistralForCausalLM", "MixtralForCausalLM",
        "Qwen2ForCausalLM", "GemmaForCausalLM", "AutoModelForImageTextToText",
    }
)  # fmt: skip


class Base(Record):
    """A base model, and how its checkpoint is quantized."""

    shape: Shape
    #: The `quantization_config` of its `config.json`, if it has one.
    quantization: Any = None


def base_model(values: Values, around: Surroundings) -> Base | None:
    """The base model; None when its sizes are not known for certain."""
    name = values.at("base_model")
    other = values.at("base_model_config")
    if not isinstance(name, str) or not name or (other is not None and other != name):
        return None
    config = _config(name, values, around)
    if config is None or any(
        values.at(key) for key in ("overrides_of_model_config", "overrides_of_model_kwargs")
    ):
        return None
    found = shape(config)
    named = [values.at(key) for key in ("type_of_model", "model_type")]
    if found is None or not set(filter(None, named)) <= _USUAL_CLASSES:
        return None
    if values.at("reward_model") or values.at("process_reward_model"):
        # The head is one over a few labels.
        parts = tuple(part for part in found.parts if part.kind != "head")
        found = found.replaced(parts=parts)
    text = config.get("text_config")
    inner = text.get("quantization_config") if isinstance(text, dict) else None
    return Base(found, config.get("quantization_config") or inner)


def _config(name: str, values: Values, around: Surroundings) -> dict[str, Any] | None:
    folder = around.folder
    if folder is not None and may_have_files(name, folder, around.files):
        from cfglint.files.model import config_of

        revision = values.at("revision_of_model")
        key = ("model config", name, folder, str(revision))
        stated = around.memory.once(key, lambda: config_of(name, folder, around.files, revision))
        if stated is not None:
            return stated
    if name.count("/") != 1 or name.startswith((".", "~", "/")):
        return None
    table: dict[str, dict[str, Any]] = compiled.load("shapes").SHAPES
    found = table.get(name.rpartition("/")[2].lower(), MISSING)
    return found if isinstance(found, dict) else None
