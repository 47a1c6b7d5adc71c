"""The files that a script names, and what the program would refuse in them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import OtherFile
from cfglint.frameworks.accessory.files import data_document, model_documents
from cfglint.frameworks.accessory.models import FIELDS
from cfglint.frameworks.accessory.options import value_of
from cfglint.source.document import Document, Mapping, Sequence
from cfglint.source.text import Span
from cfglint.source.values import to_python

_EXTENSIONS = (".json", ".jsonl", ".csv")
#: What the data set of dialogues reads (`--dialog`).
_OF_DIALOGUES = (".json", ".jsonl")
_WANTED = ("path", "type")


def model_file_keys(ctx: CheckContext) -> Iterator[Hit]:
    """A key of a JSON file that is not a field of the model's `ModelArgs`."""
    llama_type = value_of(ctx.document.root, "llama_type")
    fields = FIELDS.get(llama_type) if isinstance(llama_type, str) else None
    if fields is None:
        return
    for path, document in model_documents(ctx.document.root, ctx.around) or ():
        for entry in document.root.entries:
            if entry.name is not None and entry.name not in fields:
                params = {"key": entry.name[:80], "type": llama_type}
                yield Hit(
                    (entry.name,), entry.key.span, params, file=OtherFile(path, document.source)
                )


def data_file_entries(ctx: CheckContext) -> Iterator[Hit]:
    """What the data set would trip over in the YAML file of the data."""
    found = data_document(ctx.document.root, ctx.around)
    if found is None:
        return
    path, document = found
    dialog = value_of(ctx.document.root, "dialog") is True
    for span, problem in _problems(document, dialog):
        yield Hit((), span, {"problem": problem}, file=OtherFile(path, document.source))


def _problems(document: Document, dialog: bool) -> Iterator[tuple[Span, str]]:
    entry = document.root.lookup.get("META")
    if entry is None:
        first = document.root.entries[0].key.span if document.root.entries else Span(0, 0)
        yield first, "`META`, the list of data files, is missing."
        return
    node = entry.value.target()
    if not isinstance(node, Sequence):
        yield entry.key.span, "`META` must be a list."
        return
    for item in node.items:
        row = item.target()
        if not isinstance(row, Mapping):
            yield item.span, "each entry of `META` must be a mapping."
            continue
        for wanted in _WANTED:
            if wanted not in row.lookup:
                yield item.span, f"this entry of `META` has no `{wanted}`."
        place = row.lookup.get("path")
        written = to_python(place.value) if place is not None else None
        if place is not None and isinstance(written, str):
            extension = os.path.splitext(written)[1]
            known = _OF_DIALOGUES if dialog else _EXTENSIONS
            if extension not in known:
                readable = ", ".join(known)
                yield (
                    place.span,
                    f"`{extension}` files are not supported; expected one of: {readable}.",
                )


CHECKS = {"data-file-entries": data_file_entries, "model-file-keys": model_file_keys}
