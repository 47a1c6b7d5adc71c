"""`dataset_info.json`, the list of datasets: where it is, and what its entries become.

The file lies in `dataset_dir` (`data` when the config names none); the paths in it are relative to
that folder.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import plain
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.environment.named_files import named_file
from cfglint.environment.surroundings import Surroundings
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.rules.views import written_value
from cfglint.source.document import Document
from cfglint.source.values import is_placeholder

LIST = "dataset_info.json"
#: Where a shell writes the output of a command.
_SUBSTITUTED = "$("
#: The list of a large collection has some hundred kB.
MAX_BYTES = 2_000_000
DATASET_DIR = ("dataset_dir",)
#: A table has the converters from here on; before, all formats but `alpaca` were read as `sharegpt`.
TABLE_SINCE = "0.9.2"
_NAMING = ("dataset", "eval_dataset")
#: What an entry of the list has when its samples are not in a file beside it.
REMOTE = ("hf_hub_url", "ms_hub_url", "om_hub_url", "script_url", "cloud_file_name")
#: Where the data of an entry is, in the order in which the parser asks.
SOURCES = (*REMOTE, "file_name")


def named_datasets(document: Document) -> Iterator[tuple[str, str]]:
    """The datasets of a config, each with the key that names it."""
    for key in _NAMING:
        written = plain(written_value(document, (key,)))
        if isinstance(written, str):
            # A comma of a command whose output is the value divides nothing.
            written = [] if _SUBSTITUTED in written else written.split(",")
        for name in written if isinstance(written, list) else ():
            if isinstance(name, str) and name.strip() and not _is_open(name.strip()):
                yield key, name.strip()


def _is_open(name: str) -> bool:
    """Whether a part of a name is a variable of the shell, or all of it is to be filled in."""
    return "$" in name or is_placeholder(name)


def dataset_folder(document: Document) -> str:
    """`dataset_dir` of a config, as it is written or by default."""
    written = plain(written_value(document, DATASET_DIR))
    return written.rstrip("/") if isinstance(written, str) and written else "data"


def list_name(document: Document) -> str | None:
    """The path at which the list of a config's datasets is opened; None when it is not read."""
    folder = dataset_folder(document)
    if folder == "ONLINE" or folder.startswith("REMOTE:"):
        return None
    if next(named_datasets(document), None) is None:
        return None
    if plain(written_value(document, ("tokenized_path",))):
        return None  # where that exists, the datasets are not examined
    return f"{folder}/{LIST}"


def list_path(document: Document, around: Surroundings) -> str | None:
    """The list of a config's datasets; None when there is no file, or it is not read."""
    return named_file(list_name(document), around, MAX_BYTES)


class Attributes(Record):
    """What the parser makes of an entry (`DatasetAttr`)."""

    #: The key that says where the data is; None where there is none.
    source: str | None
    formatting: Any
    ranking: Any
    #: Column or tag -> the name in the data; None where none is set.
    names: dict[str, Any]

    @property
    def is_file(self) -> bool:
        return self.source == "file_name"


def attributes(entry: dict[Any, Any], keys: ReleaseKeys) -> Attributes:
    """What the parser makes of an entry: a section replaces all defaults, not those it names alone."""
    source = next((name for name in sources(keys) if name in entry), None)
    names: dict[str, Any] = dict(_DEFAULTS)
    formatting = entry.get("formatting", "alpaca")
    for section, known in (("columns", _COLUMNS), ("tags", _TAGS)):
        written = entry.get(section)
        if section == "tags" and formatting != "sharegpt" and not keys.released(TABLE_SINCE):
            continue  # not read
        if isinstance(written, dict):
            names.update({name: written.get(name) for name in known})
    return Attributes(source, formatting, entry.get("ranking", False), names)


def sources(keys: ReleaseKeys) -> list[str]:
    """The keys that say where data is, in a release."""
    section = keys.section("*")
    return [name for name in SOURCES if section is not None and section[name].ordinary]


def formats(keys: ReleaseKeys) -> tuple[Any, ...]:
    """The formats that a release has a converter for."""
    section = keys.section("*")
    schema = None if section is None else section["formatting"].schema
    return () if schema is None else schema.choices


_DEFAULTS = {
    "prompt": "instruction",
    "query": "input",
    "response": "output",
    "messages": "conversations",
    "role_tag": "from",
    "content_tag": "value",
    "user_tag": "human",
    "assistant_tag": "gpt",
    "observation_tag": "observation",
    "function_tag": "function_call",
    "system_tag": "system",
}
_COLUMNS = (
    *("prompt", "query", "response", "history", "messages", "system", "tools"),
    *("images", "videos", "audios", "chosen", "rejected", "kto_tag"),
)
_TAGS = tuple(name for name in _DEFAULTS if name.endswith("_tag"))
