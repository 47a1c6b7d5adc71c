"""What a file must have for a rule to be worth trying on it, as tokens.

A token is a written key, with tests of its value, at one of these places:

    key             at the top level
    key.inner       in the mapping under it
    key[].inner     in an item of the list under it: one is enough

That a key is missing is never necessary.
"""

from __future__ import annotations

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Any
from cfglint.knowledge.rules.predicates import PREDICATES

Tests = tuple[tuple[str, Any], ...]


class Token(NamedTuple):
    """A written key with a value that passes all tests."""

    place: str
    tests: Tests

    def is_passed_by(self, value: Any) -> bool:
        """Whether a value passes all tests."""
        return all(PREDICATES[name](value, operand) for name, operand in self.tests)


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
