"""Rendered scalars mean, to PyYAML, exactly the value they were made from."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from cfglint.fixes.fragment import render_block
from cfglint.fixes.layout import Indentation
from cfglint.source.languages.base import Unwritable
from cfglint.source.languages.yaml_render import render_inline, render_key, render_scalar
from tests.draws import each

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["no", "Yes", "null", "~", "1e-5", "1.5", "0x1", "2024-01-01", "1:30", "=", "<<", "a: b"]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(texts, inner, min_size=0, max_size=3)
    ),
    max_leaves=8,
)


def same(left: Any, right: Any) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return repr(left) == repr(right)


@given(scalars, st.sampled_from(["", "'", '"', "|"]))
@example(1e-5, "")
@example(1e16, "")
@example("x\u2028y", "'")
@example("--- x", "")
def test_scalar_round_trip(value: Any, style: str) -> None:
    literal = render_scalar(value, style=style)
    assert "\n" not in literal
    assert same(yaml.safe_load(f"k: {literal} # c\n"), {"k": value})
    flow = render_scalar(value, style=style, flow=True)
    assert same(yaml.safe_load(f"k: [{flow}, {{x: {flow} , y: {flow}}}]"),
                {"k": [value, {"x": value, "y": value}]})  # fmt: skip
    assert same(yaml.safe_load(f"{literal}: 1\n"), {value: 1}) or value != value


@given(values)
def test_inline_round_trip(value: Any) -> None:
    assert same(yaml.safe_load(f"k: {render_inline(value)}\n"), {"k": value})


@given(values, st.sampled_from([Indentation(), Indentation(4, 0), Indentation(2, 0)]))
def test_block_round_trip(value: Any, indentation: Indentation) -> None:
    if not isinstance(value, (dict, list)) or not value:
        return
    try:
        lines = render_block(value, indentation)
    except Unwritable:
        return
    assert not lines[0].startswith(" ")
    assert same(yaml.safe_load("\n".join(lines)), value)


@each(
    ("value", "literal"),
    [
        (1e-5, "1.0e-05"),
        (0.0002, "0.0002"),
        (float("-inf"), "-.inf"),
        (True, "true"),
        (None, "null"),
        ("auto", "auto"),
        ("no", '"no"'),
        ('say "no": x', "'say \"no\": x'"),
        ("https://x.org/a?b=1", "https://x.org/a?b=1"),
        ("é ✓", "é ✓"),
        ("a\nb", '"a\\nb"'),
        ("-foo", "-foo"),
    ],
)
def test_spelling(value: Any, literal: str) -> None:
    assert render_scalar(value) == literal


def test_refuses_what_is_no_plain_data() -> None:
    with pytest.raises(Unwritable):
        render_scalar(object())
    with pytest.raises(Unwritable):
        render_key("x" * 2000)
    with pytest.raises(Unwritable):
        render_block({"a": object()}, Indentation())
