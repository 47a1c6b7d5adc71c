"""Draws from what is too much to be tried by every run of the tests.

With `CFGLINT_TESTS=whole`, everything is tried: `python -m tools.campaigns.products` does that for
the tests that draw.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TypeVar
from zlib import crc32

import pytest

T = TypeVar("T")
WHOLE = os.environ.get("CFGLINT_TESTS") == "whole"
#: The mark of a test that draws.
product = pytest.mark.product


def drawn(
    items: Iterable[T], count: int, salt: object = "", *, key: Callable[[T], object] = repr
) -> list[T]:
    """Some of the items, in their order: the same ones each time, whatever else is added.

    Args:
        salt: what the draw depends on besides; another one draws others.
        key: what an item is known by, on every machine.
    """
    every = list(items)
    if WHOLE:
        return every
    lots = {index: _lot(salt, key(item)) for index, item in enumerate(every)}
    return [every[index] for index in sorted(sorted(lots, key=lots.__getitem__)[:count])]


def examples(count: int) -> int:
    """How many examples a property is tried on that the whole is tried with `count` of."""
    return count if WHOLE else max(count // 4, 15)


def _lot(salt: object, known_by: object) -> int:
    return crc32(f"{salt!r} {known_by!r}".encode("utf-8", "surrogatepass"))
