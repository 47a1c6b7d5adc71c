"""Whether a value is valid as an argument: TRL's parser makes the values of a file its defaults.

A text is converted as on the command line, so it has to be convertible. Any other value of YAML is
passed on as it is, and may fail where it is used; only what cannot be meant is reported: a list for
a number, true for a rate. `examined` decides whether the run is refused at once or fails later.
"""

from __future__ import annotations

from cfglint.base.type_names import Any, ClassVar
from cfglint.frameworks.trl.examined import sort_of
from cfglint.knowledge.keys.argument_types import NOTHING, converts, of_text
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.pydantic_types import split_type


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
        if sort == "text" and value.lower() in NOTHING and bounds.get("words_for_nothing"):
            return True
        if sort == "text":
            kinds = of_text(kinds)
        return value is None or any(_takes(kind, choices, value) for kind in kinds)

    def refuses(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        sort = sort_of(value)
        if sort in bounds.get("examined", ()):
            return True
        # A word that is not among the choices is handed on: the parser converts, and compares nothing.
        return sort == "text" and not any(kind.partition("<")[0] == "literal" for kind in kinds)


def _takes(kind: str, choices: tuple[Any, ...], value: Any) -> bool:
    base, _, inner = kind.partition("<")
    if base == "any":
        return True
    if base == "literal":
        return value in choices if isinstance(value, (str, bool, int, float)) else False
    if isinstance(value, str):
        return converts(base, inner, value)
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


ARGUMENTS = ArgumentJudge()
