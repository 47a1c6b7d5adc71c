"""JSON with places: values as Python reads them, spans as they stand in the text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.files.json_text import JsonError, read_json
from cfglint.source.text import SourceText

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(-1e9, 1e9)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=15,
)


@given(VALUES, st.sampled_from([None, 1, 4, "\t"]), st.booleans())
def test_every_value_is_found_where_it_stands(value: Any, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    if "\ud800" <= max(text, default="") <= "\udfff":
        return
    file = read_json(SourceText(text))
    assert file.data == json.loads(text)
    stack: list[tuple[tuple[Any, ...], Any]] = [((), file.data)]
    seen = 0
    while stack:
        path, part = stack.pop()
        place = file.places[path]
        assert json.loads(text[place.value.start : place.value.end]) == part
        if path and isinstance(path[-1], str):
            assert json.loads(text[place.key.start : place.key.end]) == path[-1]
        seen += 1
        if isinstance(part, dict):
            stack.extend(((*path, key), inner) for key, inner in part.items())
        elif isinstance(part, list):
            stack.extend(((*path, index), inner) for index, inner in enumerate(part))
    assert seen == len(file.places)


def test_numbers_are_what_json_says() -> None:
    file = read_json(SourceText('{"a":5e8,\t"b" : [1,-2.5E3]}'))
    assert file.data == {"a": 5e8, "b": [1, -2500.0]}
    assert file.places[("b", 1)].value == (19, 25)


def test_the_last_of_equal_keys_counts() -> None:
    text = '{"a": {"b": 1}, "a": {"c": 2}, "a": 3}'
    file = read_json(SourceText(text))
    assert file.data == {"a": 3}
    assert set(file.places) == {(), ("a",)}
    assert [(path, text[span.start : span.end]) for path, span in file.repeated] == [
        (("a",), '"a"'),
        (("a",), '"a"'),
    ]


@pytest.mark.parametrize(
    ("text", "problem", "offset"),
    [
        ("", "it is empty", 0),
        (" \n ", "it is empty", 0),
        ('{"a": 1,}', "a comma after the last item", None),
        ("[1, 2,]", "a comma after the last item", None),
        ('{"a": True}', "JSON writes true, false and null", 6),
        ("{'a': 1}", "a single quote where JSON has double ones", 1),
        ('{\n// x\n"a": 1}', "a comment, which JSON does not have", 2),
        ('{"a": 1', None, None),
        ("\ufeff{}", "it starts with a byte-order mark", 0),
        ("[" * 100_000, None, None),
        ("1" * 10_000, "too many digits", None),
    ],
)
def test_what_is_no_json(text: str, problem: str | None, offset: int | None) -> None:
    with pytest.raises(JsonError) as caught:
        read_json(SourceText.from_str(text))
    if problem is not None:
        assert problem in caught.value.problem
    if offset is not None:
        assert caught.value.offset == offset
    assert 0 <= caught.value.offset <= len(text)


def test_deep_and_long_files_end() -> None:
    deep = "[" * 300 + "]" * 300
    assert read_json(SourceText(deep)).places == {}
    many = "{" + ", ".join(f'"a{n % 5000}": {n}' for n in range(20_000)) + "}"
    assert len(read_json(SourceText(many)).repeated) <= 50
