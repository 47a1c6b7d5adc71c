"""What one release reads: the fields of each section with their types and defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.record import Record
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import choices_of


class Field(Record):
    """One key of a section."""

    name: str
    #: `bool|literal|null`, for instance.
    type: str
    enum: tuple[Any, ...]
    #: MISSING when there is none, UNKNOWN when it depends on the machine.
    default: Any
    aliases: tuple[str, ...]
    #: The classes that have it, where the entries of a list are of different classes.
    models: tuple[str, ...]
    #: Class -> its own type, where the classes differ.
    model_types: Mapping[str, str]
    #: The plugin that it comes with.
    plugin: str | None
    #: The package below the framework whose key it is; empty for the framework's own.
    package: str

    def kinds(self, model: str | None) -> tuple[str, ...]:
        """The alternatives of its type, in one of the classes if need be."""
        return split_type(self.model_types.get(model or "", self.type))


class Fields:
    """The schema of one release with some plugins.

    Args:
        table: section -> key -> its history. If a package below the framework has the key, too, the
            history of that package is `below`, and applies while the framework has none of its own.
        keys: the release's view of its keys, which says what has been released.
        counts_keys: whether of several classes the one with most keys of a mapping is preferred
            (pydantic, from 2.8 on).
    """

    def __init__(
        self,
        table: Mapping[str, Mapping[str, Mapping[str, Any]]],
        keys: ReleaseKeys,
        plugins: frozenset[str] = frozenset(),
        *,
        counts_keys: bool = False,
    ) -> None:
        self._table = table
        self._reached = keys.released
        self._keys = keys
        self._plugins = plugins
        self.counts_keys = counts_keys
        self._sections: dict[str, dict[str, Field]] = {}

    def section(self, section: str) -> dict[str, Field]:
        """The fields of a section (`datasets[]`) by name."""
        known = self._sections.get(section)
        if known is None:
            known = self._sections[section] = {
                name: field
                for name, info in self._table.get(section, {}).items()
                if (field := self._field(name, info)) is not None
            }
        return known

    def _field(self, name: str, info: Mapping[str, Any]) -> Field | None:
        below = info.get("below")
        if below is not None and not self._has(info):
            info = below
        if not self._has(info):
            return None
        plugin = self._at(info, "plugin", "plugin_history", None)
        if plugin is not None and plugin not in self._plugins:
            return None
        default = self._at(info, "default", "defaults", MISSING)
        return Field(
            name,
            self._at(info, "type", "types", "any"),
            choices_of(info, self._reached),
            _machine(default),
            tuple(self._at(info, "alias", "alias_history", ())),
            tuple(self._at(info, "models", "models_history", ())),
            self._at(info, "model_types", "model_types_history", {}),
            plugin,
            info["since"].rpartition(" ")[0],
        )

    def _has(self, info: Mapping[str, Any]) -> bool:
        end = info.get("removed") or info.get("alias_since")
        if not self._reached(info["since"]) or (end is not None and self._reached(end)):
            return False
        return not any(self._keys.is_meant(release) for release in info.get("absent", ()))

    def _at(self, info: Mapping[str, Any], name: str, history: str, empty: Any) -> Any:
        if history not in info:
            return info.get(name, empty)
        return [value for since, value in info[history] if self._reached(since)][-1]


def _machine(default: Any) -> Any:
    """A default that is computed: a member of an enumeration, or `UNKNOWN`."""
    if not (isinstance(default, dict) and set(default) == {"computed_from"}):
        return default
    sources = default["computed_from"]
    last = sources[0].removesuffix(".value").rpartition(".")[2]
    return last.lower() if len(sources) == 1 and last.isupper() else UNKNOWN
