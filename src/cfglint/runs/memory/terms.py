"""The terms of the bound, computed from the certain quantities of a run."""

from __future__ import annotations

from cfglint.base.record import Record
from cfglint.runs.memory.parts import Part
from cfglint.runs.memory.run import Because, MemoryRun

#: The terms in the order in which they are reported.
NAMES = (
    "weights",
    "gathered",
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
    "recomputed",
    "logits",
)
TITLES = {
    "weights": "weights",
    "gathered": "gathered layer",
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
    "recomputed": "recomputed layer",
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
    """The memory of a GPU at the moment with the highest certain use."""

    terms: tuple[Term, ...]
    #: `step`, `forward`, `layer` or `backward`.
    moment: str

    @property
    def total(self) -> int:
        return sum(term.size for term in self.terms)

    def size(self, name: str) -> int:
        """The bytes of a term; 0 if it does not exist at this moment."""
        return sum(term.size for term in self.terms if term.name == name)


def bound(run: MemoryRun) -> Bound:
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


def _absent(run: MemoryRun) -> dict[str, set[str]]:
    """The terms that do not count at each moment.

    These are the step, the begin of a backward pass, where the last layer is recomputed, and
    its end.
    """
    between = set() if run.keeps_reduction else {"reduction"}
    before = set() if run.accumulates else {"gradients"}
    return {
        "step": {"gathered", "layers", "recomputed", "logits"} | between,
        "forward": {"gathered", "step", "recomputed"} | between | before,
        "layer": {"step", "logits"} | between | before,
        "backward": {"layers", "recomputed", "logits", "step"},
    }


def sizes(run: MemoryRun) -> dict[str, int]:
    """The bytes of each term, at whichever moment it is there."""
    shards = run.shards
    loaded = sum(part.count * _loaded(part, run, run.plain) for part in run.shape.parts)
    embeddings = run.shape.kinds("embedding") * run.embedding_state_bytes
    found = {
        "weights": _share(loaded, shards.weights),
        "gathered": _gathered(run),
        "reference": _share(loaded * run.references, shards.weights),
        "generator": int(2 * run.shape.parameters * run.generators),
        "masters": _share(run.trained * run.master_bytes, shards.states),
        "states": _share(run.trained * run.state_bytes + embeddings, shards.states),
        "gradients": _share(run.trained * run.gradient_bytes, shards.gradients),
        "buckets": _share(run.trained * run.bucket_bytes, shards.gradients),
        "step": _share(run.trained * run.step_bytes, shards.states),
        "reduction": run.reduction,
        "layers": _share(_layers(run), shards.layers),
        "recomputed": _share(_last_layer(run), shards.layers),
        "logits": _share(run.tokens * run.shape.vocabulary * run.logit_bytes, shards.layers),
    }
    if run.is_adapter:
        found["adapter"] = _share(run.trained * run.trained_bytes, shards.weights)
    return found


def _loaded(part: Part, run: MemoryRun, plain: float) -> float:
    """The bytes of one of a part's modules, of whose parameters `plain` bytes each are not packed."""
    weights = part.outputs * part.inputs
    # Biases are never packed.
    return weights * run.packed.get(part.kind, plain) + (part.outputs * plain if part.bias else 0)


def _gathered(run: MemoryRun) -> int:
    """What every layer has of matrices, in 16 bits, where they come together."""
    if not run.gathers_layers:
        return 0
    shape = run.shape
    return int(sum(shape.in_each_layer(part) * _loaded(part, run, 2.0) for part in shape.parts))


def _layers(run: MemoryRun) -> int:
    """What all layers keep for the backward pass, in 16 bits.

    With checkpointing their inputs alone, from which the rest is computed again.
    """
    shape = run.shape
    numbers = shape.hidden * shape.layers if run.keeps_layers else 0
    if run.keeps_layers and run.keeps_inside:
        # An adapter's gradients do not reach behind it in the first layer.
        first = 1 if run.is_adapter else 0
        numbers += sum((part.count - first) * _inside(part, run) for part in shape.parts)
    return 2 * run.tokens * numbers


def _last_layer(run: MemoryRun) -> int:
    """What the last layer recomputes while the inputs of all others are still there."""
    if not run.recomputes_layers:
        return 0
    shape = run.shape
    numbers = sum(shape.in_each_layer(part) * _inside(part, run) for part in shape.parts)
    return 2 * run.tokens * numbers


def _inside(part: Part, run: MemoryRun) -> int:
    """The numbers that a module keeps for each token.

    The product in a gated block is its matrix's input, which is not needed where an adapter alone
    is trained; a compiled model may compute it again.
    """
    if part.name in _KEPT_OUTPUTS:
        return part.outputs
    product = part.name == _AFTER_GATES and not run.is_adapter and not run.compiled
    return part.inputs if part.name == _AFTER_ATTENTION or product else 0


def _share(size: float, shards: int) -> int:
    return int(size // shards) if shards else 0
