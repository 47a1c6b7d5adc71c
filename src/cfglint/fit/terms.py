"""The terms of the bound, each from what is certain of a run."""

from __future__ import annotations

from cfglint.fit.parts import Part
from cfglint.fit.run import Because, Run
from cfglint.record import Record

#: The terms in the order in which they are reported.
NAMES = (
    "weights",
    "adapter",
    "reference",
    "generator",
    "masters",
    "states",
    "gradients",
    "buckets",
    "reduction",
    "step",
    "layers",
    "logits",
)
TITLES = {
    "weights": "weights",
    "adapter": "adapter",
    "reference": "reference model",
    "generator": "vLLM's weights",
    "masters": "master weights",
    "states": "optimizer states",
    "gradients": "gradients",
    "buckets": "gradient buckets",
    "reduction": "reduction buffers",
    "step": "optimizer step",
    "layers": "activations",
    "logits": "logits",
}
#: Modules whose outputs the backward pass needs: attention has its queries, keys and values, and the
#: product in a gated block its factors. Attention's result is kept by itself, too, that product
#: only to train the matrix behind it.
_KEPT_OUTPUTS = frozenset(
    {"q_proj", "k_proj", "v_proj", "qkv_proj", "gate_proj", "up_proj", "gate_up_proj"}
)
_AFTER_ATTENTION, _AFTER_GATES = "o_proj", "down_proj"


class Term(Record):
    """Bytes on one GPU, with their reason."""

    name: str
    size: int
    because: Because

    @property
    def title(self) -> str:
        return TITLES[self.name]


class Bound(Record):
    """What a GPU holds at the fullest moment that is certain."""

    terms: tuple[Term, ...]
    #: `step`, `forward` or `backward`.
    moment: str

    @property
    def total(self) -> int:
        return sum(term.size for term in self.terms)

    def size(self, name: str) -> int:
        """The bytes of a term; 0 when it is not there at this moment."""
        return sum(term.size for term in self.terms if term.name == name)


def bound(run: Run) -> Bound:
    """The largest of the moments that every training step passes."""
    found = sizes(run)
    moments = {
        moment: {name: size for name, size in found.items() if name not in absent}
        for moment, absent in _absent(run).items()
    }
    fullest = max(moments, key=lambda moment: sum(moments[moment].values()))
    chosen = moments[fullest]
    terms = (
        Term(name, chosen[name], run.because.get(name, Because("")))
        for name in NAMES
        if chosen.get(name)
    )
    return Bound(tuple(terms), fullest)


def _absent(run: Run) -> dict[str, set[str]]:
    """The terms that do not count at each moment: the step, a backward pass's begin and end."""
    between = set() if run.keeps_reduction else {"reduction"}
    before = set() if run.accumulates else {"gradients"}
    return {
        "step": {"layers", "logits"} | between,
        "forward": {"step"} | between | before,
        "backward": {"layers", "logits", "step"},
    }


def sizes(run: Run) -> dict[str, int]:
    """The bytes of each term, at whichever moment it is there."""
    shards = run.shards
    loaded = sum(part.weights * run.packed.get(part.kind, run.plain) for part in run.shape.parts)
    # Biases are never packed.
    loaded += sum(part.parameters - part.weights for part in run.shape.parts) * run.plain
    embeddings = run.shape.kinds("embedding") * run.embedding_state_bytes
    found = {
        "weights": _share(loaded, shards.weights),
        "reference": _share(loaded * run.references, shards.weights),
        "generator": int(2 * run.shape.parameters * run.generators),
        "masters": _share(run.trained * run.master_bytes, shards.states),
        "states": _share(run.trained * run.state_bytes + embeddings, shards.states),
        "gradients": _share(run.trained * run.gradient_bytes, shards.gradients),
        "buckets": _share(run.trained * run.bucket_bytes, shards.gradients),
        "step": _share(run.trained * run.step_bytes, shards.states),
        "reduction": run.reduction,
        "layers": _share(_layers(run), shards.layers),
        "logits": _share(run.tokens * run.shape.vocabulary * run.logit_bytes, shards.layers),
    }
    if run.beside:
        found["adapter"] = _share(run.trained * run.trained_bytes, shards.weights)
    return found


def _layers(run: Run) -> int:
    """What all layers keep for the backward pass, in 16 bits.

    With checkpointing their inputs alone, from which the rest is computed again.
    """
    shape = run.shape
    numbers = shape.hidden * shape.layers if run.keeps_layers else 0
    if run.keeps_layers and run.keeps_inside:
        numbers += sum(_inside(part, beside=run.beside) for part in shape.parts)
    return 2 * run.tokens * numbers


def _inside(part: Part, *, beside: bool) -> int:
    """The numbers that modules of one name keep for each token.

    Args:
        beside: whether an adapter alone is trained, so that matrices do not need their inputs.
    """
    count = part.count - 1 if beside else part.count
    if part.name in _KEPT_OUTPUTS:
        return part.outputs * count
    if part.name == _AFTER_ATTENTION or (part.name == _AFTER_GATES and not beside):
        return part.inputs * count
    return 0


def _share(size: float, shards: int) -> int:
    return int(size // shards) if shards else 0
