"""What the words of a command are worth as arguments of classes: `argparse` converts each of them."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.type_names import Any, ClassVar
from cfglint.knowledge.keys.argument_types import NOTHING, converts, of_text
from cfglint.knowledge.keys.judges import Judge
from cfglint.source.values import Unexpanded


class ClassWordJudge(Judge):
    """Judges words as transformers' argument parser does. It sees nothing but texts.

    Args:
        drops_text: whether a type that is a text or something else means the other alone, as in a class
            that says so itself; a table may also state what code makes of a text.
    """

    of_choices: ClassVar[frozenset[str]] = frozenset({"literal", "enum"})
    sees_text: ClassVar[bool] = True

    def __init__(self, *, drops_text: bool) -> None:
        self._kinds: Callable[[tuple[str, ...]], tuple[str, ...]] = of_text if drops_text else tuple

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        """Whether an argument takes its words; a missing one is reported by another check."""
        if isinstance(value, list):
            return all(self.takes(kinds, choices, bounds, item) for item in value)
        if type(value) is not str:
            return True  # a switch, or a word that is not known
        if value.lower() in NOTHING and bounds.get("words_for_nothing"):
            return True
        return any(_takes(kind, choices, value) for kind in self._kinds(kinds))

    def broken_bound(
        self, kinds: tuple[str, ...], bounds: dict[str, Any], value: Any
    ) -> tuple[str, Any] | None:
        """The bound that a number in a word breaks."""
        if isinstance(value, Unexpanded) or not isinstance(value, str):
            return None
        return super().broken_bound(kinds, bounds, value)


def _takes(kind: str, choices: tuple[Any, ...], word: str) -> bool:
    base, _, inner = kind.partition("<")
    if base == "literal" or base.startswith("enum:"):
        return not choices or word in map(str, choices)
    if base == "null":
        return False
    if base == "list":
        return _is_member(inner.removesuffix(">"), choices, word)
    return base.startswith(("ext:", "model:", "any")) or converts(base, inner, word)


def _is_member(member: str, choices: tuple[Any, ...], word: str) -> bool:
    """Whether a word can be a member of a list whose members have a type."""
    return any(_takes(kind, choices, word) for kind in member.split("|"))


CLASS_WORDS = ClassWordJudge(drops_text=True)
#: For tables that state the types of the code behind the classes.
CODE_WORDS = ClassWordJudge(drops_text=False)
