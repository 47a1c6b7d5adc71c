"""What DeepSpeed takes for a value: pydantic 1, pydantic 2, or code that looks a key up by hand.

Which of them reads a section is in the key table, with its history. The models of DeepSpeed drop a
member whose value is "auto" before they look at its type.
"""

from __future__ import annotations

from cfglint.base.logic import MISSING
from cfglint.base.type_names import Any
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.pydantic_types import accepts, as_scalar

_AUTO = "auto"


class ReaderJudge(Judge):
    """Judges a value as the reader of its section does."""

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        reader = bounds.get("reader", "")
        section = any(kind.startswith(("model:", "dict")) for kind in kinds)
        if value == _AUTO and (bounds.get("auto") or (reader == "hand" and not section)):
            # Where `auto` is neither filled in nor dropped, a rule reports it.
            return True
        if bounds.get("no_bool") and (isinstance(value, bool) or _is_fraction(kinds, value)):
            return False
        if bounds.get("whole") and isinstance(value, float) and not value.is_integer():
            return False
        if bounds.get("strict"):
            return any(_as_it_is(kind, choices, value) for kind in kinds)
        if reader.startswith("pydantic-1") or bounds.get("truncated"):
            return any(_pydantic_1(kind, choices, value) for kind in kinds)
        if any(type(one) is int for one in choices):
            return _whole_choice(choices, value) or accepts(kinds, choices, value)
        if reader == "hand" and section:
            return any(_as_it_is(kind, choices, value) for kind in kinds)
        return accepts(kinds, choices, value)


def _as_it_is(kind: str, choices: tuple[Any, ...], value: Any) -> bool:
    """Whether a value is of a type without any conversion."""
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "int":
        # hjson, with which DeepSpeed opens a file itself, makes 8 of 8.0.
        return type(value) is int or (type(value) is float and value.is_integer())
    if kind == "float":
        return type(value) is float
    return accepts((kind,), choices, value)


def _pydantic_1(kind: str, choices: tuple[Any, ...], value: Any) -> bool:
    """Pydantic 1 makes text of numbers, cuts fractions off, and a mapping of what is empty."""
    base = kind.partition("<")[0]
    if base == "str" and isinstance(value, (bool, int, float)):
        return True
    if base == "int" and isinstance(value, (float, str)):
        return not _is_fraction((kind,), value)
    if base.startswith(("model:", "dict")) and value in ("", []):
        return True
    if base.startswith("enum"):
        return any(one == value for one in choices)
    return accepts((kind,), choices, value)


def _is_fraction(kinds: tuple[str, ...], value: Any) -> bool:
    """Whether `int` refuses a text where a whole number is expected."""
    if "int" not in kinds or not isinstance(value, str):
        return False
    return "." in value or as_scalar("int", value) is MISSING


def _whole_choice(choices: tuple[Any, ...], value: Any) -> bool:
    """Pydantic 2 takes `"2"`, `2.0` and true for a member of an enumeration of whole numbers."""
    if isinstance(value, str):
        return as_scalar("int", value) in choices
    return value in choices if isinstance(value, (bool, int, float)) else False


READER = ReaderJudge()
