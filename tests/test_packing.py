"""What is frozen comes back as it was."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cfglint.freezing import frozen, thawed

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(values)
def test_there_and_back(value: Any) -> None:
    constant = frozen(value)
    hash(constant)
    assert thawed(constant) == value
