"""Three-valued logic (Kleene): true, false, or not known.

Unknown is `None`, so `True`, `False` and `None` are the three values of a condition.
"""

from __future__ import annotations

from cfglint.base.type_names import Any

Truth = bool | None

#: A compiled condition and what its tests are about: tuples, described in `conditions`.
Condition = tuple[Any, ...]
Subject = tuple[Any, ...]


class Unknown:
    """The value of an unknown fact."""

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


class AtLeast:
    """A number of which only the least is known. It is a guess: findings that need it are milder."""

    def __init__(self, least: int) -> None:
        self.least = least

    def __repr__(self) -> str:
        return f"AtLeast({self.least})"

    def truth(self, predicate: str, operand: Any) -> Truth:
        """What a comparison with a number comes to."""
        if isinstance(operand, bool) or not isinstance(operand, (int, float)):
            return None
        if operand < self.least:
            return {"gt": True, "ge": True, "ne": True, "eq": False, "lt": False, "le": False}.get(
                predicate
            )
        if operand == self.least:
            return {"ge": True, "lt": False}.get(predicate)
        return None


UNKNOWN = Unknown()
MISSING = Missing()


def plain(value: Any) -> Any:
    """The value as a framework sees it: a key that is not written reads as None."""
    return None if value is MISSING else value
