"""Which modules the patterns in use name."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge import compiled
from cfglint.runs.memory.adapters import (
    copies,
    in_every_layer,
    linear_names,
    low_rank,
    named_by,
    on_experts,
    taken_in,
)
from cfglint.runs.memory.families import shape
from cfglint.runs.memory.parts import Kind, Part, Shape
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


def part(name: str, kind: Kind, outputs: int, inputs: int = 1, count: int = 2) -> Part:
    return Part(name, kind, outputs, inputs, count)


TWO_LAYERS = Shape(
    model_type="made-up",
    parts=(
        part("embed", "embedding", 100, 4, 1),
        part("q_proj", "linear", 6, 4),
        part("k_proj", "linear", 3, 4, 1),
        part("mlp", "experts", 30, 5),
        part("gate", "router", 8, 4),
        part("norm", "other", 4),
        part("output", "head", 100, 4, 1),
    ),
    hidden=4,
    layers=2,
    vocabulary=100,
    tied=False,
)
TIED = TWO_LAYERS.replaced(parts=TWO_LAYERS.parts[:-1], tied=True)


@each(
    ("targets", "low", "with_dora", "taken", "everywhere"),
    [
        (["q_proj"], 2 * 3 * 10, 2 * (3 * 10 + 6), 2 * 4, True),
        (["k_proj"], 3 * 7, 3 * 7 + 3, 4, False),
        (["q_proj", "k_proj"], 60 + 21, 72 + 24, 12, True),
        (["mlp", "gate", "embed", "norm"], 0, 0, 0, False),
        ([], 0, 0, 0, False),
    ],
)
def test_matrices_of_an_adapter(
    targets: list[str], low: int, with_dora: int, taken: int, everywhere: bool
) -> None:
    assert low_rank(TWO_LAYERS, 3, targets) == low
    assert low_rank(TWO_LAYERS, 3, targets, dora=True) == with_dora
    assert taken_in(TWO_LAYERS, targets) == taken
    assert in_every_layer(TWO_LAYERS, targets) is everywhere


@each(
    ("parameters", "expected"),
    [
        (["gate_up_proj"], 2 * 3 * (5 + 20)),
        (["down_proj"], 2 * 3 * (5 + 10)),
        (["mlp.experts.gate_up_proj", "a.down_proj"], 150 + 90),
        (["q_proj", "gate_up_proj.x"], 0),
    ],
)
def test_matrices_on_experts(parameters: list[str], expected: int) -> None:
    assert on_experts(TWO_LAYERS, 3, parameters) == expected


@each(
    ("modules", "apart", "tied"),
    [
        (["embed"], 400, 400),
        (["output"], 400, 0),
        # The usual name of a head.
        (["lm_head"], 400, 400),
        (["embed", "lm_head"], 800, 400),
        (["q_proj", "norm"], 0, 0),
        ([], 0, 0),
    ],
)
def test_modules_that_are_copied(modules: list[str], apart: int, tied: int) -> None:
    assert copies(TWO_LAYERS, modules) == apart
    assert copies(TIED, modules) == tied


def test_the_names_of_all_matrices() -> None:
    assert linear_names(TWO_LAYERS) == {"q_proj", "k_proj"}
