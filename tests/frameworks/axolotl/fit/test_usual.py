"""Runs that an estimate can be made of."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.axolotl.fit.usual import usual
from tests.draws import each
from tests.frameworks.axolotl.fit.planning import BASE, values


@each(
    ("more", "expected"),
    [
        ({}, True),
        ({"gradient_checkpointing": True}, True),
        ({"gradient_checkpointing": False}, True),
        ({"gradient_checkpointing": "offload"}, False),
        ({"activation_offloading": True}, False),
        ({"activation_offloading": False}, True),
        ({"layer_offloading": True}, False),
        ({"tiled_mlp": True}, False),
        ({"torch_compile": True}, False),
        ({"lisa_n_layers": 4}, False),
    ],
)
def test_settings_that_were_measured(more: dict[str, Any], expected: bool) -> None:
    found = usual(values({**BASE, **more}))
    assert (found is not None) is expected
    if found is not None:
        assert found.checkpoints is (more.get("gradient_checkpointing") is True)
