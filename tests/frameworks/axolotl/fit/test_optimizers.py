"""What Axolotl's optimizers keep of an embedding's parameter."""

from __future__ import annotations

from typing import Any

from cfglint.frameworks.axolotl.fit.optimizers import of_embeddings, optimizer
from cfglint.runs.memory.optimizers import in_eight_bits
from tests.draws import each
from tests.frameworks.axolotl.fit.planning import values


@each(
    ("config", "release", "whole"),
    [
        ({"optimizer": "adamw_8bit"}, "0.11.0", 8.0),
        ({"optimizer": "adamw_bnb_8bit"}, "0.21.0", 8.0),
        ({"optimizer": "lion_8bit"}, "0.21.0", 4.0),
        ({"optimizer": "adamw_8bit"}, "0.10.1", None),
        ({"optimizer": "adamw_torch"}, "0.21.0", None),
        ({}, "0.21.0", None),
        # Axolotl makes the optimizer itself.
        ({"optimizer": "adamw_8bit", "embedding_lr": 0.0}, "0.21.0", None),
        ({"optimizer": "adamw_8bit", "lr_groups": []}, "0.21.0", None),
    ],
)
def test_states_in_32_bits(config: dict[str, Any], release: str, whole: float | None) -> None:
    expected = 0.0 if whole is None else whole - in_eight_bits(config["optimizer"])
    assert of_embeddings(values(config, release)) == expected
    assert (expected > 0) is (whole is not None)


def test_the_optimizer_of_deepspeed_takes_its_place() -> None:
    config = values({"optimizer": "adamw_8bit"})
    plain, other = (
        optimizer(config, settings)
        for settings in (None, {"optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}})
    )
    assert plain.because.path == ("optimizer",)
    assert other != plain
