"""The key history as one release sees it, computed key by key as files ask for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cfglint.base.record import Record, Remembered
from cfglint.base.type_names import Any
from cfglint.knowledge.keys.entry_classes import EntryClasses
from cfglint.knowledge.keys.judges import PYDANTIC, Judge
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.knowledge.keys.table import KeyInfo, KeyTable

#: Judged values that are kept for each section.
_MAX_REMEMBERED = 5_000


def not_before(versions: Sequence[str], release: str, version: str) -> bool:
    """Whether a release is a version or a later one, where most of both are known in their order."""
    if release in versions and version in versions:
        return versions.index(release) >= versions.index(version)
    from packaging.version import Version

    return Version(release) >= Version(version)


class Schema:
    """The values that a release accepts for a key: its type, its choices, its bounds.

    Args:
        judge: decides which values these admit.
    """

    __slots__ = ("bounds", "choices", "judge", "kinds")

    def __init__(
        self, type_: str, choices: tuple[Any, ...], bounds: dict[str, Any], judge: Judge = PYDANTIC
    ) -> None:
        self.kinds = split_type(type_)
        self.choices = choices
        self.bounds = bounds
        self.judge = judge

    def offers(self) -> bool:
        """Whether the type is one of the choices, among others."""
        return bool(self.choices) and any(
            kind.partition(":")[0] in self.judge.of_choices for kind in self.kinds
        )

    def takes(self, value: Any) -> bool:
        """Whether type and choices admit a value."""
        return self.judge.takes(self.kinds, self.choices, self.bounds, value)

    def refuses(self, value: Any) -> bool:
        """Whether the reader itself refuses a value that type and choices do not admit."""
        return self.judge.refuses(self.kinds, self.choices, self.bounds, value)

    def fits(self, value: Any) -> bool:
        """Whether type, choices and bounds admit a value."""
        return self.takes(value) and self.broken_bound(value) is None

    def broken_bound(self, value: Any) -> tuple[str, Any] | None:
        """The first bound that a number, or the length of a list or text, breaks: (name, limit)."""
        return self.judge.broken_bound(self.kinds, self.bounds, value)


class KeyStatus(Record):
    """The status of a key in a release."""

    #: None when no release ever had it.
    info: KeyInfo | None
    #: Whether the release has it without a plugin.
    ordinary: bool
    #: The class name of the plugin that must be listed; empty if none must.
    plugin: str
    #: None if the type alone does not determine which values are valid.
    schema: Schema | None


class InOrder(set[tuple[Any, ...]]):
    """Values that are known to be valid. It is cleared when it becomes too large."""

    def remember(self, seen: tuple[Any, ...]) -> None:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        self.add(seen)


class SectionKeys(Remembered[str, KeyStatus]):
    """The keys of one section, computed on demand."""

    def __init__(self, release: ReleaseKeys, section: str, *, takes_others: bool = False) -> None:
        super().__init__()
        #: Whether an unknown key may nevertheless be read.
        self.takes_others = takes_others
        self._release = release
        self._section = section
        #: Scalars that any file may have in this section: key, type (1 is not True here), value.
        self.in_order = InOrder()

    def __missing__(self, name: str) -> KeyStatus:
        return self.keep(name, self._release.standing(self._section, name))


class ReleaseKeys:
    """The keys of one release.

    Args:
        versions: the known releases, the oldest first.
        release: one of them, or a version that is not one of them.
        own_key: section and name of a key that the table does not have -> the name to look for.
        entry_classes: section of a list -> what is known of the classes that its entries may be of.
        judge: decides which values the release accepts.
        other_packages: package whose releases also decide about keys -> its known releases and the
            one in use. The table prefixes such a release with the package (`transformers 5.0.0`).
        hidden: releases whose new keys are as unknown as if they did not exist.
    """

    def __init__(
        self,
        table: KeyTable,
        versions: tuple[str, ...],
        release: str,
        own_key: Callable[[str, str], str],
        entry_classes: Mapping[str, Any] | None = None,
        judge: Judge = PYDANTIC,
        other_packages: Mapping[str, tuple[tuple[str, ...], str]] | None = None,
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        self.judge = judge
        self._other_packages = other_packages or {}
        self._table = table
        self._hidden = hidden
        self._own_key = own_key
        self.entry_classes = EntryClasses(entry_classes or {}, self.released)
        self._versions = versions
        self._release = release
        self._sections: Remembered[str, SectionKeys | None] = Remembered()
        self._since: dict[str, bool] = {}
        #: Scalars that every class accepts: section, key, classes, type, value.
        self.in_order = InOrder()
        self._by_class: Remembered[tuple[str, str, str], Schema | None] = Remembered()
        self._required: Remembered[str, list[tuple[str, str]]] = Remembered()

    def released(self, version: str) -> bool:
        """Whether the release, or that of the package a version names, is this one or a later one."""
        known = self._since.get(version)
        if known is None:
            known = self._since[version] = self._not_before(version)
        return known

    def is_gone(self, removed: str | None) -> bool:
        """Whether the release is surely one without what another one has removed.

        A build on the way to a release (`4.46.0.dev0`) may have what comes with it, and may still have what goes.
        """
        if removed is None or not self.released(removed):
            return False
        return ".dev" not in self.release_of(removed) or self._not_before(removed, as_built=True)

    def may_precede(self, version: str) -> bool:
        """Whether what is known to come with a version may have come with the release in use, shortly before it.

        It may where that release is none of the known ones, and the version is the next of them.
        """
        package, _, version = version.rpartition(" ")
        versions, release = self._other_packages.get(package, (self._versions, self._release))
        if release in versions or version not in versions[1:]:
            return False
        before = versions[versions.index(version) - 1]
        return not_before((), release, before) and not not_before((), release, version)

    def has(self, info: KeyInfo) -> bool:
        """Whether the release has a key, by when it came and went."""
        return self.released(info.since) and not self.is_gone(info.removed)

    def _not_before(self, version: str, *, as_built: bool = False, is_known: bool = False) -> bool:
        package, _, version = version.rpartition(" ")
        versions, release = self._other_packages.get(package, (self._versions, self._release))
        if versions and version == versions[0] and not (as_built or is_known):
            return True  # with which release it really came, the history does not tell
        return not_before(versions, release if as_built else release.partition(".dev")[0], version)

    def release_of(self, version: str) -> str:
        """The release in use of the package that a version names; else the framework's release."""
        package = self._other_packages.get(version.rpartition(" ")[0])
        return self._release if package is None else package[1]

    def is_meant(self, version: str) -> bool:
        """Whether a version, maybe with the name of its package in front, is the release in use."""
        return self.release_of(version) == version.rpartition(" ")[2]

    def section(self, section: str) -> SectionKeys | None:
        """The keys of a section; None when nothing is known about them."""
        if section not in self._sections:
            parent, _, name = section.rpartition(".")
            closed = self._table.is_closed(section)
            described = (
                (closed or self._table.is_read(section))
                and self.has_section(section)
                and not self._table.is_absent(parent, name, self._release)
            )
            keys = SectionKeys(self, section, takes_others=not closed) if described else None
            return self._sections.keep(section, keys)
        return self._sections[section]

    def has_section(self, section: str) -> bool:
        """Whether the release is one of those with a section, as far as its history is known."""
        since, removed = self._table.section_since(section), self._table.section_removed(section)
        # Of releases before the first known one nothing is known.
        is_there = since is None or self._not_before(since, is_known=True)
        return is_there and not self.is_gone(removed)

    def default_of(self, row: Mapping[str, Any]) -> Any:
        """The default of a key in the release, by the row of its history; None without one."""
        value = row.get("default")
        for since, then in row.get("defaults", ()):
            if self.released(since):
                value = then
        return value

    def reader(self, section: str) -> str:
        """The reader of a section, by its name in the key table; empty if there is only one."""
        return self._table.reader(section, self.released)

    def standing(self, section: str, name: str) -> KeyStatus:
        """The status of a key, known or not."""
        info = self._table.info(section, name)
        if info is None and (known := self._own_key(section, name)) != name:
            name = known
            info = self._table.info(section, name)
        if info is None or info.since in self._hidden:
            return KeyStatus(None, False, "", None)
        has = self.has(info)
        if has and self._table.is_absent(section, name, self._release):
            return KeyStatus(info, True, "", None)
        plugin = ""
        if info.plugin is not None and not self._builtin(info.plugin):
            plugin = info.plugin.rpartition(".")[2]
        schema = self._schema(section, name) if has else None
        return KeyStatus(info, has and not plugin, plugin, schema)

    def _builtin(self, plugin: str) -> bool:
        since = self._table.builtin_since(plugin)
        return since is not None and self.released(since)

    def _schema(self, section: str, name: str, model: str | None = None) -> Schema | None:
        if model is None and section.startswith(self.entry_classes.lists):
            return None
        found = self._table.schema(section, name, self.released, model)
        return Schema(*found, self.judge) if found is not None else None

    def schema_of_class(self, section: str, name: str, model: str) -> Schema | None:
        """The values that a class of entries accepts for a key of a list with several classes.

        None when the class does not have the key.
        """
        place = (section, name, model)
        if place not in self._by_class:
            info = self._table.info(section, name)
            has = info is not None and self.has(info)
            schema = self._schema(section, name, model) if has else None
            return self._by_class.keep(place, schema)
        return self._by_class[place]

    def required(self, section: str) -> list[tuple[str, str]]:
        """The keys that a section must have, with the plugin that asks for each (or nothing)."""
        known = self._required.get(section)
        if known is None:
            known = []
            for name in self._table.required_inside.get(section, ()):
                standing = self.standing(section, name)
                info = standing.info
                if info is not None and self.released(info.since):
                    known.append((name, standing.plugin))
            self._required.keep(section, known)
        return known
