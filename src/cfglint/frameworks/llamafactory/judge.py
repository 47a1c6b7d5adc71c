"""What LLaMA-Factory takes for a value: `parse_dict` fills dataclasses and converts nothing.

No type is examined when a file is read. What breaks is what the code then does with the value: a
number in quotes cannot be compared, a word that no enumeration has cannot be looked up. A text
where true or false is wanted counts as true, whatever it says.
"""

from __future__ import annotations

from cfglint.base.type_names import Any, ClassVar
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.pydantic_types import accepts

#: Values that are tested and nothing else, so that any will do.
_TESTED = frozenset({"bool", "null"})


class AsWritten(Judge):
    """Judges values by what can be done with them as they are."""

    converts = False
    unexamined: ClassVar[str] = (
        ", fails where the value is used, or goes on as if the key was not written"
    )
    may_be_ignored: ClassVar[bool] = True

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        if value is None:
            # What is optional is not always declared so; but nothing is not a member of an enumeration.
            return not all(kind.startswith("enum:") for kind in kinds)
        return any(_takes(kind, choices, value) for kind in kinds)

    def refuses(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        """A fraction is refused by nothing; it fails where a whole number counts, if that is reached."""
        return not (isinstance(value, float) and "int" in kinds)


def _takes(kind: str, choices: tuple[Any, ...], value: Any) -> bool:
    if kind in _TESTED:
        return kind == "bool" and not isinstance(value, (list, dict))
    if kind == "int":
        return not isinstance(value, str) and accepts((kind,), choices, value)
    if kind == "float":
        return isinstance(value, (bool, int, float))
    if kind == "str":
        return not isinstance(value, (list, dict))
    if kind.startswith("list<"):
        return isinstance(value, list)
    if kind.startswith(("dict<", "model:")):
        return isinstance(value, dict)
    if kind.startswith(("ext:", "any")):
        return True
    return accepts((kind,), choices, value)


AS_WRITTEN = AsWritten()


class _Compared(AsWritten):
    """Judges words that the code compares with those that it knows, and does not look up."""

    def refuses(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        return False


COMPARED = _Compared()


class _SectionsAsText(AsWritten):
    """In the v1 layout, a section for a plugin may be a text of JSON."""

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        if super().takes(kinds, choices, bounds, value):
            return True
        is_json = isinstance(value, str) and value.startswith("{")
        return is_json and any(kind.startswith(("dict<", "model:")) for kind in kinds)


SECTIONS_AS_TEXT = _SectionsAsText()
