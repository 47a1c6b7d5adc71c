"""Which modules the patterns in use name."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge import compiled
from cfglint.runs.memory.adapters import named_by
from cfglint.runs.memory.families import shape
from tests.draws import each

SHAPES: dict[str, dict[str, Any]] = compiled.load("shapes").SHAPES
ALL = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}
IN_BLOCKS = (
    r"model.language_model.layers.[\d]+.(mlp|cross_attn|self_attn).(up|down|gate|q|k|v|o)_proj"
)
WRAPPED = (
    r"model.language_model.layers.[\d]+.(_checkpoint_wrapped_module.)?(mlp|self_attn)"
    r".(up|down|gate|q|k|v|o)_proj"
)
APART = r"model\.language_model\.layers\.\d+\.(self_attn\.(q|k|v|o)_proj|mlp\.(gate|up|down)_proj)"


@each(
    ("model", "pattern", "expected"),
    [
        ("gemma-4-12b", IN_BLOCKS, ALL),
        ("gemma-4-12b", WRAPPED, ALL),
        ("gemma-4-12b", APART, ALL),
        ("gemma-4-12b", APART.replace("self_attn", "attn"), set()),
        ("gemma-4-12b", IN_BLOCKS.replace("model.language_model", "language_model.model"), ALL),
        ("gemma-4-12b", IN_BLOCKS.replace("model.language_model", "model"), ALL),
        ("gemma-4-12b", IN_BLOCKS.replace("language_model", "vision_tower"), set()),
        ("gemma-4-12b", IN_BLOCKS.replace("mlp|", ""), set()),
        ("gemma-4-12b", IN_BLOCKS.replace("[\\d]+", "(3|7)"), set()),
        # Its attention has a gate, too.
        ("muse-glimmer-30b", IN_BLOCKS, ALL),
        ("muse-glimmer-30b", APART, ALL - {"gate_proj"}),
        # A block may hold experts.
        ("glm-4.7-flash", IN_BLOCKS, set()),
    ],
)
def test_modules_of_patterns(model: str, pattern: str, expected: set[str]) -> None:
    found = shape(SHAPES[model])
    assert found is not None
    assert named_by(pattern, found) == expected
