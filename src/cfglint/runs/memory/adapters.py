"""The parameters of an adapter: its matrices, and the modules that are copied and fully trained."""

from __future__ import annotations

from collections.abc import Collection

from cfglint.base.lazy import lazy_pattern
from cfglint.runs.memory.parts import Part, Shape

#: What the head is called in families whose models share it with the embedding.
_HEAD = "lm_head"
#: The patterns of modules in use: those in both blocks of all layers of the language model, not
#: of other towers.
_LAYERS = (
    r"(?:model\\?\.)?(?:(?:language|text)_model\\?\.)?(?:model\\?\.)?layers\\?\."
    r"(?:\[\\d\]|\\d)\+\\?\.(?:\(_checkpoint_wrapped_module\\?\.\)\?)?"
)
_IN_BLOCKS = lazy_pattern(_LAYERS + r"\(([a-z_|]+)\)\\?\.\(([a-z|]+)\)_proj")
_BLOCK_BY_BLOCK = lazy_pattern(
    _LAYERS + r"\(self_attn\\?\.\(([a-z|]+)\)_proj\|mlp\\?\.\(([a-z|]+)\)_proj\)"
)


def named_by(pattern: str, shape: Shape) -> frozenset[str]:
    """The names of the modules that a pattern certainly matches, if PEFT finds any.

    A pattern may have any form and take any time, so it is not run: of forms that are not in use,
    nothing is known.
    """
    if shape.kinds("experts"):
        return frozenset()
    blocks = _IN_BLOCKS.fullmatch(pattern)
    if blocks is not None and {"self_attn", "mlp"} <= set(blocks[1].split("|")):
        return frozenset(f"{name}_proj" for name in blocks[2].split("|"))
    apart = _BLOCK_BY_BLOCK.fullmatch(pattern)
    if apart is None:
        return frozenset()
    names = {f"{name}_proj" for name in f"{apart[1]}|{apart[2]}".split("|")}
    counts = {part.name: 0 for part in shape.parts}
    for part in shape.parts:
        counts[part.name] += part.count
    if counts.get("gate_proj") != counts.get("up_proj"):
        # Attention has a gate of the same name.
        names.discard("gate_proj")
    return frozenset(names)


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


def on_experts(shape: Shape, rank: int, parameters: Collection[str]) -> int:
    """The trainable parameters of low-rank adapters on the fused matrices of experts.

    PEFT gives every expert its own rank (`ParamWrapper`, `target_parameters`).

    Args:
        parameters: the names of the matrices: `gate_up_proj`, `down_proj`, or paths that end so.
    """
    names = {name.rpartition(".")[2] for name in parameters}
    found = 0
    for part in shape.parts:
        # Its outputs are those of three matrices of the same size.
        inner = part.outputs // 3
        if part.kind == "experts" and "gate_up_proj" in names:
            found += part.count * rank * (part.inputs + 2 * inner)
        if part.kind == "experts" and "down_proj" in names:
            found += part.count * rank * (part.inputs + inner)
    return found


def _of_part(part: Part, rank: int, dora: bool) -> int:
    return part.count * (rank * (part.inputs + part.outputs) + (part.outputs if dora else 0))


def taken_in(shape: Shape, targets: Collection[str]) -> int:
    """The numbers that the modules of some names take in for each token, in all layers together."""
    return sum(
        part.count * part.inputs
        for part in shape.parts
        if part.kind == "linear" and part.name in targets
    )


def in_every_layer(shape: Shape, targets: Collection[str]) -> bool:
    """Whether an adapter on the modules of some names has matrices in all layers."""
    aimed = (part for part in shape.parts if part.kind == "linear" and part.name in targets)
    return any(part.count >= shape.layers for part in aimed)


def copies(shape: Shape, modules: Collection[str]) -> int:
    """The parameters of the embedding and the head, as far as they are copied to be trained.

    The usual name means the head of a model that had another name for it, too: newer releases of transformers have
    given up such names. A head that shares its matrix with the embedding is copied on its own; where both are named,
    one copy is counted, as PEFT can be asked to keep them one.
    """
    ends = ("embedding", "head")
    names = {
        part.name
        for part in shape.parts
        if part.kind in ends
        and (part.name in modules or (part.kind == "head" and _HEAD in modules))
    }
    if shape.tied and not names and _HEAD in modules:
        return shape.kinds("embedding")
    return sum(part.parameters for part in shape.parts if part.name in names)
