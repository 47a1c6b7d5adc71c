"""What a check gets, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeVar, cast

from cfglint.diagnostic import Fix, Related, SeverityName
from cfglint.fixes.actions import Action
from cfglint.frameworks.axolotl import Axolotl
from cfglint.record import Record
from cfglint.source.document import Document, Entry, Mapping, Path, Scalar
from cfglint.source.text import Span
from cfglint.target.target import Target

_T = TypeVar("_T")


class Repair(Record):
    """A fix as a check proposes it, planned by the engine."""

    title: str
    safety: str
    actions: tuple[Action, ...]


class Hit(Record):
    """One finding of a check; its rule adds the words.

    `params` fill the placeholders of the rule's message.
    """

    path: Path
    span: Span
    params: dict[str, Any]
    related: tuple[Related, ...] = ()
    repairs: tuple[Repair, ...] = ()
    #: Fixes that are no change of a key: complete, with their edits.
    fixes: tuple[Fix, ...] = ()
    #: When it differs from the rule's.
    severity: SeverityName | None = None
    #: When it differs from the rule's.
    upstream: str | None = None


class CheckContext:
    """One file, as the checks see it."""

    def __init__(self, document: Document, framework: Axolotl, target: Target) -> None:
        self.document = document
        self.framework = framework
        self.target = target
        self._shared: dict[str, Any] = {}

    @cached_property
    def _walked(self) -> tuple[list[tuple[Path, Entry | None, Scalar]], list[tuple[Path, Mapping]]]:
        scalars: list[tuple[Path, Entry | None, Scalar]] = []
        mappings: list[tuple[Path, Mapping]] = []
        for path, entry, node in self.document.walk():
            if isinstance(node, Scalar):
                scalars.append((path, entry, node))
            elif isinstance(node, Mapping):
                mappings.append((path, node))
        return scalars, mappings

    @property
    def scalars(self) -> list[tuple[Path, Entry | None, Scalar]]:
        """Every written scalar value with its path, in file order."""
        return self._walked[0]

    @property
    def mappings(self) -> list[tuple[Path, Mapping]]:
        """Every written mapping with its path, in file order."""
        return self._walked[1]

    def once(self, name: str, make: Callable[[], _T]) -> _T:
        """What several checks of this file share: made by the first that asks."""
        if name not in self._shared:
            self._shared[name] = make()
        return cast("_T", self._shared[name])

    def type_at(self, path: Path) -> str | None:
        """The framework's type of the key at a path, None when it has no such key."""
        return self.framework.keys.type_at(path)


Check = Callable[[CheckContext], Iterator[Hit]]
