"""The tensors that a model is made of, from the sizes in its `config.json`."""

from __future__ import annotations

from typing import Any, Literal

from cfglint.base.record import Record

Kind = Literal["linear", "embedding", "head", "router", "experts", "other"]
#: The largest size that is accepted; larger numbers in a `config.json` are errors.
_MOST = 1 << 40


class UnknownShapeError(ValueError):
    """A `config.json` lacks a size, or states one that the family does not have."""


class Part(Record):
    """Tensors of one shape, named as the module that they belong to.

    `linear` are matrices that adapters can aim at and quantization packs. `experts` contain the
    matrices of all experts of a layer; older transformers have them as linear modules, so a bound
    takes them for quantized. `router` is the same for what chooses among experts.
    """

    name: str
    kind: Kind
    outputs: int
    inputs: int = 1
    count: int = 1
    bias: bool = False

    @property
    def weights(self) -> int:
        """The numbers in the matrices, without biases."""
        return self.outputs * self.inputs * self.count

    @property
    def parameters(self) -> int:
        return self.weights + (self.outputs * self.count if self.bias else 0)


class Shape(Record):
    """A language model: its parts, and the sizes that activations follow from."""

    model_type: str
    parts: tuple[Part, ...]
    hidden: int
    #: Layers and entries of the vocabulary that every token passes; 0 with an encoder, whose tokens
    #: are others than the decoder's.
    layers: int
    vocabulary: int
    tied: bool
    #: Whether it is the language model of a model with further towers (vision, audio).
    partial: bool = False
    #: The name of a folder that is not read, by which it is taken for a model; empty where that is certain.
    by_folder: str = ""

    @property
    def parameters(self) -> int:
        return sum(part.parameters for part in self.parts)

    def in_each_layer(self, part: Part) -> int:
        """How many modules of a part each layer certainly has; layers need not be alike.

        Experts are in every layer if their router is.
        """
        routed = {other.count for other in self.parts if other.kind == "router"}
        even = part.kind == "linear" or (part.kind == "experts" and routed == {self.layers})
        if not self.layers or not even or part.count % self.layers:
            return 0
        return part.count // self.layers

    def kinds(self, *kinds: Kind) -> int:
        """The parameters of the parts of some kinds."""
        return sum(part.parameters for part in self.parts if part.kind in kinds)


class Sizes:
    """The numbers of a `config.json`, each checked before it is multiplied."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config

    def number(self, *names: str, default: int | None = None) -> int:
        """A whole number under the first of some names that has one.

        Raises:
            UnknownShapeError: there is none, and no default.
        """
        for name in names:
            value = self._config.get(name)
            if value is None:
                continue
            if type(value) is not int or not 0 <= value < _MOST:
                raise UnknownShapeError(name)
            return value
        if default is None:
            raise UnknownShapeError(names[0])
        return default

    def flag(self, name: str, default: bool) -> bool:
        """A boolean; null is false, as in transformers."""
        value = self._config.get(name, default)
        if value is not None and type(value) is not bool:
            raise UnknownShapeError(name)
        return bool(value)

    def written(self, name: str) -> Any:
        return self._config.get(name)


def linear(name: str, inputs: int, outputs: int, count: int = 1, bias: bool = False) -> Part:
    return Part(name, "linear", outputs, inputs, count, bias)


def vector(name: str, size: int, count: int = 1, bias: bool = False) -> Part:
    """A parameter that is not a matrix: the scale of a norm, and its shift if it has one."""
    return Part(name, "other", size, 1, count, bias)
