"""The rewrites that a framework makes by itself, applied to a view."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cfglint.base.logic import MISSING, UNKNOWN, AtLeast
from cfglint.base.record import Record
from cfglint.base.type_names import Any, Protocol
from cfglint.knowledge.releases.applies import Applies
from cfglint.knowledge.rules.evaluate import Scope, Test, bind, evaluate, subject_value
from cfglint.knowledge.rules.predicates.comparison import number
from cfglint.source.document import Path, format_path

#: `int` takes no more digits.
_MAX_DIGITS = 4_000
#: Levels of a mapping in a text, as many as a file may have.
_MAX_DEPTH = 100


class Derivation(Record):
    """One rewrite."""

    name: str
    applies: dict[str, Any]
    stage: str
    each: tuple[tuple[str, ...], ...]
    when: Test | None
    #: ("rename", old, new) ("strip", path, prefix, exceptions) ("set", path, value)
    #: ("take", path, subject) ("test", path, condition) ("convert", path, kind) ("delete", path)
    steps: tuple[tuple[Any, ...], ...]
    reason: str


def read_derivation(row: tuple[Any, ...]) -> Derivation:
    """A rewrite from its compiled fields."""
    name, applies, stage, each, when, *rest = row
    test = bind(when) if when is not None else None
    masks = {package: Applies(*spec) for package, *spec in applies}
    return Derivation(name, masks, stage, each, test, *rest)


class Rewritable(Protocol):
    """A configuration that rewrites can be made in."""

    def value(self, path: Path) -> Any:
        """The value at a path, or MISSING."""

    def expand(self, path: tuple[str, ...]) -> list[Path]:
        """The concrete paths that match a path with `[]` in it."""

    def keys(self, path: Path) -> list[str]:
        """The string keys of the mapping at a path."""

    def change(self, path: Path, value: Any, *, origin: Path | None, reason: str) -> None:
        """Let a path have another value."""

    def remove(self, path: Path, *, reason: str) -> None:
        """Let a path have no value."""

    def written_path(self, path: Path) -> Path | None:
        """Where in the file the value comes from."""


class ItemScope(Scope, Protocol):
    """A scope that can be pointed at an item of a list."""

    def at_item(self, item: Path) -> None:
        """Let `item.` refer to this item."""


def apply_derivations(
    derivations: Iterable[Derivation],
    view: Rewritable,
    scope: ItemScope,
    applies: Callable[[dict[str, Any]], bool],
    undecided: Callable[[Derivation, list[Path]], None] | None = None,
) -> None:
    """Rewrite a view, in order; a rewrite whose condition is not known to be true is left out.

    Args:
        undecided: called with each rewrite that depends on something unknown, and the paths.
    """
    for derivation in derivations:
        if derivation.applies and not applies(derivation.applies):
            continue
        places: list[Path] = [()]
        if derivation.each:
            places = [item for path in derivation.each for item in view.expand((*path, "[]"))]
        for place in places:
            scope.at_item(place)
            truth = True if derivation.when is None else derivation.when(scope)
            if truth is None:
                unknown = [absolute(step[1], place) for step in derivation.steps]
            else:
                unknown = _rewrite(derivation, place, view, scope) if truth else []
            if unknown and undecided is not None:
                undecided(derivation, unknown)


def _rewrite(derivation: Derivation, item: Path, view: Rewritable, scope: Scope) -> list[Path]:
    """Make all changes of a rewrite; returns the paths whose new value is not known."""
    reason = derivation.reason
    unknown: list[Path] = []
    for kind, written, *rest in derivation.steps:
        path = absolute(written, item)
        known = True
        if kind == "rename":
            _rename(view, path, absolute(rest[0], item), reason)
        elif kind == "strip":
            _strip(view, path, rest[0], rest[1], reason)
        elif kind == "set":
            view.change(path, rest[0], origin=None, reason=reason)
        elif kind == "take":
            known = _take(view, path, rest[0], item, scope, reason)
        elif kind == "test":
            truth = evaluate(rest[0], scope)
            known = truth is not None
            if known:
                view.change(path, truth, origin=None, reason=reason)
        elif kind == "convert":
            _convert(view, path, rest[0], reason)
        elif view.value(path) is not MISSING:
            view.remove(path, reason=reason)
        if not known:
            unknown.append(path)
    return unknown


def absolute(path: tuple[str, ...], item: Path) -> Path:
    """The concrete path of one that may start at an `item`."""
    return (*item, *path[1:]) if path[0] == "item" else path


def _rename(view: Rewritable, old: Path, new: Path, reason: str) -> None:
    value = view.value(old)
    if value is MISSING or value is None:
        return
    if view.value(new) in (MISSING, None):
        reason = reason.replace("{old}", format_path(old))
        view.change(new, value, origin=view.written_path(old), reason=reason)
    view.remove(old, reason=reason)


def _strip(view: Rewritable, path: Path, prefix: str, kept: tuple[str, ...], reason: str) -> None:
    """Cut a prefix off the keys of a mapping; of two that are the same then, the last wins."""
    keys = view.keys(path)
    for position, key in enumerate(keys):
        short = key[len(prefix) :]
        if key.startswith(prefix) and key not in kept:
            old, new = (*path, key), (*path, short)
            if short not in keys[position:]:
                view.change(new, view.value(old), origin=view.written_path(old), reason=reason)
            view.remove(old, reason=reason)


def _take(
    view: Rewritable, path: Path, subject: tuple[Any, ...], item: Path, scope: Scope, reason: str
) -> bool:
    value = subject_value(subject, scope)
    if value is UNKNOWN or isinstance(value, AtLeast):
        return False
    origin: Path | None = None
    if subject[0] == "key":
        origin = view.written_path(subject[1])
    elif subject[0] == "item":
        origin = view.written_path((*item, *subject[1]))
    if value is not MISSING:
        view.change(path, value, origin=origin, reason=reason)
    return True


def _convert(view: Rewritable, path: Path, kind: str, reason: str) -> None:
    value = view.value(path)
    if kind == "section" and isinstance(value, dict):
        _convert_members(view, path, value, reason)
        return
    converted = value
    if kind == "names":
        converted = _names(value)
    elif kind == "int":
        converted = _whole(value)
    elif kind == "item":
        converted = (
            value if value is MISSING or value is None or isinstance(value, list) else [value]
        )
    elif kind == "single":
        converted = value[0] if isinstance(value, list) and len(value) == 1 else value
    elif isinstance(value, str):
        converted = _from_text(value, kind)
    if converted is not value and (converted != value or type(converted) is not type(value)):
        view.change(path, converted, origin=view.written_path(path), reason=reason)


def _convert_members(view: Rewritable, path: Path, table: dict[Any, Any], reason: str) -> None:
    """Convert the texts of a mapping and of those in it, each at its own place."""
    for key, value in list(table.items()):
        place = (*path, key)
        if isinstance(value, dict) and isinstance(key, str):  # paths go through such keys only
            _convert_members(view, place, value, reason)
        elif (converted := _typed(value)) is not value:
            view.change(place, converted, origin=view.written_path(place), reason=reason)


def _from_text(value: str, kind: str) -> Any:
    """What a conversion makes of a text; the text itself when that is not possible."""
    if kind == "lower":
        return value.lower()
    if kind == "words":
        return value.split()
    if kind in ("list", "numbers"):
        parts = [part.strip() for part in value.split(",")]
        return parts if kind == "list" else [_float(part) for part in parts]
    if kind in ("json", "section"):
        return _from_json(value) if value.startswith("{") else value
    return _float(value)


def _whole(value: Any) -> Any:
    """A whole number of a number that is one, or of a text of digits."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    digits = isinstance(value, str) and value.isascii() and value.isdigit()
    return int(value) if digits and len(value) < _MAX_DIGITS else value


def _float(text: str) -> Any:
    found = number(text.strip())
    return text if found is None else float(found)


def _from_json(text: str) -> Any:
    """A mapping in a text as transformers reads one: texts in it that look like numbers or truths are those."""
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return _typed(found) if isinstance(found, dict) and not _is_deep(found) else text


def _is_deep(value: Any) -> bool:
    """Whether values are nested more deeply than anything that walks them expects."""
    level = [value]
    for _ in range(_MAX_DEPTH):
        nested = [one for one in level if isinstance(one, (dict, list))]
        if not nested:
            return False
        level = [
            part for one in nested for part in (one.values() if isinstance(one, dict) else one)
        ]
    return True


def _typed(value: Any) -> Any:
    """A text as the number or truth that it looks like; of a mapping, all that are in it."""
    if isinstance(value, dict):
        return {key: _typed(item) for key, item in value.items()}
    if isinstance(value, str):
        if value.lower() in ("true", "false"):
            return value.lower() == "true"
        if value.isascii() and value.isdigit() and len(value) < _MAX_DIGITS:
            return int(value)
        if value.isascii() and value.replace(".", "", 1).isdigit():
            return float(value)
    return value


def _names(value: Any) -> Any:
    """`a, b` or a list of names as a list of names in capitals, each once; nothing as none."""
    if value is MISSING:
        return value
    if not value:
        return []
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list):
        return value
    return list(dict.fromkeys(str(name).strip().upper() for name in names))
