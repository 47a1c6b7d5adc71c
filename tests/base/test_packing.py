"""What is packed comes back as it was."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.base.packing import pack, unpack

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(values)
def test_there_and_back(value: Any) -> None:
    back = unpack(pack(value))
    assert back == value
    assert repr(back) == repr(value)  # 1, 1.0 and True are equal


def test_texts_are_shared() -> None:
    first, second = (unpack(pack((f"{'a key'} of its own", i))) for i in range(2))
    assert first[0] is second[0]


def test_a_packed_value_is_made_anew() -> None:
    packed = pack({"names": ["a"]})
    unpack(packed)["names"].append("b")
    assert unpack(packed) == {"names": ["a"]}


def test_other_types_are_refused() -> None:
    with pytest.raises(ValueError, match="unmarshallable"):
        pack(object())
