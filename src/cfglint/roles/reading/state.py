"""A configuration while it is being computed: plain data with the origin of each value."""

from __future__ import annotations

from typing import Any

from cfglint.base.logic import MISSING
from cfglint.knowledge.rules.views import expanded
from cfglint.source.document import Document, Path
from cfglint.source.values import copied


class ReadingState:
    """Values by path, with the reason for each that is not as written."""

    def __init__(self, document: Document, values: dict[str, Any]) -> None:
        self.document = document
        self.data: dict[str, Any] = copied(values)
        #: Path -> the reason of its value; absent for values as written.
        self.reasons: dict[Path, str] = {}
        #: Where a value was written, when that is not at its own path.
        self.origins: dict[Path, Path | None] = {}

    def value(self, path: Path) -> Any:
        """The value at a path of keys and indices, or MISSING."""
        value: Any = self.data
        for part in path:
            value = self._part(value, part)
            if value is MISSING:
                break
        return value

    __getitem__ = value

    @staticmethod
    def _part(value: Any, part: str | int) -> Any:
        if isinstance(part, int):
            inside = isinstance(value, list) and 0 <= part < len(value)
        else:
            inside = isinstance(value, dict) and part in value
        return value[part] if inside else MISSING

    def values(self, path: tuple[str, ...]) -> list[Any]:
        """The values at a path with `[]` in it."""
        return [self.value(found) for found in self.expand(path)]

    def expand(self, path: tuple[str, ...]) -> list[Path]:
        """The concrete paths that a path with `[]` in it matches."""
        return expanded(path, self._count)

    def _count(self, path: Path) -> int:
        value = self.value(path)
        return len(value) if isinstance(value, list) else 0

    def keys(self, path: Path) -> list[str]:
        """The string keys of the mapping at a path."""
        value = self.value(path)
        return [key for key in value if isinstance(key, str)] if isinstance(value, dict) else []

    def change(self, path: Path, value: Any, *, origin: Path | None, reason: str) -> None:
        """Set the value at a path, and create missing mappings on the way to it."""
        parent: Any = self.data
        for part in path[:-1]:
            if isinstance(parent, dict) and parent.get(part) is None:
                parent[part] = {}
            known = self._part(parent, part)
            if known is MISSING:
                return
            parent = known
        if not isinstance(parent, dict):
            return
        last = path[-1]
        if last not in parent or parent[last] != value:
            self.reasons[path] = reason
            self.origins[path] = origin
        parent[last] = copied(value)

    def remove(self, path: Path, *, reason: str) -> None:
        """Delete the value at a path."""
        parent = self.value(path[:-1])
        if isinstance(parent, dict):
            parent.pop(path[-1], None)

    def written_path(self, path: Path) -> Path | None:
        """Where a value is in the file: its path, or what it was made from."""
        origin = self.origins.get(path, path)
        return origin if origin is not None and self.document.node(origin) is not None else None
