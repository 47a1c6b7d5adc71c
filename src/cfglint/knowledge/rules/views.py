"""The configuration as one stage of the framework sees it.

`raw` is the file as written. `late` is what is left after the framework's own rewrites (the
derivations). `effective` is late, with the defaults of the release filled in.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.source.document import Document, Mapping, Path, Scalar, Sequence
from cfglint.source.values import Unexpanded, to_python

Coerce = Callable[[Path, Any], Any]


class Rewritten(Record):
    """A value that does not come from the file as written."""

    value: Any
    #: The written path that the value was taken from, None when it was made up.
    origin: Path | None
    #: Why it is so, in words.
    reason: str


def expanded(path: tuple[str, ...], count: Callable[[Path], int]) -> list[Path]:
    """The concrete paths that match a path with `[]` in it.

    Args:
        count: how many items the list at a concrete path has; 0 when it is none.
    """
    paths: list[Path] = [()]
    for part in path:
        if part == "[]":
            paths = [(*found, index) for found in paths for index in range(count(found))]
        else:
            paths = [(*found, part) for found in paths]
    return paths


def written_value(document: Document, path: Path) -> Any:
    """The value at a path of a file as it is written, or MISSING."""
    node = document.node(path)
    return MISSING if node is None else to_python(node)


class ValuesByPath(dict[Path, Any]):
    """The values of a view, each computed when it is first asked for; MISSING for none.

    It knows nothing of its view: a circle of two would keep every file until it is collected.
    """

    __slots__ = ("coerce", "deep", "defaults", "document", "rewritten")

    def __init__(
        self,
        document: Document,
        rewritten: dict[Path, Rewritten],
        deep: list[Path],
        coerce: Coerce | None,
        defaults: dict[str, Any],
    ) -> None:
        super().__init__()
        self.document = document
        self.rewritten = rewritten
        #: The changed paths that are part of another value, or contain others.
        self.deep = deep
        self.coerce = coerce
        self.defaults = defaults

    def __missing__(self, path: Path) -> Any:
        change = self.rewritten.get(path) if self.rewritten else None
        value = change.value if change is not None else self._written(path)
        if self.deep:
            value = self._overlaid(path, value, change is not None)
        if (value is MISSING or value is None) and len(path) == 1 and path[0] in self.defaults:
            value = self.defaults[path[0]]
        self[path] = value
        return value

    def _overlaid(self, path: Path, value: Any, changed: bool) -> Any:
        """A value with the changes of what it is part of, and of its own parts."""
        if not changed:
            for length in range(len(path) - 1, 0, -1):
                above = self.rewritten.get(path[:length])
                if above is not None:
                    value = _part(above.value, path[length:])
                    break
        size = len(path)
        for part in self.deep:
            if len(part) > size and part[:size] == path:
                value = _with_part(value, part[size:], self.rewritten[part].value)
        return value

    def _written(self, path: Path) -> Any:
        if len(path) == 1:
            entry = self.document.root.lookup.get(path[0])
            node = entry.value.target() if entry is not None else None
        else:
            node = self.document.node(path)
        if node is None:
            if not _is_settled(self.document, path):
                return UNKNOWN
            if len(path) > 1 and (held := _held_in_text(self.document, path[0])) is not None:
                return _part(held, path[1:])
            hides = self.document.hides_keys and len(path) == 1
            return UNKNOWN if hides or self.document.hides_inner_keys else MISSING
        value = node.value if isinstance(node, Scalar) else to_python(node)
        if isinstance(value, list) and any(isinstance(item, Unexpanded) for item in value):
            return Unexpanded()
        if self.coerce is not None and (
            isinstance(value, str) or (type(value) is int and value in (0, 1))
        ):
            return self.coerce(path, value)
        return value


class View:
    """Values by path. Cheap to make: nothing is built before it is asked for."""

    __slots__ = ("_deep", "at", "document", "rewritten")

    def __init__(
        self,
        document: Document,
        *,
        base: View | None = None,
        coerce: Coerce | None = None,
        defaults: dict[str, Any] | None = None,
    ) -> None:
        self.document = document
        self.rewritten: dict[Path, Rewritten] = dict(base.rewritten) if base else {}
        self._deep: list[Path] = list(base._deep) if base else []
        #: Path of keys and indices -> value, or MISSING.
        self.at = ValuesByPath(document, self.rewritten, self._deep, coerce, defaults or {})

    def value(self, path: Path) -> Any:
        """The value at a path of keys and indices, or MISSING."""
        return self.at[path]

    def values(self, path: tuple[str, ...]) -> list[Any]:
        """The values at a path with `[]` in it; items that lack the rest give MISSING."""
        return [self.value(found) for found in self.expand(path)]

    def expand(self, path: tuple[str, ...]) -> list[Path]:
        """The concrete paths that match a path with `[]` in it."""
        return expanded(path, self._count)

    def _count(self, path: Path) -> int:
        """How many items the list at a path has."""
        if self._deep:
            value = self.value(path)
            return len(value) if isinstance(value, list) else 0
        node = self.document.node(path)
        return len(node.items) if isinstance(node, Sequence) else 0

    def change(self, path: Path, value: Any, *, origin: Path | None, reason: str) -> None:
        """Let a path have another value from here on."""
        if self._deep:
            for part in [p for p in self._deep if p[: len(path)] == path]:
                self._deep.remove(part)
                del self.rewritten[part]
        if len(path) > 1 or isinstance(value, (dict, list)):
            self._deep.append(path)
        self.rewritten[path] = Rewritten(value, origin, reason)
        # What has parts is rarely rewritten, so nothing finer is needed.
        if self._deep or isinstance(self.document.node(path), (Mapping, Sequence)):
            self.at.clear()
        else:
            self.at.pop(path, None)

    def remove(self, path: Path, *, reason: str) -> None:
        """Let a path have no value from here on."""
        self.change(path, MISSING, origin=None, reason=reason)

    def written_path(self, path: Path) -> Path | None:
        """Where a value of this view is in the file: the path, or what it was made from."""
        change = self.rewritten.get(path)
        if change is not None and change.origin is not None:
            path = change.origin
        return path if self.document.node(path) is not None else None

    def keys(self, path: Path) -> list[str]:
        """The string keys of the mapping at a path."""
        node = self.document.node(path)
        if not isinstance(node, Mapping):
            return []
        return [key for key in node.lookup if isinstance(key, str)]


def _held_in_text(document: Document, key: str | int) -> Any:
    """The mapping that the parser of arguments reads from a text: `lr_scheduler_kwargs: '{"min_lr": 1e-6}'`."""
    entry = document.root.lookup.get(key)
    node = entry.value.target() if entry is not None else None
    text = node.value if isinstance(node, Scalar) else None
    if not isinstance(text, str) or not text.lstrip().startswith("{"):
        return None
    from json import loads

    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None


def _is_settled(document: Document, path: Path) -> bool:
    """Whether a key that is not written is surely not set, as the innermost mapping that is written says."""
    root = document.root
    settled, key = root.settled, path[0]
    if settled is not None and len(path) > 1 and key in root.names:
        for length in range(len(path) - 1, 0, -1):
            inner = document.node(path[:length])
            if isinstance(inner, Mapping):
                settled, key = inner.settled, path[length]
                break
            if isinstance(inner, Scalar) and inner.value is UNKNOWN:
                return False
    return settled is None or key in settled


def _part(value: Any, path: Path) -> Any:
    for step in path:
        if isinstance(step, int):
            if not isinstance(value, list) or not 0 <= step < len(value):
                return MISSING
        elif not isinstance(value, dict) or step not in value:
            return MISSING
        value = value[step]
    return value


def _with_part(value: Any, path: Path, part: Any) -> Any:
    """A copy of a value in which the part at a path is another one, or missing."""
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        if not isinstance(value, list) or not 0 <= first < len(value):
            return value
        items = list(value)
        items[first] = _with_part(items[first], rest, part) if rest else part
        return items
    if not isinstance(value, dict):
        if part is MISSING or value not in (MISSING, None):
            return value
        value = {}
    table = dict(value)
    if rest:
        table[first] = _with_part(table.get(first, MISSING), rest, part)
    elif part is MISSING:
        table.pop(first, None)
    else:
        table[first] = part
    return table
