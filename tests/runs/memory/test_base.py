"""Base models: where their sizes are from, and how many bytes a weight of theirs takes."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from cfglint.environment.surroundings import Memory, Surroundings
from cfglint.roles.framework import load_framework
from cfglint.runs.memory.base import (
    NF4,
    Base,
    check_elsewhere,
    is_elsewhere,
    is_path,
    of_checkpoint,
    stated_base,
)
from cfglint.runs.memory.planning import NotCertainError
from cfglint.runs.memory.values import values_of
from cfglint.source.files.memory import InMemory
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText
from tests.draws import each


@each(
    ("quantization", "expected"),
    [
        ({"quant_method": "mxfp4"}, 0.53125),
        ({"quant_method": "fp8"}, 1),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, NF4),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True, "load_in_4bit": False}, 1),
        ({"quant_method": "bitsandbytes"}, 0),
        ({"quant_method": "gptq", "bits": 4}, 0),
        ("fp8", 0),
        (None, 0),
    ],
)
def test_bytes_of_a_packed_weight(quantization: Any, expected: float) -> None:
    assert of_checkpoint(quantization) == expected


LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "vocab_size": 100,
}


def around(folder: str | None = "p", **models: object) -> Surroundings:
    """A project with models in folders of these names; a text is a broken `config.json`."""
    files = {
        f"p/{name}/config.json": config.encode()
        if isinstance(config, str)
        else json.dumps(config).encode()
        for name, config in models.items()
    }
    return Surroundings(
        Memory(),
        InMemory({"p/.git/HEAD": b"", **files}),
        folder=None if folder is None else os.path.abspath(folder),
    )


def base(name: object, place: Surroundings | None = None) -> Base:
    return stated_base("model", name, None, around() if place is None else place)


def test_a_model_of_the_project() -> None:
    found = base("./mine", around(mine=LLAMA))
    assert (found.shape.hidden, found.shape.by_folder, found.quantization) == (64, "", None)


@each(
    ("config", "expected"),
    [
        ({**LLAMA, "quantization_config": {"quant_method": "fp8"}}, {"quant_method": "fp8"}),
        (
            {**LLAMA, "text_config": {**LLAMA, "quantization_config": {"bits": 4}}},
            {"bits": 4},
        ),
        ({**LLAMA, "text_config": "none"}, None),
    ],
)
def test_the_quantization_of_a_model(config: dict[str, Any], expected: Any) -> None:
    assert base("./mine", around(mine=config)).quantization == expected


def test_a_model_of_the_table() -> None:
    known = base("Qwen/Qwen3-0.6B")
    assert known.shape.hidden == 1024
    assert base("anyone/qwen3-0.6b").shape == known.shape
    assert base("Qwen/Qwen3-0.6B", around(None)).shape == known.shape
    # A folder elsewhere is mostly called as the model that it is a copy of.
    for name in ("/data/Qwen3-0.6B", "~/models/Qwen3-0.6B/"):
        assert base(name).shape == known.shape.replaced(by_folder="Qwen3-0.6B")


@each(
    ("name", "why"),
    [
        (None, "`model` names no model"),
        ("", "`model` names no model"),
        (5, "`model` names no model"),
        ("a/b", "it is not in cfglint's table, and its `config.json` is not in the hub's cache"),
        ("./none", "no folder of that name is in the project; create it"),
        ("./Qwen3-0.6B", "no folder of that name is in the project"),
        ("/data/none", "the folder is not in the project, outside of which nothing is read"),
        ("~/none", "the folder is not in the project"),
        ("./broken", "the folder has no `config.json` that can be read"),
        ("./other", "is of the type `unheard-of`, which is not known, or lacks a size"),
        ("a/" + "b" * 99, "`model: a/" + "b" * 78 + "`"),
    ],
)
def test_a_model_of_unknown_sizes(name: object, why: str) -> None:
    place = around(broken="{", other={"model_type": "unheard-of"})
    with pytest.raises(NotCertainError) as told:
        base(name, place)
    assert why in str(told.value)


@each(
    ("name", "path", "elsewhere"),
    [
        ("a/b", False, False),
        ("a", True, False),
        ("a/b/c", True, False),
        ("./a", True, False),
        ("../a", True, False),
        ("~/a", True, True),
        ("/a", True, True),
        ("a\\b/c", True, False),
    ],
)
def test_names_of_models(name: str, path: bool, elsewhere: bool) -> None:
    assert is_path(name) is path
    assert is_elsewhere(name, around()) is elsewhere
    assert is_elsewhere(name, around(None)) is elsewhere


def test_a_path_from_the_root_may_be_of_the_project() -> None:
    place = around(mine=LLAMA)
    assert not is_elsewhere(os.path.abspath("p/mine"), place)
    assert base(os.path.abspath("p/mine"), place).shape.by_folder == ""


@each(
    ("text", "named"),
    [
        ("a: 1\nb: true\nc: x\nd: y\n", "`a` and `b` and `c` may put"),
        ("a: 0\nb: false\nc:\nd: y\n", "`d` may put"),
        ("a: 0\nx: 1\n", None),
    ],
)
def test_what_may_put_parts_elsewhere(text: str, named: str | None) -> None:
    document = language("yaml").read(SourceText(text))
    values = values_of(document, load_framework("axolotl"), "0.21.0")
    if named is None:
        check_elsewhere(values, "abcd")
    else:
        with pytest.raises(NotCertainError) as told:
            check_elsewhere(values, "abcd")
        assert str(told.value).startswith(named)
