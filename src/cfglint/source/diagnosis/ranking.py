"""Which of several explanations is the right one: each is tried, the most sensible result wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import yaml

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Any
from cfglint.source.diagnosis.brackets import brackets
from cfglint.source.diagnosis.colons import colons
from cfglint.source.diagnosis.dashes import dashes
from cfglint.source.diagnosis.indentation import indentation, tabs
from cfglint.source.diagnosis.leftovers import leftovers
from cfglint.source.diagnosis.lines import Line, Lines
from cfglint.source.diagnosis.model import Cause, Slip
from cfglint.source.diagnosis.quotes import quotes
from cfglint.source.diagnosis.trials import Outcome, try_text

#: Characters that all trials together may parse; a config has some thousands.
_BUDGET = 500_000
#: Code lines above the place where PyYAML gave up that are examined.
_ABOVE = 9
#: A line longer than this is not a line of a config.
_MAX_LINE = 20_000
#: An explanation is the only one when the next one that loads is odder by more than this.
_MARGIN = 2

#: Recognized by the text alone, whatever else would make the file load.
_UNMISTAKABLE = frozenset({Cause.SHELL_LINE, Cause.CODE_FENCE})
_OPEN = frozenset({Cause.OPEN_QUOTE, Cause.OPEN_BRACKET})

_FAMILIES: tuple[Callable[[Lines, Line], Iterator[Slip]], ...] = (
    quotes,
    brackets,
    colons,
    dashes,
    indentation,
)
_C_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Trial(NamedTuple):
    """An explanation and what came of it."""

    slip: Slip
    distance: int
    outcome: Outcome
    text: str

    @property
    def loads(self) -> bool:
        """Whether the text parses with the changes made."""
        return self.outcome.reached is None

    @property
    def score(self) -> int:
        """The lower, the likelier."""
        return self.slip.cost + self.outcome.oddity


class Explanation(NamedTuple):
    """The explanation to report; `only`: no other one gives a sensible file."""

    slip: Slip
    loads: bool = False
    only: bool = False


def find_slip(text: str, at: int, context: int) -> Explanation | None:
    """The slip that explains best why a text cannot be read.

    Args:
        at: where PyYAML gave up.
        context: where the construct that it was reading begins; -1 if it did not say.
    """
    lines = Lines(text)
    if not lines.all:
        return None
    found = lines.at(at)
    candidates = _candidates(lines, at, found, context)
    trials: list[Trial] = []
    left = _BUDGET
    for slip, distance in sorted(candidates, key=lambda pair: (pair[0].cost, pair[1])):
        if slip.cost < 0:
            return Explanation(slip)
        if left < 0:
            break
        tried = slip.applied(text)
        left -= len(tried) * (8 if "\t" in tried else 1) + 200
        trials.append(Trial(slip, distance, try_text(tried), tried))
    return _best(lines, trials, found)


def _candidates(lines: Lines, at: int, found: Line, context: int) -> list[tuple[Slip, int]]:
    """All explanations, each with its distance in lines from where PyYAML gave up."""
    last = found.number
    slips = [(slip, last - lines.at(slip.span.start).number) for slip in leftovers(lines, last)]
    if lines.text[at : at + 1] == "\t":
        slips += [(slip, 0) for slip in tabs(lines, at)]
    near = {found.number: found}
    for line in (*lines.before(found, _ABOVE), *lines.after(found, 1)):
        near[line.number] = line
    if context >= 0:
        begun = lines.at(context)
        for line in (begun, *lines.before(begun, 2)):
            near[line.number] = line
    for line in lines.all[max(0, last - 2_000) : last + 1]:
        if max(line.open_quote, line.open_bracket, line.after_quote, line.surplus) >= 0:
            near.setdefault(line.number, line)
    for line in sorted(near.values(), key=lambda each: abs(each.number - last))[:40]:
        if line.end - line.start > _MAX_LINE or line.kind in ("comment", "blank", "literal"):
            continue
        for family in _FAMILIES:
            slips += [(slip, abs(last - line.number)) for slip in family(lines, line)]
    return slips


def _best(lines: Lines, trials: list[Trial], found: Line) -> Explanation | None:
    loading = sorted(
        (trial for trial in trials if trial.loads), key=lambda each: (each.score, each.distance)
    )
    if loading:
        best = loading[0]
        # A file that ends within brackets or quotes may have been cut off there.
        cut_off = best.slip.cause in _OPEN and lines.at(best.slip.span.start).end == len(lines.text)
        return Explanation(best.slip, True, not cut_off and _is_only(best, loading[1:]))
    # Nothing mends the whole file; perhaps there is a second slip further down.
    further = [
        trial
        for trial in trials
        if trial.slip.cost <= 1
        and trial.outcome.reached is not None
        and lines.at(max(0, trial.outcome.reached - _shift(trial.slip))).number > found.number
    ]
    if not further:
        sure = [trial for trial in trials if trial.slip.cost == 0 and trial.distance == 0]
        return Explanation(sure[0].slip) if sure else None
    best = max(further, key=lambda each: (each.outcome.reached or 0, -each.score, -each.distance))
    return Explanation(best.slip)


def _shift(slip: Slip) -> int:
    return sum(len(change.text) - (change.end - change.start) for change in slip.changes)


def _is_only(best: Trial, others: list[Trial]) -> bool:
    value = _value(best.text)
    if best.slip.cause in _UNMISTAKABLE:
        return value is not None
    for other in others:
        if other.score > best.score + _MARGIN:
            break
        if other.text != best.text and _value(other.text) != value:
            return False
    return value is not None


def _value(text: str) -> str | None:
    """What a text loads as, in a form that can be compared."""
    try:
        return repr(yaml.load(text, Loader=_C_LOADER))  # noqa: S506 - it is a safe loader
    except (yaml.YAMLError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError):
        return None
