"""The examples of rule files, as inputs for a run and expectations of it."""

from __future__ import annotations

from typing import NamedTuple

from cfglint.knowledge.compiling.model import Example
from cfglint.knowledge.rules.example_marks import MARKER, strip_markers


class Prepared(NamedTuple):
    """An example without its markers.

    `marked` are the lines (from 1) that must carry the finding.
    """

    data: bytes
    marked: tuple[int, ...]


def prepare_files(example: Example) -> dict[str, Prepared]:
    """The files next to the config, by name."""
    return {
        name: Prepared(
            strip_markers(text).encode(),
            tuple(text.count("\n", 0, m.start()) + 1 for m in MARKER.finditer(text)),
        )
        for name, text in example.files.items()
    }


def prepare(example: Example) -> Prepared:
    """The file that an example describes, and what is expected of it."""
    text = example.bad if example.bad is not None else example.good
    assert text is not None
    marked = tuple(text.count("\n", 0, m.start()) + 1 for m in MARKER.finditer(text))
    text = strip_markers(text)
    if example.repeat > 1:
        head, newline, rest = text.partition("\n")
        text = head + newline + rest * example.repeat
    return Prepared(text.encode(example.encoding), marked)
