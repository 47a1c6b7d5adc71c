"""The files that a script names, and what the program would refuse in them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.base.shortened import shortened
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import OtherFile, Related, SeverityName
from cfglint.frameworks.accessory.files import data_document, model_documents
from cfglint.frameworks.accessory.models import FIELDS
from cfglint.frameworks.accessory.options import value_of
from cfglint.source.document import Document, Mapping, Sequence
from cfglint.source.files.nearby import read, search
from cfglint.source.text import Span
from cfglint.source.values import to_python

_EXTENSIONS = (".json", ".jsonl", ".csv")
#: What the data set of dialogues reads (`--dialog`).
_OF_DIALOGUES = (".json", ".jsonl")
_WANTED = ("path", "type")
_PAIR = "write each entry of `META` as `path: …` and `type: …`; pairs were read until August 2023."
#: Where the entries are read, and how it says so when they are mappings.
_READER = ("accessory/data/alpaca.py", "data/alpaca.py")
_BY_NAME = "meta['path']"
_MAX_SOURCE = 200_000


def model_file_keys(ctx: CheckContext) -> Iterator[Hit]:
    """A key of a JSON file that is not a field of the model's `ModelArgs`."""
    llama_type = value_of(ctx.document.root, "llama_type")
    fields = FIELDS.get(llama_type) if isinstance(llama_type, str) else None
    if fields is None:
        return
    for path, document in model_documents(ctx.document.root, ctx.around) or ():
        for entry in document.root.entries:
            if entry.name is not None and entry.name not in fields:
                params = {"key": shortened(entry.name, 80), "type": llama_type}
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
    file = OtherFile(path, document.source)
    for span, problem in _problems(document, dialog):
        yield Hit((), span, {"problem": problem}, file=file)
    pairs = list(_pairs(document))
    reads_names = _reads_names(ctx) if pairs else None
    if pairs and reads_names is not False:
        severity: SeverityName = "warning" if reads_names is None else "error"
        related = tuple(Related(span, "the same applies to this one") for span in pairs[1:])
        params = {"problem": _PAIR}
        yield Hit((), pairs[0], params, related=related, severity=severity, file=file)


def _pairs(document: Document) -> Iterator[Span]:
    """The entries `[path, type]`, a form that was read until 27 August 2023 (commit cccec0e)."""
    entry = document.root.lookup.get("META")
    node = entry.value.target() if entry is not None else None
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item.target(), Sequence):
            yield item.span


def _reads_names(ctx: CheckContext) -> bool | None:
    """Whether the project's own copy of the program reads entries by name; None without a copy."""
    folder, files = ctx.around.folder, ctx.around.files
    for name in _READER if folder is not None else ():
        for path in search(name, folder or "", files).found:
            contents = read(path, _MAX_SOURCE, files)
            if contents is not None:
                return _BY_NAME in contents.source.text
    return None


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
        if isinstance(row, Sequence):
            continue  # see `_pairs`
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
