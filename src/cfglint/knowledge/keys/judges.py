"""Which values the reader of a file accepts: the interface between a key table and its framework.

A key table says the types of its keys in one notation (alternatives between bars); the
reader decides what a type admits. A framework whose reader is not pydantic in its lax mode has a
judge of its own (`Parsing.judge`).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping

from cfglint.base.type_names import Any, ClassVar
from cfglint.knowledge.keys.pydantic_types import accepts
from cfglint.knowledge.rules.predicates.comparison import number

#: Bound -> (what breaks it, in words).
BOUNDS = {
    "gt": (operator.le, "more than"),
    "ge": (operator.lt, "at least"),
    "lt": (operator.ge, "less than"),
    "le": (operator.gt, "at most"),
}


def alternatives(words: Iterable[str]) -> str:
    """What a value may be, as a list in words: each once, and no whole number where any number will do."""
    found = list(dict.fromkeys(words))
    if Judge.names["float"] in found and Judge.names["int"] in found:
        found.remove(Judge.names["int"])
    if len(found) < 2 or any(", " in word for word in found):
        return " or ".join(found)
    *most, last = found
    # "true or false" is two already.
    comma = "," if any(" or " in word for word in found) else ""
    return f"{', '.join(most)}{comma} or {last}"


class Judge:
    """Judges values as pydantic does in its lax mode. A subclass is another kind of reader."""

    #: What a type is called in messages, by the word before `<` or `:`; others are not named.
    names: ClassVar[Mapping[str, str]] = {
        "str": "text",
        "int": "a whole number",
        "float": "a number",
        "bool": "true or false",
        "list": "a list",
        "tuple": "a list",
        "dict": "a mapping",
        "model": "a mapping",
    }
    #: The types that mean the choices of a key.
    of_choices: ClassVar[frozenset[str]] = frozenset({"literal", "enum"})
    #: The types that expect a word, and those that expect true or false (YAML's reading of `no`).
    words: ClassVar[frozenset[str]] = frozenset({"str", "literal"})
    truths: ClassVar[frozenset[str]] = frozenset({"bool"})
    #: How messages name an empty value.
    null: ClassVar[str] = "nothing"
    #: Whether the reader gets the text of every value, so that YAML's types do not matter.
    sees_text: ClassVar[bool] = False
    #: Whether the reader makes a number of a text, and true or false of a word.
    converts: ClassVar[bool] = True
    #: Whether that happens before anything looks at them, so that the quotes or the dot make no difference.
    converts_first: ClassVar[bool] = False
    #: What else than not starting a run may do with a value that it does not take and does not refuse.
    unexamined: ClassVar[str] = ", or fails where the value is used"
    #: Whether such a value may have no effect at all.
    may_be_ignored: ClassVar[bool] = False

    def wants_word(self, type_: str) -> bool:
        """Whether a type takes words, but neither true nor false."""
        return any(word in type_ for word in self.words) and not any(
            truth in type_ for truth in self.truths
        )

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        """Whether a type admits a value, ignoring bounds that are reported separately.

        Args:
            kinds: the alternatives of the type (`split_type`).
            choices: the values that an alternative of `of_choices` admits.
            bounds: the bounds and constraints of the key in the release.
        """
        if bounds.get("strict") and "int" in kinds and type(value) is not int:
            kinds = tuple(kind for kind in kinds if kind != "int")  # nothing is converted
        return accepts(kinds, choices, value)

    def refuses(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        """Whether the reader itself refuses a value that it does not admit (see `takes`).

        Otherwise it passes the value on, and the code that uses it fails.
        """
        return True

    def broken_bound(
        self, kinds: tuple[str, ...], bounds: dict[str, Any], value: Any
    ) -> tuple[str, Any] | None:
        """The first bound that a number, or the length of a list or text, breaks: (name, limit)."""
        if not bounds:
            return None
        least = bounds.get("min_length")
        if least is not None and isinstance(value, (str, list, dict)) and len(value) < least:
            return "min_length", least
        amount = int(value) if isinstance(value, bool) else number(value)
        if amount is not None:
            for name, (breaks, _) in BOUNDS.items():
                limit = bounds.get(name)
                if limit is not None and breaks(amount, limit):
                    return name, limit
        return None


#: The reader of frameworks that say nothing else.
PYDANTIC = Judge()
