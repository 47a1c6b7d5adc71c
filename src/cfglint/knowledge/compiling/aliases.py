"""Keys of other tools, and what a framework calls them.

Where two frameworks have a concept under different names, each name is an alias of the other; so are the names that
libraries have for it (`names` in `rules/concepts.yaml`). A framework's `aliases.yaml` adds what does not follow from
that: values that change, keys without a counterpart, advice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from cfglint.knowledge.compiling.concepts import Concepts, Meaning, ValueModel

#: (from, to, value, values, advice, unless), as `cfglint.roles.key_policy.ForeignName` reads them.
Row = tuple[Any, ...]


def aliases(rows: list[dict[str, Any]], derived: dict[str, Row]) -> dict[str, Row]:
    """Foreign key -> its row.

    Args:
        rows: those of an `aliases.yaml`, which win.
        derived: those that follow from concepts.
    """
    out: dict[str, Row] = {}
    for entry in rows:
        names = entry["foreign"]
        row = (
            entry["from"],
            entry.get("to"),
            entry.get("value", ""),
            entry.get("values", {}),
            entry.get("advice", ""),
            tuple(entry.get("unless", ())),
        )
        for name in [names] if isinstance(names, str) else names:
            out.setdefault(name, row)
    return {**derived, **out}


def from_concepts(
    concepts: Concepts, framework: str, titles: Mapping[str, str], known: Collection[str]
) -> dict[str, Row]:
    """The aliases of a framework that follow from the concepts it shares with other tools.

    Args:
        titles: framework -> its name in messages.
        known: the keys that the framework has, now or in an earlier release.
    """
    own = _keys(concepts.frameworks.get(framework, {}))
    found: dict[str, Row] = {}
    for concept, key in own.items():
        libraries = [
            (origin, name)
            for origin, names in concepts.vocabulary[concept].names.items()
            for name in names
        ]
        others = [
            (titles[other], keys[concept])
            for other, meanings in concepts.frameworks.items()
            if other != framework and concept in (keys := _keys(meanings))
        ]
        for origin, name in (*libraries, *others):
            if name not in known:
                found.setdefault(name, (origin, key, "same", {}, "", ()))
    return found


def _keys(meanings: Mapping[str, Meaning]) -> dict[str, str]:
    """Concept -> the key at the top level that has it."""
    return {
        concept: meaning.value
        for concept, meaning in meanings.items()
        if isinstance(meaning, ValueModel) and meaning.value.isidentifier()
    }
