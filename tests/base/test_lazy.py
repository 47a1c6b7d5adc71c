"""Patterns that are compiled at their first use behave as others do."""

from __future__ import annotations

import re

import pytest

from cfglint.base.lazy import lazy_pattern


def test_same_answers() -> None:
    text = "one two\nTHREE"
    lazy, usual = lazy_pattern(r"^t\w+", re.I | re.M), re.compile(r"^t\w+", re.I | re.M)
    for _ in range(2):
        assert lazy.findall(text) == usual.findall(text)
        assert [m.span() for m in lazy.finditer(text)] == [m.span() for m in usual.finditer(text)]
    assert lazy.search(text, 3, 9) is None
    assert lazy.sub("x", text) == usual.sub("x", text)
    assert lazy.split(text) == usual.split(text)
    assert lazy.subn("x", text) == usual.subn("x", text)
    assert (lazy.pattern, lazy.flags, lazy.groups) == (usual.pattern, usual.flags, usual.groups)
    assert lazy.groupindex == usual.groupindex
    assert (lazy.match("two"), lazy.fullmatch("two ")) != (None, None)


def test_nothing_is_compiled_before() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("")


def test_no_other_attributes() -> None:
    with pytest.raises(AttributeError):
        _ = lazy_pattern("a").scanner  # type: ignore[attr-defined]
