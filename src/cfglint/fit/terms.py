"""The terms of the bound, each from what is certain of a run."""

from __future__ import annotations

from cfglint.fit.run import Because, Run
from cfglint.record import Record

#: The terms in the order in which they are reported.
NAMES = (
    "weights",
    "adapter",
    "reference",
    "masters",
    "states",
    "gradients",
    "buckets",
    "step",
    "layers",
    "logits",
)
TITLES = {
    "weights": "weights",
    "adapter": "adapter",
    "reference": "reference model",
    "masters": "master weights",
    "states": "optimizer states",
    "gradients": "gradients",
    "buckets": "gradient buckets",
    "step": "optimizer step",
    "layers": "layer inputs",
    "logits": "logits",
}
#: What is there at the optimizer's step, and what at the end of a forward pass.
_AT_STEP = ("gradients", "step")
_AT_FORWARD = ("layers", "logits")


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
    #: `step` or `forward`.
    moment: str

    @property
    def total(self) -> int:
        return sum(term.size for term in self.terms)

    def size(self, name: str) -> int:
        """The bytes of a term; 0 when it is not there at this moment."""
        return sum(term.size for term in self.terms if term.name == name)


def bound(run: Run) -> Bound:
    """The larger of the two moments that every training step passes."""
    sizes = _sizes(run)
    step = {name: size for name, size in sizes.items() if name not in _AT_FORWARD}
    left_out = _AT_STEP if not run.accumulates else _AT_STEP[1:]
    forward = {name: size for name, size in sizes.items() if name not in left_out}
    fuller = "step" if sum(step.values()) >= sum(forward.values()) else "forward"
    chosen = step if fuller == "step" else forward
    terms = (
        Term(name, chosen[name], run.because.get(name, Because("")))
        for name in NAMES
        if chosen.get(name)
    )
    return Bound(tuple(terms), fuller)


def _sizes(run: Run) -> dict[str, int]:
    shards = run.shards
    loaded = sum(part.weights * run.packed.get(part.kind, run.plain) for part in run.shape.parts)
    # Biases are never packed.
    loaded += sum(part.parameters - part.weights for part in run.shape.parts) * run.plain
    sizes = {
        "weights": _share(loaded, shards.weights),
        "reference": _share(loaded * run.references, shards.weights),
        "masters": _share(run.trained * run.master_bytes, shards.states),
        "states": _share(run.trained * run.state_bytes, shards.states),
        "gradients": _share(run.trained * run.gradient_bytes, shards.gradients),
        "buckets": _share(run.trained * run.bucket_bytes, shards.gradients),
        "step": _share(run.trained * run.step_bytes, shards.states),
        "layers": _layers(run),
        "logits": int(run.tokens * run.shape.vocabulary * run.logit_bytes),
    }
    if run.beside:
        sizes["adapter"] = _share(run.trained * run.trained_bytes, shards.weights)
    return sizes


def _layers(run: Run) -> int:
    """The inputs of all layers, in 16 bits, which the backward pass starts from."""
    return 2 * run.tokens * run.shape.hidden * run.shape.layers if run.keeps_layers else 0


def _share(size: float, shards: int) -> int:
    return int(size // shards) if shards else 0
