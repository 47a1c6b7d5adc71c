"""What a file must have for a rule to be worth trying on it, as tokens.

A token is a test, or several, of the value at one of these places:

    key             at the top level
    key.inner       in the mapping under it
    key[].inner     in an item of the list under it, even one without the key: one is enough
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cfglint.base.logic import MISSING
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.knowledge.rules.predicates import PREDICATES, bound

#: Predicates that see the kind of a value, and whether it is empty.
ON_KIND = frozenset({"truthy", "set", "written", "is", "is_not", "type"})


Tests = tuple[tuple[str, Any], ...]


def tester(tests: Tests, wanted: bool) -> Callable[[Any], bool]:
    """What tells whether all of some tests hold for a value (or, when not wanted, not all do)."""
    if len(tests) == 1 and wanted:
        return bound(*tests[0])

    def holds(value: Any) -> bool:
        for name, operand in tests:
            if not PREDICATES[name](value, operand):
                return not wanted
        return wanted

    return holds


class Token(Record):
    """Tests of the value at a place, all of which hold (or, when not wanted, not all do)."""

    place: str
    tests: Tests
    wanted: bool = True

    def holds(self, value: Any) -> bool:
        """Whether it applies to a value."""
        return tester(self.tests, self.wanted)(value)

    @property
    def asks_for_kind(self) -> bool:
        """Whether the kind of a value and whether it is empty is all that it asks for."""
        return all(name in ON_KIND for name, _ in self.tests)

    @property
    def holds_when_absent(self) -> bool:
        return self.holds(MISSING)

    @property
    def is_made_by_absence(self) -> bool:
        """Whether it holds in a file without its place. (Of items, those that are there count.)"""
        return "[]" not in self.place and self.holds_when_absent


Tokens = frozenset[Token]


def written(place: str) -> Token:
    """It is written, even as null."""
    return Token(place, (("written", True),))


def has_value(place: str) -> Token:
    """It has a value that is not null."""
    return Token(place, (("set", True),))


def is_true(place: str) -> Token:
    """Its value is true to Python's `if`."""
    return Token(place, (("truthy", True),))


def cost(tokens: Iterable[Token]) -> float:
    """How many files, roughly, one of the tokens applies to."""
    return round(sum(_share(token) for token in tokens), 3)


def _share(token: Token) -> float:
    if token.is_made_by_absence:
        return 20.0
    if token.wanted and any(
        name in ("eq", "in", "starts_with", "contains") for name, _ in token.tests
    ):
        return 0.3
    return 1.0
