"""What the argument parser of transformers makes of a word: `type` of the argument is called on it."""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any

#: Words of `string_to_bool` in transformers' argument parser, in any case.
_TRUTHS = frozenset({"yes", "true", "t", "y", "1", "no", "false", "f", "n", "0"})
#: Words of which a parser may make nothing, in any case, of a `nullable_number`.
NOTHING = frozenset({"none", "null"})
_WHOLE = lazy_pattern(r"\s*[-+]?\d+(?:_\d+)*\s*")
#: `int` takes no more digits.
_MAX_DIGITS = 4_000


def nullable_number(kinds: tuple[str, ...]) -> bool:
    """Whether a type is a number, or a mapping, or nothing; these alone have words for nothing."""
    wanted = [kind for kind in kinds if kind != "null"]
    return len(wanted) == 1 < len(kinds) and wanted[0].partition("<")[0] in ("int", "float", "dict")


def of_text(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds that a text is converted to: not text itself if there is exactly one other kind."""
    if len(kinds) != 2 or "null" in kinds:
        return kinds
    return tuple(kind for kind in kinds if kind != "str")


def converts(base: str, inner: str, text: str) -> bool:
    """Whether a text becomes a value of a kind: `type` of the argument is called on it."""
    if base == "list":
        return converts(inner.removesuffix(">"), "", text)
    if base == "int":
        return len(text) < _MAX_DIGITS and _WHOLE.fullmatch(text) is not None
    if base == "float":
        return _is_number(text)
    if base == "bool":
        return text.lower() in _TRUTHS
    if base == "dict":
        return not text  # `dict` is called on it
    return base in ("str", "any")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def converted(kinds: tuple[str, ...], text: str) -> Any:
    """What an argument of one kind makes of a text; the text itself where it may stay one."""
    wanted = [kind for kind in of_text(kinds) if kind != "null"]
    if text.lower() in NOTHING and nullable_number(kinds):
        return None
    if len(wanted) != 1 or not converts(wanted[0], "", text):
        return text
    if wanted[0] == "bool":
        return text.lower() in ("yes", "true", "t", "y", "1")
    if wanted[0] == "int":
        return int(text)
    return float(text) if wanted[0] == "float" else text
