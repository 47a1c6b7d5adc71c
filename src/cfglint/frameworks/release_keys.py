"""The key history as one release sees it, worked out key by key as files ask for it."""

from __future__ import annotations

import operator
from typing import Any

from cfglint.frameworks.keytable import KeyInfo, KeyTable
from cfglint.frameworks.lax_types import accepts, split_type
from cfglint.record import Record
from cfglint.rules.predicates.comparison import number

#: Before, an entry with a wrong type fell through to a class that does not have the key.
_STRICT_DATASETS = "0.7.0"
#: Sections whose entries fall through a union of classes that takes anything.
_LENIENT = ("test_datasets[]", "pretraining_dataset[]")
#: Bound -> (what breaks it, in words).
BOUNDS = {
    "gt": (operator.le, "more than"),
    "ge": (operator.lt, "at least"),
    "lt": (operator.ge, "less than"),
    "le": (operator.gt, "at most"),
}


class Schema:
    """What a release takes for a key: its type, its choices, its bounds."""

    __slots__ = ("bounds", "choices", "kinds", "taken")

    def __init__(self, type_: str, choices: tuple[Any, ...], bounds: dict[str, Any]) -> None:
        self.kinds = split_type(type_)
        self.choices = choices
        self.bounds = bounds
        #: Scalars that were found to be in order, with their types (1 is not True here).
        self.taken: set[tuple[type, Any]] = set()

    def takes(self, value: Any) -> bool:
        """Whether type and choices admit a value."""
        return accepts(self.kinds, self.choices, value)

    def broken_bound(self, value: Any) -> tuple[str, Any] | None:
        """The first bound that a number breaks: (name, limit)."""
        amount = number(value) if self.bounds else None
        if amount is not None:
            for name, (breaks, _) in BOUNDS.items():
                limit = self.bounds.get(name)
                if limit is not None and breaks(amount, limit):
                    return name, limit
        return None


class Standing(Record):
    """How a key stands in a release."""

    #: None when no release ever had it.
    info: KeyInfo | None
    #: The release has it, no matter which plugins are listed.
    ordinary: bool
    #: None when the values cannot be judged from the type alone.
    schema: Schema | None


class SectionKeys(dict[str, Standing]):
    """The keys of one section, as they are asked for."""

    def __init__(self, release: ReleaseKeys, section: str) -> None:
        super().__init__()
        self._release = release
        self._section = section

    def __missing__(self, name: str) -> Standing:
        standing = self[name] = self._release.standing(self._section, name)
        return standing


class ReleaseKeys:
    """The keys of one release.

    Args:
        versions: the known releases, the oldest first.
        release: one of them, or a version that is none of them.
    """

    def __init__(self, table: KeyTable, versions: tuple[str, ...], release: str) -> None:
        self._table = table
        self._versions = versions
        self._release = release
        self._sections: dict[str, SectionKeys | None] = {}
        self._since: dict[str, bool] = {}

    def released(self, version: str) -> bool:
        """Whether the release is this version or a later one."""
        known = self._since.get(version)
        if known is None:
            known = self._since[version] = self._not_before(version)
        return known

    def _not_before(self, version: str) -> bool:
        versions = self._versions
        if self._release in versions and version in versions:
            return versions.index(self._release) >= versions.index(version)
        from packaging.version import Version

        return Version(self._release) >= Version(version)

    def section(self, section: str) -> SectionKeys | None:
        """The keys of a section; None when the release does not know them all."""
        if section not in self._sections:
            since = self._table.section_since(section)
            described = self._table.is_closed(section) and (since is None or self.released(since))
            self._sections[section] = SectionKeys(self, section) if described else None
        return self._sections[section]

    def standing(self, section: str, name: str) -> Standing:
        """How a key stands, known or not."""
        info = self._table.info(section, name)
        if info is None and section == "fsdp_config" and name.startswith("fsdp_"):
            # Axolotl cuts this prefix off before it looks.
            name = name[len("fsdp_") :]
            info = self._table.info(section, name)
        if info is None:
            return Standing(None, False, None)
        has = self.released(info.since) and not (info.removed and self.released(info.removed))
        plugins = info.plugin is not None and not self._table.is_builtin(info.plugin)
        schema = self._schema(section, name) if has and info.plugin is None else None
        return Standing(info, has and not plugins, schema)

    def _schema(self, section: str, name: str) -> Schema | None:
        if section.startswith(_LENIENT):
            return None
        if section.startswith("datasets[]") and not self.released(_STRICT_DATASETS):
            return None
        found = self._table.schema(section, name, self.released)
        return Schema(*found) if found is not None else None
