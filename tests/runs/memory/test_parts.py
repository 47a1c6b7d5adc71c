"""Which modules each layer of a model has."""

from __future__ import annotations

from cfglint.runs.memory.parts import Part, Shape, linear
from tests.draws import each

LAYERS = 6


def model(*parts: Part, layers: int = LAYERS) -> Shape:
    return Shape("llama", parts, hidden=64, layers=layers, vocabulary=100, tied=False)


@each(
    ("part", "expected"),
    [
        (linear("q_proj", 64, 64, LAYERS), 1),
        (linear("mlp", 64, 64, 3 * LAYERS), 3),
        (linear("gate_proj", 64, 128, 1), 0),
        # Some layers have more of them than others.
        (linear("gate_proj", 64, 128, LAYERS + 1), 0),
        (Part("embed_tokens", "embedding", 100, 64), 0),
        (Part("norm", "other", 64, 1, 2 * LAYERS), 0),
    ],
)
def test_modules_of_each_layer(part: Part, expected: int) -> None:
    assert model(part).in_each_layer(part) == expected


def test_experts_are_where_their_router_is() -> None:
    experts = Part("experts", "experts", 96, 64, 8 * LAYERS)
    everywhere = Part("gate", "router", 8, 64, LAYERS)
    # Sixteen in every other layer are as many.
    in_some = Part("gate", "router", 16, 64, LAYERS // 2)
    assert model(experts, everywhere).in_each_layer(experts) == 8
    assert model(experts, in_some).in_each_layer(experts) == 0
    assert model(experts).in_each_layer(experts) == 0


def test_no_layers_are_counted_with_an_encoder() -> None:
    part = linear("q", 64, 64, LAYERS)
    assert model(part, layers=0).in_each_layer(part) == 0
