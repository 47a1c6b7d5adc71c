"""DeepSpeed's settings, the JSON file that `deepspeed:` names."""

from __future__ import annotations

import os
from typing import Any

from cfglint.environment.surroundings import Surroundings
from cfglint.files.nearby import Contents, read, search
from cfglint.record import Record
from cfglint.source.document import Document, Path
from cfglint.source.languages.json import JSON
from cfglint.source.languages.json_words import in_words
from cfglint.source.problems import JsonProblemKind, SourceError
from cfglint.source.text import Span

#: The largest real file has 5 kB.
MAX_BYTES = 200_000
#: Repeated keys that are told.
MAX_REPEATED = 50
#: The files that come with Axolotl, of all its releases, and the folders they were in.
_SHIPPED = frozenset(
    {
        "zero1.json", "zero1_torch_compile.json", "zero2.json", "zero2_torch_compile.json",
        "zero3.json", "zero3_bf16.json", "zero3_bf16_cpuoffload_all.json",
        "zero3_bf16_cpuoffload_params.json", "zero3_cpuoffload.json", "zero3_cpu.json",
    }
)  # fmt: skip
_SHIPPED_IN = ("deepspeed_configs", "deepspeed")


class Unreadable(Record):
    """Why a file says nothing, and where (an offset into its text)."""

    problem: str
    offset: int


class DeepSpeedFile(Record):
    """The file that a config names. Either `document` or `error` is None.

    `settings` is empty when the file cannot be read.
    """

    contents: Contents
    document: Document | None
    error: Unreadable | None
    settings: dict[str, Any]

    def value(self, *path: str) -> Any:
        """The value at a path, None when there is none."""
        value: Any = self.settings
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value


def is_shipped(written: str) -> bool:
    """Whether a path is one of the files that come with Axolotl."""
    folder, _, name = written.replace("\\", "/").rpartition("/")
    return name in _SHIPPED and folder.rpartition("/")[2] in _SHIPPED_IN


def load_once(written: object, around: Surroundings) -> DeepSpeedFile | None:
    """What `load` gives, read once for all configs of a folder that name the same file."""
    folder = around.folder
    if not isinstance(written, str):
        return None
    return around.memory.once(("deepspeed", written, folder), lambda: load(written, folder))


def load(written: object, folder: str | None) -> DeepSpeedFile | None:
    """The file that a config in `folder` names.

    None when there is none, or when the working folder decides which one is meant.
    """
    if not isinstance(written, str) or folder is None or not written:
        return None
    found = [contents for path in search(written, folder).found if (contents := _text(path))]
    if not found or any(other.source.text != found[0].source.text for other in found[1:]):
        return None
    contents = found[0]
    if contents.problem is not None:
        return DeepSpeedFile(contents, None, Unreadable(contents.problem, 0), {})
    try:
        document = JSON.read(contents.source)
    except SourceError as error:
        return DeepSpeedFile(contents, None, Unreadable(in_words(error), error.span.start), {})
    for problem in document.problems:
        # Python reads a number that is none.
        if problem.kind is not JsonProblemKind.NON_FINITE:
            why = Unreadable(in_words(problem), problem.span.start)
            return DeepSpeedFile(contents, None, why, {})
    return DeepSpeedFile(contents, document, None, document.value())


def repeated_keys(document: Document) -> list[tuple[Path, Span]]:
    """Every key that stands once more in its object, with the place of the one before it."""
    found: list[tuple[Path, Span]] = []
    seen: dict[Path, Span] = {}
    for path, entry, _ in document.walk():
        if entry is None:
            continue
        if path in seen:
            found.append((path, seen[path]))
            if len(found) >= MAX_REPEATED:
                break
            for below in [other for other in seen if other[: len(path)] == path]:
                del seen[below]
        seen[path] = entry.key.span
    return found


def _text(path: str) -> Contents | None:
    return read(path, MAX_BYTES)


def stage_of(file: DeepSpeedFile | None) -> int | None:
    """The ZeRO stage as the file says it; None when that is not known."""
    if file is None or file.document is None:
        return None
    stage = file.value("zero_optimization", "stage")
    if stage is None and file.value("zero_optimization") in (None, {}):
        return 0
    return stage if type(stage) is int and 0 <= stage <= 3 else None


def neighbours(folder: str) -> list[str]:
    """The names of the JSON files in a folder."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return sorted(name for name in names[:2000] if name.endswith(".json"))
