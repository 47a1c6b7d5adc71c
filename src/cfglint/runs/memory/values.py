"""The values of a config, overlaid with the changes of a remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.rules.views import View
from cfglint.runs.memory.planning import NotCertainError
from cfglint.source.document import Document, Path

if TYPE_CHECKING:
    from cfglint.roles.framework import Framework


class Values:
    """Values by key as the framework reads them; None where there is none."""

    def __init__(
        self,
        document: Document,
        framework: Framework,
        release: str,
        changes: Mapping[Path, Any] | None = None,
    ) -> None:
        self._view = View(document, coerce=framework.parsing.coerce)
        self._changes = dict(changes or {})
        self._document, self._framework = document, framework
        self.release = release
        self.keys: ReleaseKeys = framework.release_keys(release)

    @property
    def of_command(self) -> bool:
        """Whether they are the options of a command in a script."""
        return self._document.language.structure == "words"

    def changed(self, changes: Mapping[Path, Any]) -> Values:
        """The same config with other values at some paths."""
        both = {**self._changes, **changes}
        return type(self)(self._document, self._framework, self.release, both)

    def at(self, *path: str) -> Any:
        """The value at a path, without what is missing or null.

        Raises:
            NotCertainError: only the run of a script or a program shows it.
        """
        if path in self._changes:
            return self._changes[path]
        for length in range(len(path) - 1, 0, -1):
            if path[:length] in self._changes:
                above = self._changes[path[:length]]
                return above.get(path[-1]) if isinstance(above, dict) else None
        value = self._view.value(path)
        if value is UNKNOWN or self._is_filled_in_later(value):
            raise NotCertainError(self._why_open(path))
        return None if value is MISSING else value

    def _why_open(self, path: tuple[str, ...]) -> str:
        """The reason for which a value is not known."""
        hiding = self._document.hiding
        if hiding and self._document.entry(path) is None:
            return f"what `{hiding}` adds to the command is known only when the run starts"
        return f"`{'.'.join(path)}` is not known before the run starts"

    def _is_filled_in_later(self, _value: object) -> bool:
        """Whether a value is written down, but not what the run will have."""
        return False

    def names(self, key: str) -> list[str]:
        """The texts of a list, or the one text that is in its place."""
        value = self.at(key)
        if isinstance(value, str):
            return [value]
        return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

    def parted_names(self, key: str) -> set[str]:
        """The names of a text with commas, or of a list."""
        return {name.strip() for text in self.names(key) for name in text.split(",")} - {""}

    def plugins(self) -> set[str]:
        """The names of the plugins' classes, without their modules."""
        return {
            name.replace(":", ".").rpartition(".")[2]
            for name in self.names(self._framework.row["plugins_key"])
        }

    def size(self, *keys: str) -> int:
        """The first whole number above 0 under some keys; 1 when there is none."""
        for key in keys:
            value = self.at(key)
            if type(value) is int and value > 0:
                return value
        return 1

    def since(self, release: str) -> bool:
        return self.keys.released(release)


class ScriptValues(Values):
    """The options in a script, of which some are known only when it runs."""

    def _is_filled_in_later(self, value: object) -> bool:
        return isinstance(value, str) and ("$" in value or "`" in value)


def values_of(document: Document, framework: Framework, release: str) -> Values:
    """The values of a config, or of the options in a script."""
    reader = ScriptValues if document.language.structure == "words" else Values
    return reader(document, framework, release)
