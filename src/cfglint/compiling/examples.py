"""The examples of rule files, as inputs for a run and expectations of it."""

from __future__ import annotations

import re
from typing import NamedTuple

from cfglint.compiling.model import Example

_MARKER = re.compile(
    r"[ \t]*# <- ([A-Z][A-Z0-9]*\d+(?:[ ,]+[A-Z][A-Z0-9]*\d+)*)[ \t]*(?=\r?$)", re.M
)


class Prepared(NamedTuple):
    """An example without its markers.

    `marked` are the lines (from 1) that must carry the finding.
    """

    data: bytes
    marked: tuple[int, ...]


def strip_markers(text: str) -> str:
    """The text without `# <- CODE`."""
    return _MARKER.sub("", text)


def prepare_files(example: Example) -> dict[str, Prepared]:
    """The files beside the config, by name."""
    return {
        name: Prepared(
            strip_markers(text).encode(),
            tuple(text.count("\n", 0, m.start()) + 1 for m in _MARKER.finditer(text)),
        )
        for name, text in example.files.items()
    }


def prepare(example: Example) -> Prepared:
    """The file that an example stands for."""
    text = example.bad if example.bad is not None else example.good
    assert text is not None
    marked = tuple(text.count("\n", 0, m.start()) + 1 for m in _MARKER.finditer(text))
    text = strip_markers(text)
    if example.repeat > 1:
        head, newline, rest = text.partition("\n")
        text = head + newline + rest * example.repeat
    return Prepared(text.encode(example.encoding), marked)
