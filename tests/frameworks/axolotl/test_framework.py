"""How Axolotl reads what checks of all frameworks ask it about."""

from __future__ import annotations

from typing import Any

import pytest

from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.document import Document, Path
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText

AXOLOTL = Axolotl()
KEYS = AXOLOTL.release_keys("0.21.0")


def document(text: str) -> Document:
    return compose(SourceText(text))


@pytest.mark.parametrize(
    ("section", "name", "value", "read"),
    [
        ("", "datasets", ["", [], {"path": "x"}], [{}, {}, {"path": "x"}]),
        ("", "datasets", "", ""),
        ("", "test_datasets", [""], [""]),
        ("", "plugins", ["", []], ["", []]),
        ("x", "datasets", [""], [""]),
    ],
)
def test_empty_entries_of_datasets(section: str, name: str, value: Any, read: Any) -> None:
    assert AXOLOTL.as_read(section, name, value, document("a: 1\n"), KEYS) == read


@pytest.mark.parametrize(
    ("section", "name", "kind", "asks_for_nothing"),
    [
        ("datasets[]", "field_instruction", "alpaca", True),
        ("datasets[]", "field_instruction", "completion", False),
        ("test_datasets[]", "field_output", "completion", False),
        ("datasets[]", "split", "completion", True),
        ("datasets[].type", "field_instruction", "completion", True),
        ("", "field_instruction", "completion", True),
    ],
)
def test_columns_that_are_read_in_any_case(
    section: str, name: str, kind: str, asks_for_nothing: bool
) -> None:
    path: Path = ("datasets", 0, name)
    text = f"datasets:\n  - path: x\n    type: {kind}\n    {name}: y\n"
    assert AXOLOTL.asks_for_nothing(section, name, path, document(text)) is asks_for_nothing


@pytest.mark.parametrize(
    ("section", "name", "own"),
    [
        ("fsdp_config", "fsdp_offload_params", "offload_params"),
        ("fsdp_config", "offload_params", "offload_params"),
        ("", "fsdp_config", "fsdp_config"),
        ("trl", "fsdp_offload_params", "fsdp_offload_params"),
    ],
)
def test_the_prefix_of_fsdp_keys(section: str, name: str, own: str) -> None:
    assert AXOLOTL.own_key(section, name) == own
