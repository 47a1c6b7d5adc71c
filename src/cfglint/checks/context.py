"""What a check gets, and what it gives back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cached_property

from cfglint.base.record import Record
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.diagnostic import Fix, OtherFile, Related, SeverityName
from cfglint.roles.parts import FileContext
from cfglint.source.document import Entry, Mapping, Node, Path, Scalar, Sequence
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.environment.project.project import Project
    from cfglint.fixes.actions import Action


class Repair(Record):
    """A fix that a check proposes; the engine plans it.

    `leads_to` and `look_at`: see `cfglint.diagnostic.Fix`.
    """

    title: str
    safety: str
    actions: tuple[Action, ...]
    leads_to: tuple[str, ...] = ()
    look_at: str = ""


class Hit(Record):
    """One finding of a check; its rule adds the texts.

    `params` fill the placeholders of the rule's message.
    """

    path: Path
    span: Span
    params: dict[str, Any]
    related: tuple[Related, ...] = ()
    repairs: tuple[Repair, ...] = ()
    #: Fixes that do not change a key: complete, with their edits.
    fixes: tuple[Fix, ...] = ()
    #: When it differs from the rule's.
    severity: SeverityName | None = None
    #: When it differs from the rule's.
    upstream: str | None = None
    #: The file that `span` counts in, when it is not the config.
    file: OtherFile | None = None
    #: See `Diagnostic`.
    kin: str = ""
    #: See `Diagnostic`.
    meant: str = ""
    #: See `Diagnostic`.
    harmless: bool = False
    #: See `Diagnostic`; what is due is harmless today.
    due: bool = False
    #: See `Diagnostic`.
    removed: tuple[str, ...] = ()
    #: See `Diagnostic`.
    later: str = ""


class CheckContext(FileContext):
    """One file, as the checks see it."""

    @cached_property
    def collections(self) -> list[tuple[Path, Mapping | Sequence]]:
        """Every written mapping and list with its path, in file order."""
        found: list[tuple[Path, Mapping | Sequence]] = []
        # What `Document.walk` does, without a generator's step for every value of every file.
        stack: list[tuple[Path, Node]] = [((), self.document.root)]
        while stack:
            path, node = stack.pop()
            inner: list[tuple[Path, Node]] = []
            if type(node) is Mapping:
                found.append((path, node))
                for entry in node.entries:
                    if type(entry.value) is not Scalar:
                        inner.append(((*path, entry.label), entry.value))
            elif type(node) is Sequence:
                found.append((path, node))
                for index, item in enumerate(node.items):
                    if type(item) is not Scalar:
                        inner.append(((*path, index), item))
            stack.extend(reversed(inner))
        return found

    @cached_property
    def mappings(self) -> list[tuple[Path, Mapping]]:
        """Every written mapping with its path, in file order."""
        return [(path, node) for path, node in self.collections if type(node) is Mapping]

    def scalars(
        self, chosen: Callable[[Scalar], bool]
    ) -> Iterator[tuple[Path, Entry | None, Scalar]]:
        """The written scalars of a kind, each with its path (and its entry if it is not an item)."""
        for path, node in self.collections:
            if type(node) is Mapping:
                for entry in node.entries:
                    value = entry.value
                    if type(value) is Scalar and chosen(value):
                        yield (*path, entry.label), entry, value
            elif type(node) is Sequence:
                for index, item in enumerate(node.items):
                    if type(item) is Scalar and chosen(item):
                        yield (*path, index), None, item

    @property
    def project(self) -> Project:
        """The project around the file, for a check that is made only where there is one."""
        assert self.around.project is not None
        return self.around.project

    def span(self, path: Path) -> Span:
        """The place of what is written at a path; the beginning of the file where nothing is."""
        return self.document.span(path) or Span(0, 0)

    def since(self, release: str) -> bool:
        """Whether the target's release is known, and is this one or a newer one."""
        versions = self.target.releases.versions
        own = self.target.release
        return own in versions and versions.index(own) >= versions.index(release)

    def type_at(self, path: Path) -> str | None:
        """The framework's type of the key at a path, None when it has no such key."""
        return self.framework.keys.type_at(path)


Check = Callable[[CheckContext], Iterator[Hit]]


def rests_on_another_copy(ctx: CheckContext) -> bool:
    """Whether the release is that of a copy which the file does not lie in, while a page installs the newest.

    What a later release brought then shows that the copy is not what runs.
    """
    from cfglint.environment.project.stated_versions import says_something

    project, package = ctx.around.project, ctx.target.releases.package
    chosen = None if project is None else project.chosen
    if project is None or chosen is None or chosen.kind != "clone":
        return False
    copy = os.path.dirname(os.path.dirname(chosen.path))
    if f"{ctx.around.folder or copy}{os.sep}".startswith(f"{copy}{os.sep}"):
        return False
    asked = [one.of(package) for one in project.sources if one.kind == "readme"]
    return any(one is not None and not says_something(one) for one in asked)
