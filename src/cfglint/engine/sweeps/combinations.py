"""The combinations of a sweep file, each linted as the config that would run."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.diagnostic import Diagnostic, OtherFile
from cfglint.engine.case import Case
from cfglint.engine.lint import unsilenced
from cfglint.engine.sweeps.formats import SweepFormat
from cfglint.runs.settings.layers import Assignment, Layer, Writer
from cfglint.runs.settings.merged import MergedSettings, merged, source_map
from cfglint.runs.settings.source_map import moved
from cfglint.runs.settings.sweeps import Choice, SweepFile, Swept
from cfglint.source.document import Document, Node, Scalar
from cfglint.source.text import Span

#: How many combinations are examined; a sweep of more is cut.
MAX_COMBINATIONS = 256
#: Of a large config fewer: so many of its nodes in all.
_MAX_NODES = 150_000
#: What a run sets, by key.
Combination = dict[Any, Swept]
#: What makes a finding the same one in two combinations.
Place = tuple[object, ...]


class Found(Record):
    """A finding in one combination."""

    diagnostic: Diagnostic
    place: Place
    #: The swept value that it is at, None when it is at the config's.
    owner: Swept | None
    #: It is about the owner's key, whatever the value.
    at_key: bool


class Combinations:
    """A config and a sweep file, with what is found when a combination is laid over the config."""

    def __init__(self, config: Document, sweep: SweepFile, sweeps: SweepFormat, case: Case) -> None:
        self._config = config
        self._case = case
        self._writer = Writer("sweep", sweep.path)
        self._file = OtherFile(sweep.path, sweep.source)
        self._sources, begin = source_map(config).with_file(self._file)
        root = moved(config.language.read(sweep.source).root, begin)
        self._dimensions = _unique(sweeps.dimensions(root))
        size = config.root.size + sum(_size(choices) for choices in self._dimensions)
        self._limit = max(2, min(MAX_COMBINATIONS, _MAX_NODES // max(1, size)))
        #: How often a guess about what is guilty may be tried.
        self._tries = 2 * self._limit
        self._known: dict[frozenset[int], dict[Place, Found]] = {}
        #: The same for the chosen ones, by identity: they are asked for once for every finding.
        self._of_chosen: dict[int, dict[Place, Found]] = {}
        #: How many combinations there are, with none when nothing is swept.
        self.total = math.prod(map(len, self._dimensions)) if self._dimensions else 0
        self.chosen = _choose(self._dimensions, self._limit) if self.total else []

    @property
    def unseen(self) -> str | None:
        """A key with so many values that some are in none of the chosen combinations."""
        for choices in self._dimensions:
            if len(choices) > self._limit:
                return str(choices[0][0].path[0]) if choices[0] else None
        return None

    def is_in_sweep(self, span: Span) -> bool:
        """Whether a place in the settings of a combination is in the sweep file."""
        return self._sources.place(span).file is self._file

    def in_sweep(self, span: Span) -> Span:
        """The same place, as the sweep file counts."""
        return self._sources.place(span).span

    def line(self, node: Node) -> int:
        """The line of a value in the sweep file."""
        return self._file.source.position(self.in_sweep(node.span).start).line

    def findings(self, combination: Combination) -> dict[Place, Found]:
        """What is found in the config with these values, by place."""
        known = self._of_chosen.get(id(combination))
        if known is None:
            known = self._lint(combination)
            if any(combination is one for one in self.chosen):
                self._of_chosen[id(combination)] = known
        return known

    def _lint(self, combination: Combination) -> dict[Place, Found]:
        key = frozenset(id(swept) for swept in combination.values())
        known = self._known.get(key)
        if known is None:
            found_here = unsilenced(self.settings(combination), self._case)
            owners = {swept.label: swept for swept in combination.values()}
            known = self._known[key] = {}
            for diagnostic in found_here:
                found = self._found(diagnostic, owners)
                known.setdefault(found.place, found)
        return known

    def has(self, place: Place, combination: Combination) -> bool | None:
        """Whether a finding is there with only these values; None after too many questions."""
        if frozenset(id(swept) for swept in combination.values()) not in self._known:
            if self._tries == 0:
                return None
            self._tries -= 1
        return place in self.findings(combination)

    def _found(self, diagnostic: Diagnostic, owners: dict[str, Swept]) -> Found:
        code, path = diagnostic.code, diagnostic.path
        if diagnostic.file is not None:
            place = (code, diagnostic.file.path, diagnostic.span)
            return Found(diagnostic, place, None, False)
        owner = owners.get(path[0]) if path and isinstance(path[0], str) else None
        if owner is None:
            return Found(diagnostic, (code, path), None, False)
        at_key = diagnostic.span == owner.key.span
        # A finding about a key is the same wherever `_` has it.
        return Found(diagnostic, (code, path, 0 if at_key else id(owner)), owner, at_key)

    def settings(self, combination: Combination) -> MergedSettings:
        """The config with a combination on top: a key's whole value is another one."""
        layer = Layer(
            self._writer,
            tuple(
                Assignment((name,), swept.value, swept.key) for name, swept in combination.items()
            ),
        )
        return merged(self._config, layer, self._sources)


def _unique(choices: list[list[Choice]]) -> list[list[Choice]]:
    """The same choices, but each scalar value of a key is kept only where it is written first.

    Items below `_` repeat what they have in common.
    """
    first: dict[object, Swept] = {}

    def same(swept: Swept) -> Swept:
        node = swept.value.target()
        if not isinstance(node, Scalar):
            return swept
        return first.setdefault((swept.name, node.resolved, node.style, node.text), swept)

    return [[tuple(same(swept) for swept in choice) for choice in own] for own in choices]


def _size(choices: list[Choice]) -> int:
    return max(sum(swept.value.size + 1 for swept in choice) for choice in choices)


def _choose(choices: list[list[Choice]], limit: int) -> list[Combination]:
    """All combinations in the order of the file, or a limited number of them.

    Of too many, the first go through the values of all keys in step, so that each value is in one
    of them if that is possible at all; the others are spread evenly, and the same each time.
    """
    if math.prod(map(len, choices)) <= limit:
        return [_merged(picked) for picked in itertools.product(*choices)]
    longest = max(map(len, choices))
    state = 42
    seen: dict[tuple[int, ...], None] = {}
    for number in range(limit):
        indices = []
        for own in choices:
            if number < longest:
                indices.append(number % len(own))
            else:
                # A linear congruential generator; its upper bits are the good ones.
                state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
                indices.append((state >> 33) % len(own))
        seen[tuple(indices)] = None
    return [
        _merged(own[index] for own, index in zip(choices, indices, strict=True)) for indices in seen
    ]


def _merged(picked: Iterable[Choice]) -> Combination:
    return {swept.name: swept for choice in picked for swept in choice}
