"""What a config could say so that its run needs less memory, and what each costs.

A measure is for advice: unlike an alternative, it is meant to be written into the file, so it says
what it costs, and leaves the global batch as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from cfglint.base.record import NamedTuple, Record
from cfglint.source.document import Path

#: Rows on a GPU are tried down to one, in so many steps at most.
_MOST_BATCHES = 8
#: No GPU has more rows at once: a larger number is a mistake.
_LARGEST_BATCH = 1 << 16
#: Shorter sequences are tried in these shares of the written length, and none is shorter than this.
_SHARES = (2, 4, 8)
_LENGTH_STEP = 256


class Cost(NamedTuple):
    """What a measure costs: how much it changes what is learned, then how much slower a step is.

    Both are ranks, which order measures and are added up for several. What changes the result is
    dearer than anything that only takes time, so `quality` comes first.
    """

    quality: int
    speed: int

    def plus(self, other: Cost) -> Cost:
        """The cost of both."""
        return Cost(self.quality + other.quality, self.speed + other.speed)


FREE = Cost(0, 0)
# The ranks, from cheap to dear. Half the rows take one more step of each kind.
FUSED_LOSS = Cost(0, 1)
HALF_THE_ROWS = Cost(0, 2)
CHECKPOINTS = Cost(0, 4)
SHARDED = Cost(0, 6)
SIXTEEN_BITS = Cost(1, 0)
EIGHT_BIT_STATES = Cost(1, 1)
HALF_THE_LENGTH = Cost(3, 0)
ADAPTER = Cost(5, 0)
FOUR_BITS = Cost(2, 3)


class Measure(Record):
    """One change of a config."""

    title: str
    #: What it costs, in a sentence.
    words: str
    cost: Cost
    #: The values at some paths, the first of which is the key that is changed; None takes a key away.
    changes: Mapping[Path, Any]

    @property
    def path(self) -> Path:
        return next(iter(self.changes))


#: The measures of which only one can be taken, the cheapest first.
Choice = Sequence[Measure]


def combinations(choices: Sequence[Choice]) -> Iterator[tuple[Measure, ...]]:
    """All combinations of measures, the cheapest first; of equally dear ones the shortest."""
    options: list[tuple[Measure | None, ...]] = [(None, *choice) for choice in choices]
    found = [tuple(one for one in chosen if one is not None) for chosen in product(*options)]
    yield from sorted(filter(None, found), key=lambda chosen: (*cost_of(chosen), len(chosen)))


def cost_of(chosen: Sequence[Measure]) -> Cost:
    """What several measures cost together."""
    total = FREE
    for one in chosen:
        total = total.plus(one.cost)
    return total


def together(chosen: Sequence[Measure]) -> dict[Path, Any]:
    """The changes of several measures."""
    changes: dict[Path, Any] = {}
    for one in chosen:
        changes.update(one.changes)
    return changes


def smaller_batches(batch_key: str, batch: object, steps_key: str, steps: object) -> list[Measure]:
    """Fewer rows at once and as many more steps of accumulation: the global batch stays equal.

    Args:
        steps: of accumulation; 0 where something else decides on the batch.
    """
    if type(batch) is not int or type(steps) is not int or steps < 1:
        return []
    if not 1 < batch <= _LARGEST_BATCH:
        return []
    total = batch * steps
    smaller = [rows for rows in range(batch - 1, 0, -1) if total % rows == 0]
    if len(smaller) > _MOST_BATCHES:
        smaller = [*smaller[: _MOST_BATCHES - 1], 1]
    found = []
    for rows in smaller:
        halvings = (batch // rows).bit_length() - 1
        cost = Cost(0, HALF_THE_ROWS.speed + max(halvings - 1, 0))
        more = total // rows
        words = (
            f"{batch} x {steps} rows of a GPU become {rows} x {more}: the same batch, in more passes, "
            "each of which uses the GPU less well"
        )
        title = f"`{batch_key}: {rows}` and `{steps_key}: {more}`"
        found.append(Measure(title, words, cost, {(batch_key,): rows, (steps_key,): more}))
    return found


def shorter(key: str, length: object) -> list[Measure]:
    """Shorter sequences: halves, quarters and eighths of the length."""
    if type(length) is not int:
        return []
    found = []
    for number, share in enumerate(_SHARES):
        tokens = length // share // _LENGTH_STEP * _LENGTH_STEP
        if tokens >= _LENGTH_STEP and tokens < length:
            cost = Cost(HALF_THE_LENGTH.quality + number, HALF_THE_LENGTH.speed)
            words = (
                f"texts of more than {tokens:,} tokens are cut or left out, instead of {length:,}"
            )
            found.append(Measure(f"`{key}: {tokens}`", words, cost, {(key,): tokens}))
    return found


def checkpoints(key: str, *, on: bool = True) -> Measure:
    """Layers that keep their inputs alone.

    Args:
        on: the value with which the key asks for that.
    """
    shown = "true" if on else "false"
    words = "each layer is computed a second time in the backward pass: a step takes up to a third longer"
    return Measure(f"`{key}: {shown}`", words, CHECKPOINTS, {(key,): on})


def eight_bit_states(key: str, name: str, package: str = "bitsandbytes") -> Measure:
    """Adam with its states in 8 bits."""
    words = (
        "the optimizer's states are rounded to 8 bits, which rarely changes the result; "
        f"needs {package}"
    )
    return Measure(f"`{key}: {name}`", words, EIGHT_BIT_STATES, {(key,): name})


def sharded(title: str, changes: Mapping[Path, Any]) -> Measure:
    """Weights, gradients and states divided among the GPUs."""
    words = (
        "the result stays the same; the GPUs send weights and gradients to each other in every step"
    )
    return Measure(title, words, SHARDED, changes)


def fused_loss(title: str, changes: Mapping[Path, Any], package: str) -> Measure:
    """A loss without the logits of all tokens at once."""
    words = f"none but rounding; needs {package}"
    return Measure(title, words, FUSED_LOSS, changes)


def adapter(title: str, changes: Mapping[Path, Any]) -> Measure:
    """An adapter instead of all parameters."""
    words = (
        "an adapter is trained instead of all parameters: it learns less from much data, and usually "
        "wants a learning rate about ten times as high"
    )
    return Measure(title, words, ADAPTER, changes)


def four_bits(title: str, changes: Mapping[Path, Any], *, has_adapter: bool) -> Measure:
    """An adapter over weights in 4 bits."""
    words = (
        "the frozen weights are rounded to 4 bits, and unpacked whenever they are used, which is "
        "slower; needs bitsandbytes"
    )
    if has_adapter:
        return Measure(title, words, FOUR_BITS, changes)
    return Measure(
        title,
        f"an adapter is trained instead of all parameters; {words}",
        ADAPTER.plus(FOUR_BITS),
        changes,
    )


#: Names of Adam with states in the parameter's precision, the default among them.
ADAMS = frozenset(
    {None, "adamw_torch", "adamw_torch_fused", "adamw_hf", "adamw_apex_fused", "paged_adamw_32bit"}
)
