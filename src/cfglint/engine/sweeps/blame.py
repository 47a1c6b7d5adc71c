"""Which values of a sweep make a finding appear: the smallest set that does, and how often."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.record import Record
from cfglint.diagnostic import at_least
from cfglint.engine.sweeps.combinations import Combination, Combinations, Found, Place
from cfglint.runs.settings.sweeps import Swept

#: How many sets of values are listed for one finding; the others are counted.
_MAX_SETS = 8
#: With more keys in a combination than this they are not tried one by one.
_MAX_KEYS = 40
#: As many are named when trying is too much.
_MAX_NAMED = 3


class Accusation(Record):
    """A finding that the config alone does not give, and the values that cause it."""

    found: Found
    #: In the order of the sweep file.
    guilty: tuple[Swept, ...]
    #: Of these, the one whose key is guilty with whatever value.
    any_of: Swept | None
    #: In how many of the combinations that were examined.
    count: int
    #: In how many more, for other values that are not listed individually.
    further: int = 0


class _Case(Record):
    """A finding, and the combinations that have it."""

    found: Found
    combinations: list[Combination]


def accusations(all_: Combinations) -> Iterator[Accusation]:
    """What is wrong with combinations and not with the config alone, once for each guilty set."""
    given = all_.findings({})
    # One finding for several places moves on to the next when the first is swept.
    beside = {
        (found.diagnostic.code, related.span)
        for found in given.values()
        for related in found.diagnostic.related
        if found.diagnostic.file is None
    }
    cases: dict[Place, _Case] = {}
    for combination in all_.chosen:
        for place, found in all_.findings(combination).items():
            is_given = place in given or (found.diagnostic.code, found.diagnostic.span) in beside
            if found.owner is not None or not is_given:
                case = cases.setdefault(place, _Case(found, []))
                # What is a note with one value may be an error with another: that one is shown.
                worse = not at_least(case.found.diagnostic.severity, found.diagnostic.severity)
                case.combinations.insert(0 if worse else len(case.combinations), combination)
                if worse:
                    cases[place] = case.replaced(found=found)
    for case in cases.values():
        yield from _sets(case, all_)


def _sets(case: _Case, all_: Combinations) -> Iterator[Accusation]:
    waiting = case.combinations
    number = 0
    while waiting:
        number += 1
        found = all_.findings(waiting[0])[case.found.place]
        guilty = _guilty(found, waiting[0], case, all_)
        any_of = found.owner if found.at_key else _any_value(guilty, case, all_)
        count = sum(_includes(other, guilty, any_of) for other in case.combinations)
        waiting = [other for other in waiting if not _includes(other, guilty, any_of)]
        further = len(waiting) if number == _MAX_SETS else 0
        guilty.sort(key=lambda swept: swept.value.start)
        yield Accusation(found, tuple(guilty), any_of, count, further)
        if further:
            return


def _any_value(guilty: list[Swept], case: _Case, all_: Combinations) -> Swept | None:
    """The only guilty value, if all others of its key are guilty as well."""
    (first, *others) = guilty
    if others or case.found.owner is not None:
        return None
    bad = {id(combination) for combination in case.combinations}
    same = [c for c in all_.chosen if _includes(c, guilty, first)]
    varies = any(combination[first.name] is not first for combination in same)
    return first if varies and all(id(combination) in bad for combination in same) else None


def _guilty(found: Found, combination: Combination, case: _Case, all_: Combinations) -> list[Swept]:
    owner = found.owner
    if owner is not None and all_.has(found.place, {owner.name: owner}):
        return [owner]
    if len(combination) > _MAX_KEYS:
        return [owner or next(iter(combination.values()))]
    left = dict(combination)
    tried = True
    for swept in reversed(combination.values()):
        if not tried:
            break
        if swept is owner or len(left) == 1:
            continue
        rest = {name: other for name, other in left.items() if other is not swept}
        there = all_.has(found.place, rest)
        tried = there is not None
        if there:
            left = rest
    guilty = list(left.values()) if tried else _common(found, combination, case, all_)
    return _without_bystanders(guilty, found, case, all_)


def _common(found: Found, combination: Combination, case: _Case, all_: Combinations) -> list[Swept]:
    """What all combinations with a finding share, and not all others have as well."""
    if found.owner is not None:
        return [found.owner]
    shared = [
        swept
        for swept in combination.values()
        if all(other.get(swept.name) is swept for other in case.combinations)
        and not all(other.get(swept.name) is swept for other in all_.chosen)
    ]
    return shared[:_MAX_NAMED] or [next(iter(combination.values()))]


def _without_bystanders(
    guilty: list[Swept], found: Found, case: _Case, all_: Combinations
) -> list[Swept]:
    """The values that count, without those in whose place any other of their key would do."""
    bad = {id(combination) for combination in case.combinations}
    for swept in list(guilty):
        if swept is found.owner or len(guilty) == 1:
            continue
        rest = [other for other in guilty if other is not swept]
        any_of = found.owner if found.at_key else None
        others = [
            combination for combination in all_.chosen if _includes(combination, rest, any_of)
        ]
        varies = any(combination.get(swept.name) is not swept for combination in others)
        if varies and all(id(combination) in bad for combination in others):
            guilty = rest
    return guilty


def _includes(combination: Combination, guilty: list[Swept], any_of: Swept | None) -> bool:
    """Whether a combination has these values, one of them perhaps with another value."""
    for swept in guilty:
        own = combination.get(swept.name)
        if own is not swept and not (swept is any_of and own is not None):
            return False
    return True
