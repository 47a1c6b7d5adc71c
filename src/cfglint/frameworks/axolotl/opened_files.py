"""What Axolotl opens as a run starts: DeepSpeed's settings, and data that is in files."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.frameworks.axolotl.deepspeed_files import is_shipped
from cfglint.frameworks.deepspeed.references import opened_settings
from cfglint.roles.parts import Opened
from cfglint.source.document import Document, Mapping, Path, Scalar, Sequence
from cfglint.source.files.data import DATA_SUFFIXES

_LISTS: Final = ("datasets", "test_datasets")
#: Where data is that is prepared, by default.
_PREPARED: Final = "last_run_prepared"
#: So many entries of a list are looked at.
_MAX_ENTRIES: Final = 50


def opened(document: Document) -> Iterator[Opened]:
    """The files of a config; a path that is no file is one of the Hub, where none is named like a file."""
    yield from opened_settings(document, is_brought=is_shipped)
    prepared = _text(document, ("dataset_prepared_path",)) or _PREPARED
    for key in _LISTS:
        node = document.node((key,))
        for index, item in enumerate(
            node.items[:_MAX_ENTRIES] if isinstance(node, Sequence) else ()
        ):
            entry = item.target()
            if not isinstance(entry, Mapping) or "data_files" in entry.lookup:
                continue
            path = (key, index, "path")
            name = _text(document, path)
            if name.lower().endswith(DATA_SUFFIXES):
                yield Opened(path, name, is_data=True, unless=prepared)


def _text(document: Document, path: Path) -> str:
    node = document.node(path)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else ""
