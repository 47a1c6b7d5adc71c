"""What an adapter trains: its own matrices, and the modules that are copied to be trained whole."""

from __future__ import annotations

from collections.abc import Collection

from cfglint.fit.parts import Part, Shape


def linear_names(shape: Shape) -> frozenset[str]:
    """The names of all modules that hold matrices, without the head."""
    return frozenset(part.name for part in shape.parts if part.kind == "linear")


def low_rank(shape: Shape, rank: int, targets: Collection[str], *, dora: bool = False) -> int:
    """The trainable parameters of low-rank adapters on the modules of some names.

    Args:
        targets: the last parts of the modules' names.
        dora: whether each matrix gets a vector of magnitudes as well.
    """
    return sum(
        _of_part(part, rank, dora)
        for part in shape.parts
        if part.kind == "linear" and part.name in targets
    )


def _of_part(part: Part, rank: int, dora: bool) -> int:
    return part.count * (rank * (part.inputs + part.outputs) + (part.outputs if dora else 0))


def copies(shape: Shape, modules: Collection[str]) -> int:
    """The parameters of the embedding and the head, as far as they are copied to be trained."""
    ends = ("embedding", "head")
    names = {part.name for part in shape.parts if part.kind in ends} & set(modules)
    return sum(part.parameters for part in shape.parts if part.name in names)
