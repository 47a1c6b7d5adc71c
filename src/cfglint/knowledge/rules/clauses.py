"""A rule's condition, part by part: what of it has to do with a finding."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from cfglint.base.logic import Condition, Subject, Truth
from cfglint.base.type_names import Any
from cfglint.knowledge.rules.evaluate import Scope, Test, bind

_PATHS = ("key", "some", "every", "item")


class Clause:
    """A part of a condition, with what the files on which its rule fires share about it."""

    def __init__(self, condition: Condition) -> None:
        self.condition = condition
        self.kind: str = condition[0]

    @cached_property
    def parts(self) -> tuple[Clause, ...]:
        """The clauses that `all`, `any` or `not` is made of; none of the others."""
        if self.kind == "not":
            return (Clause(self.condition[1]),)
        return tuple(map(Clause, self.condition[1])) if self.kind in ("all", "any") else ()

    def truth(self, scope: Scope) -> Truth:
        """Whether it holds for a file."""
        return self._test(scope)

    def mentions(self, path: tuple[str, ...]) -> bool:
        """Whether it is about a key, or something below it."""
        return path in self._mentioned

    @cached_property
    def _test(self) -> Test:
        return bind(self.condition)

    @cached_property
    def _mentioned(self) -> frozenset[tuple[str, ...]]:
        """The paths of the keys that it is about, and of all above them."""
        found = _paths(self.condition)
        return frozenset(path[:length] for path in found for length in range(len(path) + 1))


def is_about(subject: Subject, path: tuple[str, ...]) -> bool:
    """Whether a subject is a key, something below it, or computed from such."""
    return any(one[: len(path)] == path for one in _paths(subject))


def _paths(part: Any) -> Iterator[tuple[str, ...]]:
    """The paths of all keys in a compiled condition."""
    if not isinstance(part, tuple):
        return
    if len(part) == 2 and part[0] in _PATHS and isinstance(part[1], tuple):
        yield part[1]
        return
    for inner in part:
        yield from _paths(inner)
