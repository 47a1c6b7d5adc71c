"""Whether a value is valid as an argument: TRL's parser makes the values of a file its defaults.

A text is converted as on the command line, so it has to be convertible. Any other value of YAML is
passed on as it is, and may fail where it is used; only what cannot be meant is reported: a list for
a number, true for a rate. `examined` decides whether the run is refused at once or fails later.
"""

from __future__ import annotations

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import Any, ClassVar
from cfglint.frameworks.trl.examined import nullable_number, sort_of
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.pydantic_types import split_type

#: Words of `string_to_bool` in transformers' argument parser, in any case.
_TRUTHS = frozenset({"yes", "true", "t", "y", "1", "no", "false", "f", "n", "0"})
#: What TRL's own parser makes nothing of, in any case, of a `nullable_number`.
_NOTHING = frozenset({"none", "null"})
_WHOLE = lazy_pattern(r"\s*[-+]?\d+(?:_\d+)*\s*")
#: `int` takes no more digits.
_MAX_DIGITS = 4_000


class ArgumentJudge(Judge):
    """Judges values as transformers' argument parser does, and the dataclasses behind it."""

    of_choices: ClassVar[frozenset[str]] = frozenset({"literal"})
    converts_first = True

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        sort = sort_of(value)
        if sort in bounds.get("examined", ()):
            return sort == "text" and value in choices
        if sort == "text" and value.lower() in _NOTHING and bounds.get("words_for_nothing"):
            return True
        if sort == "text":
            kinds = _of_text(kinds)
        return value is None or any(_takes(kind, choices, value) for kind in kinds)

    def refuses(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        sort = sort_of(value)
        if sort in bounds.get("examined", ()):
            return True
        # A word that is not among the choices is handed on: the parser converts, and compares nothing.
        return sort == "text" and not any(kind.partition("<")[0] == "literal" for kind in kinds)


def _of_text(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds that a text is converted to: not text itself if there is exactly one other kind."""
    if len(kinds) != 2 or "null" in kinds:
        return kinds
    return tuple(kind for kind in kinds if kind != "str")


def _takes(kind: str, choices: tuple[Any, ...], value: Any) -> bool:
    base, _, inner = kind.partition("<")
    if base == "any":
        return True
    if base == "literal":
        return value in choices if isinstance(value, (str, bool, int, float)) else False
    if isinstance(value, str):
        return _converts(base, inner, value)
    if isinstance(value, dict):
        return base == "dict"
    if isinstance(value, list):
        return base == "list" and _items(inner, value)
    if not isinstance(value, (int, float)):
        return base == "str"  # a date, for example
    if base in ("dict", "null"):
        return False
    if isinstance(value, bool):
        # What a switch is set to where a number is wanted: off is zero, on means nothing.
        return base in ("bool", "str", "list") or value is False
    if base == "int":
        return not isinstance(value, float) or value.is_integer()
    return True  # a number has a truth value


def _items(inner: str, value: list[Any]) -> bool:
    """Whether the members of a list can be what they are meant to be."""
    kinds = split_type(inner.removesuffix(">"))
    if "float" not in kinds and "int" not in kinds:
        return True
    return all(isinstance(one, (int, float)) for one in value if one is not None)


def _converts(base: str, inner: str, text: str) -> bool:
    """Whether a text becomes a value of a kind: `type` of the argument is called on it."""
    if base == "list":
        return _converts(inner.removesuffix(">"), "", text)
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
    wanted = [kind for kind in _of_text(kinds) if kind != "null"]
    if text.lower() in _NOTHING and nullable_number(kinds):
        return None
    if len(wanted) != 1 or not _converts(wanted[0], "", text):
        return text
    if wanted[0] == "bool":
        return text.lower() in ("yes", "true", "t", "y", "1")
    if wanted[0] == "int":
        return int(text)
    return float(text) if wanted[0] == "float" else text


ARGUMENTS = ArgumentJudge()
