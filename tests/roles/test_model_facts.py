"""What is known of the model that a file names."""

from __future__ import annotations

import json
import os

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.roles.framework import load_framework
from cfglint.roles.model_facts import fact_of_model
from cfglint.source.files.memory import InMemory
from tests.draws import each

KNOWLEDGE = load_framework("axolotl").knowledge


def around(
    folder: str | None = "p", configs: dict[str, dict[str, Any]] | None = None
) -> Surroundings:
    """A project with models in folders of these names."""
    files = {
        f"p/{name}/config.json": json.dumps(config).encode()
        for name, config in (configs or {}).items()
    }
    return Surroundings(
        Memory(),
        InMemory({"p/.git/HEAD": b"", **files}),
        folder=None if folder is None else os.path.abspath(folder),
    )


@each(
    ("fact", "written", "value"),
    [
        ("model.layers", "Qwen/Qwen3-0.6B", 28),
        ("model.layers", "anyone/qwen3-0.6b/", 28),
        ("model.layers", "/data/Qwen3-0.6B", 28),
        ("model.family", "Qwen/Qwen3-0.6B", "qwen3"),
        ("model.made_up", "Qwen/Qwen3-0.6B", UNKNOWN),
        ("layers", "Qwen/Qwen3-0.6B", UNKNOWN),
        ("model.layers", "a/unheard-of", UNKNOWN),
        ("model.layers", "", UNKNOWN),
        ("model.layers", None, UNKNOWN),
        ("model.layers", 5, UNKNOWN),
    ],
)
def test_a_name(fact: str, written: object, value: Any) -> None:
    assert fact_of_model(fact, written, KNOWLEDGE) == value
    for place in (around(), around(None)):
        assert fact_of_model(fact, written, KNOWLEDGE, place) == value


def test_its_files_count_before_its_name() -> None:
    place = around(
        configs={
            "Qwen3-0.6B": {"model_type": "qwen3", "num_hidden_layers": 3},
            "Qwen3-1.7B": {"model_type": "llama", "num_hidden_layers": 3},
            "mine": {"model_type": "llama", "num_hidden_layers": 3},
        }
    )

    def fact(name: str, written: str) -> Any:
        return fact_of_model(name, written, KNOWLEDGE, place)

    assert fact("model.model_type", "./mine") == "llama"
    assert fact("model.layers", "./mine") == 3
    assert fact("model.layers", "./Qwen3-0.6B") == 3
    # What its files leave open, its name tells, if they are of the same type.
    assert fact("model.template", "./Qwen3-0.6B") == "qwen3"
    assert fact("model.template", "./Qwen3-1.7B") is UNKNOWN
    assert fact("model.template", "./mine") is UNKNOWN
    assert fact("model.layers", "Qwen/Qwen3-0.6B") == 28
