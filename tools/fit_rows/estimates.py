"""Fits the constants of the estimate to one half of the rows, and tests them on the other."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import median

from cfglint.base.record import Record
from cfglint.runs.memory.estimate import FITTED, SPREAD, Constants, estimate
from tools.fit_rows.compared import Compared

#: Between which limits each constant is searched. A gated block keeps at least its two factors and
#: what the activation function takes.
_LIMITS = Constants(
    hidden=4.0, inner=3.0, adapter=0.3, taken_in=0.0, logits=6.0, slack=1.0, fixed=0.0
)
_LIMITS_ABOVE = Constants(
    hidden=20.0, inner=5.0, adapter=1.0, taken_in=3.0, logits=18.0, slack=1.25, fixed=1.5
)
_STEPS = 6000
#: A row that is one of many of the same model and program counts that much.
_ONE_OF_MANY = 0.25
_MANY = "peft/"
#: An error that is larger is another program's doing, and does not pull any further.
_LARGEST = math.log(2)
_HALVES = 5


class Errors(Record):
    """How far estimates are from what was measured."""

    rows: int
    median: float
    inside: float

    def __str__(self) -> str:
        return (
            f"{self.rows} rows, median error {self.median:.1%}, {self.inside:.0%} within the limits"
        )


def usable(rows: Sequence[Compared]) -> list[Compared]:
    """The measured rows that tell enough: lengths, optimizer, and whether layers checkpoint."""
    return [
        one
        for one in rows
        if one.measured and one.run is not None and one.tells_checkpoints and estimate(one.run)
    ]


def errors(rows: Sequence[Compared], constants: Constants) -> Errors:
    """The errors of some rows with some constants."""
    found = [abs(_error(one, constants)) for one in rows]
    inside = sum(error <= math.log(SPREAD) for error in found)
    return Errors(len(found), math.expm1(median(found)), inside / len(found))


def fit(rows: Sequence[Compared], seed: int, steps: int = _STEPS) -> Constants:
    """The constants with the least error, searched from the middle of their limits in some steps."""
    chance = random.Random(seed)
    best = Constants(*((low + high) / 2 for low, high in zip(_LIMITS, _LIMITS_ABOVE, strict=True)))
    least = _loss(rows, best)
    for step in range(steps):
        width = 0.3 if step < steps / 2 else 0.06
        changed = list(best)
        for index in chance.sample(range(len(changed)), chance.choice((1, 2, 3))):
            low, high = _LIMITS[index], _LIMITS_ABOVE[index]
            moved = changed[index] + chance.gauss(0, (high - low) * width)
            changed[index] = min(high, max(low, moved))
        candidate = Constants(*changed)
        loss = _loss(rows, candidate)
        if loss < least:
            best, least = candidate, loss
    return best


def report(rows: Sequence[Compared], steps: int = _STEPS) -> list[str]:
    """Text: the constants of all rows, their errors, and those of halves that were not fitted to."""
    chosen = usable(rows)
    lines = [f"Constants in use: {FITTED}", f"  {errors(chosen, FITTED)}"]
    lines += [f"Fitted to all: {_rounded(fit(chosen, 0, steps))}"]
    for seed in range(1, _HALVES + 1):
        mixed = random.Random(seed).sample(chosen, len(chosen))
        constants = fit(mixed[::2], seed, steps)
        lines.append(
            f"Fitted to a half (seed {seed}): {errors(mixed[1::2], constants)} of the rest"
        )
    return lines


def _error(one: Compared, constants: Constants) -> float:
    found = None if one.run is None else estimate(one.run, constants)
    return 0.0 if found is None else math.log(found.likely / one.limit)


def _loss(rows: Sequence[Compared], constants: Constants) -> float:
    return sum(
        min(abs(_error(one, constants)), _LARGEST)
        * (_ONE_OF_MANY if str(one.row["id"]).startswith(_MANY) else 1)
        for one in rows
    )


def _rounded(constants: Constants) -> Constants:
    return Constants(*(round(value, 2) for value in constants))
