"""The files that a script names: the JSON files of the model, the YAML file of the data."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.environment.named_files import named_document, named_file
from cfglint.environment.surroundings import Surroundings
from cfglint.frameworks.accessory.options import value_of
from cfglint.source.document import Document, Mapping
from cfglint.source.languages.named import language
from cfglint.source.values import to_python

#: The largest real ones have 2 kB.
_MAX_BYTES = 200_000


def model_documents(root: Mapping, around: Surroundings) -> list[tuple[str, Document]] | None:
    """The JSON files of the model, in order; None when not all of them can be read."""
    names = value_of(root, "llama_config")
    if not isinstance(names, list):
        return None
    found = []
    for name in names:
        path = named_file(name, around, _MAX_BYTES)
        document = path and named_document(path, language("json"), around, _MAX_BYTES)
        if not path or not document:
            return None
        found.append((path, document))
    return found


def model_settings(root: Mapping, around: Surroundings) -> dict[str, Any] | None:
    """What the JSON files of the model say together; None when that is not known."""
    if value_of(root, "llama_config") is UNKNOWN:
        return None
    documents = model_documents(root, around)
    if not documents:
        return None
    together: dict[str, Any] = {}
    for _, document in documents:
        together.update(to_python(document.root))
    return together


def data_document(root: Mapping, around: Surroundings) -> tuple[str, Document] | None:
    """The YAML file of the data; None when it cannot be read."""
    name = value_of(root, "data_config")
    path = named_file(name, around, _MAX_BYTES)
    document = path and named_document(path, language("yaml"), around, _MAX_BYTES)
    return (path, document) if path and document else None
