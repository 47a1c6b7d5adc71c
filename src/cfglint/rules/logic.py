"""Three-valued logic (Kleene): true, false, or not known.

Unknown is `None`, so `True`, `False` and `None` are the three values of a condition.
"""

from __future__ import annotations

from typing import Any

Truth = bool | None

#: A compiled condition and what its tests are about: tuples, described in `conditions`.
Condition = tuple[Any, ...]
Subject = tuple[Any, ...]


class Unknown:
    """The value of a fact that nobody has told."""

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("an unknown fact is neither true nor false")


class Missing:
    """The value of a key that is not written; most predicates take it for null."""

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


UNKNOWN = Unknown()
MISSING = Missing()


def plain(value: Any) -> Any:
    """The value as Axolotl sees it: a key that is not written reads as None."""
    return None if value is MISSING else value
