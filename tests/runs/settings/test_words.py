"""Values that are not written in a config, as its language would have them."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from cfglint.runs.settings.words import node_of
from cfglint.source.document import Mapping, Scalar, Sequence
from cfglint.source.languages.base import Unwritable
from cfglint.source.languages.named import language
from cfglint.source.text import SourceText, Span
from cfglint.source.values import to_python
from tests.draws import each

YAML = language("yaml")
PLACE = Span(3, 7)


@each(
    "value",
    [
        None,
        True,
        3,
        0.00001,
        "text",
        "1e-5",
        "no",
        "",
        "a: b",
        [1, "x"],
        [],
        {"a": {"b": [None]}, "c": 1.5},
        {},
    ],
)
def test_a_node_is_what_the_language_reads(value: Any) -> None:
    node = node_of(value, PLACE, YAML)
    read = YAML.read(SourceText(f"v: {YAML.render(value, flow=True)}\n")).root.lookup["v"].value
    assert to_python(node) == value
    assert node.span == PLACE
    assert (type(node), node.depth, node.size) == (type(read), read.depth, read.size)
    if isinstance(node, Scalar) and isinstance(read, Scalar):
        assert (node.text, node.style, node.resolved) == (read.text, read.style, read.resolved)


def test_all_parts_of_a_value_are_at_its_place() -> None:
    node = node_of({"a": [1]}, PLACE, YAML)
    assert isinstance(node, Mapping)
    (entry,) = node.entries
    assert isinstance(entry.value, Sequence)
    assert {entry.key.span, entry.value.span, entry.value.items[0].span} == {PLACE}


@each("value", [datetime.date(2026, 1, 1), (1, 2), [b"x"], {"a": object()}])
def test_what_is_not_plain_data_cannot_be_laid_over_a_file(value: Any) -> None:
    with pytest.raises(Unwritable):
        node_of(value, PLACE, YAML)
