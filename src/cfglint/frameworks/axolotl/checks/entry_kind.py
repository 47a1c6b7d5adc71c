"""Entries of `test_datasets` that Axolotl takes for another kind of data than they were written as.

Unlike `datasets`, whose entries are of the class that `rl` selects, these may be of any: one that
the class for supervised training refuses is tried with the others, and loses what they do not know.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Any
from cfglint.checks.context import Check, CheckContext, Hit
from cfglint.checks.value_types import found_words, wanted_words
from cfglint.knowledge.keys.release_keys import ReleaseKeys, Schema
from cfglint.source.document import Entry, Mapping, format_path
from cfglint.source.values import to_python

_SECTION = "test_datasets[]"
_KINDS = {
    "DPODataset": "pairs of answers",
    "KTODataset": "answers with a verdict",
    "StepwiseSupervisedDataset": "answers in steps",
}
#: Named in the message; the others of a long entry are only counted.
_NAMED = 3


def entry_of_another_kind(ctx: CheckContext) -> Iterator[Hit]:
    """An entry with a value that is refused, where that costs it keys instead of the run."""
    rl = ctx.document.node(("rl",))
    if rl is not None and to_python(rl):
        return
    for path, mapping in ctx.mappings:
        if len(path) != 2 or path[0] != "test_datasets":
            continue
        written = {entry.name: entry for entry in mapping.entries if entry.name is not None}
        classes = ctx.release_keys.entry_classes.of_entry(_SECTION, path, ctx.document)
        refused = _refused(ctx.release_keys, classes[0], mapping)
        known = {
            name: [key for key in written if _schema(ctx.release_keys, key, name) is not None]
            for name in classes[1:]
            if name in _KINDS and not _refused(ctx.release_keys, name, mapping)
        }
        if not refused or not known:
            continue
        # The class that has the most of its keys; the first of them when several have as many.
        taken = max(known, key=lambda name: len(known[name]))
        lost = [
            key
            for key in written
            if key not in known[taken] and _schema(ctx.release_keys, key, classes[0]) is not None
        ]
        if lost:
            entry, schema, value = refused[0]
            params = {
                "key": format_path((*path, str(entry.name))),
                "wanted": wanted_words(schema),
                "found": found_words(value),
                "kind": _KINDS[taken],
                "lost": _listed(lost),
            }
            yield Hit((*path, str(entry.name)), entry.span, params)


def _refused(keys: ReleaseKeys, model: str, mapping: Mapping) -> list[tuple[Entry, Schema, Any]]:
    """The keys of an entry with values that a class does not take."""
    found = []
    for entry in mapping.entries:
        schema = _schema(keys, entry.name, model)
        if schema is not None:
            value = to_python(entry.value)
            if not schema.fits(value):
                found.append((entry, schema, value))
    return found


def _schema(keys: ReleaseKeys, name: str | None, model: str) -> Schema | None:
    return keys.schema_of_class(_SECTION, name, model) if name is not None else None


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names[:_NAMED]]
    more = len(names) - len(quoted)
    return ", ".join(quoted) + (f" and {more} more" if more else "")


CHECKS: dict[str, Check] = {"entry-of-another-kind": entry_of_another_kind}
