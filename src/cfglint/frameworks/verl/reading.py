"""What Hydra composes for the first command of a script: the config, with the words laid over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.environment.surroundings import Surroundings, nowhere
from cfglint.frameworks.verl.merging import found_at
from cfglint.frameworks.verl.run_config import RunConfig, run_config
from cfglint.roles.reading.base import NotDeterminedError, Reading
from cfglint.source.document import Document, Path

_NOT_IN_SCRIPT = "the script does not determine it"


class VerlReading(Reading):
    """Follows the composition of the config of one release, or of the project."""

    _found: RunConfig | None = None

    def values(self, document: Document) -> dict[str, Any]:
        return self.values_in(document, nowhere())

    def values_in(self, document: Document, around: Surroundings) -> dict[str, Any]:
        self._found = run_config(document, self.target, around)
        if self._found is None:
            raise NotDeterminedError("The config that the command reads cannot be followed.")
        return self._found.merged.tree

    def reader(self, default: str, value: Callable[[Path], Any]) -> ComposedReader:
        assert self._found is not None
        own = self._found.own
        reason = default if own is None else f"from {own.file}"
        return ComposedReader(self._found, reason)


class ComposedReader:
    """Gives each value of a composed config its reason; interpolations are followed.

    Args:
        reason: that of a value which no word sets.
    """

    def __init__(self, found: RunConfig, reason: str) -> None:
        self._merged, self._before = found.merged, found.before
        self._reason = reason
        self.reasons: dict[Path, str] = {}
        self.moved: dict[Path, Path] = {}
        self.sections: set[Path] = set()
        self.dropped: list[Path] = []
        self.unknown: dict[Path, str] = {}

    def read(self, section: str, data: dict[Any, Any]) -> dict[str, Any]:
        """The values, without those that are not known."""
        found: dict[str, Any] = self._section(data, ())
        found.pop("hydra", None)
        self.unknown.pop(("hydra",), None)
        return found

    def _section(self, data: dict[Any, Any], path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in data.items():
            place = (*path, str(name))
            if isinstance(value, dict) and value:
                found[str(name)] = self._section(value, place)
                continue
            known = value if value is UNKNOWN or value == "???" else self._followed(place, value)
            if known is UNKNOWN:
                self.unknown[place] = "script"
                self.reasons[place] = _NOT_IN_SCRIPT
                continue
            if isinstance(known, dict) and known:
                known = self._section(known, place)
            found[str(name)] = known
            if self._is_untouched(place, value):
                self.reasons[place] = self._reason
        return found

    def _followed(self, place: Path, value: Any) -> Any:
        """The value of a key; a text with an interpolation that cannot be followed is not known."""
        if not isinstance(value, str) or "${" not in value:
            return value
        found = self._merged.value(".".join(map(str, place)))
        return UNKNOWN if found is MISSING else found

    def _is_untouched(self, place: Path, value: Any) -> bool:
        """Whether no word sets a key."""
        here = found_at(self._before, map(str, place))
        return here is value or (here == value and type(here) is type(value))
