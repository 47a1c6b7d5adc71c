"""The base model of a config."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.axolotl.fit.model import base_model
from cfglint.runs.memory.planning import NotCertainError
from tests.draws import each
from tests.frameworks.axolotl.fit.planning import SIZE, values

NAME = "NousResearch/Meta-Llama-3-8B"


@each(
    "more",
    [
        {},
        {"base_model_config": NAME},
        {"type_of_model": "LlamaForCausalLM"},
        {"model_type": "AutoModelForCausalLM", "type_of_model": ""},
        {"overrides_of_model_config": {}},
    ],
)
def test_its_sizes_are_known(more: dict[str, Any]) -> None:
    found = base_model(values({"base_model": NAME, **more}), nowhere())
    assert found.shape.parameters == SIZE
    assert found.quantization is None


@each(
    ("more", "reason"),
    [
        ({"base_model_config": "a/b"}, "names another model"),
        ({"type_of_model": "OwnModel"}, "the class that `type_of_model` names"),
        ({"model_type": "OwnModel"}, "the class that `model_type` names"),
        ({"type_of_model": ["LlamaForCausalLM"]}, "the class that `type_of_model` names"),
        ({"overrides_of_model_config": {"a": 1}}, "overrides_of_model_config"),
        ({"overrides_of_model_kwargs": {"a": 1}}, "overrides_of_model_kwargs"),
        ({"base_model": "a/unheard-of"}, "base_model"),
    ],
)
def test_nothing_is_certain(more: dict[str, Any], reason: str) -> None:
    with pytest.raises(NotCertainError, match=reason):
        base_model(values({"base_model": NAME, **more}), nowhere())


@each("key", ["reward_model", "process_reward_model"])
def test_a_reward_model_has_another_head(key: str) -> None:
    found = base_model(values({"base_model": NAME, key: True}), nowhere())
    assert {part.kind for part in found.shape.parts}.isdisjoint({"head"})
    assert found.shape.parameters < SIZE
    assert base_model(values({"base_model": NAME, key: False}), nowhere()).shape.parameters == SIZE
