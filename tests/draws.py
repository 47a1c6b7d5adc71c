"""How much a run of the tests tries, and how many tests that is.

With `CFGLINT_TESTS=whole`, everything is tried: `python -m tools.campaigns.products` does that for
the tests that draw.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any, TypeVar

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


def each(
    names: str | tuple[str, ...], cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, for cases that need nothing prepared: one test tries all of them.

    To collect, start and report a test takes longer than most such cases do. All that fail are
    reported, with the traceback of the first.
    """
    every = [names] if isinstance(names, str) else list(names)
    rows = [(case,) if isinstance(names, str) else tuple(case) for case in cases]
    assert rows
    assert {len(row) for row in rows} == {len(every)}

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        def try_each(**others: Any) -> None:
            failed: list[tuple[str, BaseException]] = []
            for row in rows:
                given = dict(zip(every, row, strict=True))
                try:
                    test(**given, **others)
                except (Exception, pytest.fail.Exception) as error:
                    shown = ", ".join(
                        f"{name}={repr(value)[:300]}" for name, value in given.items()
                    )
                    failed.append((shown, error))
            if failed:
                told = "\n".join(f"{shown}:\n    {error}" for shown, error in failed)
                raise AssertionError(f"{len(failed)} of {len(rows)} fail\n{told}") from failed[0][1]

        signature = inspect.signature(test)
        left = [value for name, value in signature.parameters.items() if name not in every]
        assert len(left) == len(signature.parameters) - len(every)
        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(try_each, name, getattr(test, name))
        try_each.__dict__.update(test.__dict__)
        try_each.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return try_each

    return decorate


def _lot(salt: object, known_by: object) -> bytes:
    text = f"{salt!r} {known_by!r}".encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=8).digest()
