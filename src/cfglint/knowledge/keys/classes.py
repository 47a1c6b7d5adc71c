"""The classes that programs call, with the history of their parameters.

The table of a class is a table of keys. What it inherits from the class above it is kept once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import SimpleNamespace

from cfglint.base.packing import unpack
from cfglint.base.type_names import Any
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable

#: The class above, the own parameters in their order, and the tables.
_Row = tuple[str, list[str], dict[str, Any]]


@lru_cache(maxsize=128)
def parameters_of(framework: str, name: str) -> tuple[str, ...] | None:
    """The parameters of a class, those of positional arguments first; None for one that is not known."""
    row = _row(framework, name)
    if row is None:
        return None
    above, own, _ = row
    inherited = parameters_of(framework, above) or () if above else ()
    return tuple(dict.fromkeys((*inherited, *own)))


def is_below(framework: str, name: str) -> bool:
    """Whether a class is the one that others have their parameters from, or one of these."""
    row = _row(framework, name)
    return row is not None and bool(row[0] or name in _above(framework))


@lru_cache(maxsize=8)
def _above(framework: str) -> frozenset[str]:
    rows = (_row(framework, name) for name in known_classes(framework))
    return frozenset(row[0] for row in rows if row is not None and row[0])


@lru_cache(maxsize=128)
def table_of(framework: str, name: str) -> KeyTable:
    """The parameters of a class with their history.

    Raises:
        KeyError: it is not known.
    """
    row = _row(framework, name)
    if row is None:
        raise KeyError(name)
    above, _, own = row
    below = _row(framework, above) if above else None
    if below is None:
        return KeyTable(SimpleNamespace(**own))
    return KeyTable(
        SimpleNamespace(**{part: _joined(rows, below[2][part]) for part, rows in own.items()})
    )


def _joined(own: Any, below: Any) -> Any:
    """A part of a table with that of the class above; a mapping of mappings one level deeper."""
    if not isinstance(own, dict):
        return own or below
    inner = {
        key: {**below.get(key, {}), **value} if isinstance(value, dict) else value
        for key, value in own.items()
    }
    return {**below, **inner}


@lru_cache(maxsize=128)
def _row(framework: str, name: str) -> _Row | None:
    packed = compiled.load(f"{framework}_classes").CLASSES.get(name)
    return unpack(packed) if packed is not None else None


def other_class(framework: str, name: str) -> Mapping[str, Any] | None:
    """The fields of a class that has no table: `always`, and by releases, `since` and `until`.

    Args:
        name: the full one, or its last part.
    """
    rows: Mapping[str, Mapping[str, Any]] = compiled.load("frameworks").FRAMEWORKS[framework][
        "other_classes"
    ]
    found = (one for one in rows if name in (one, one.rpartition(".")[2]))
    return rows.get(next(found, ""))


def fields_in(framework: str, name: str, keys: ReleaseKeys) -> frozenset[str]:
    """The fields that such a class has in a release; none of a class that is not one of these."""
    row = other_class(framework, name)
    if row is None:
        return frozenset()
    since, until = row["since"], row["until"]
    return frozenset(
        field
        for field in (*row["always"], *since, *until)
        if not (field in since and not keys.released(since[field]))
        and not (field in until and keys.released(until[field]))
    )


def known_classes(framework: str) -> tuple[str, ...]:
    """The full names of all classes: the package, and the name in it; none where no table has any."""
    try:
        return tuple(compiled.load(f"{framework}_classes").CLASSES)
    except ModuleNotFoundError:
        return ()
