"""What a word is worth as an argument: `argparse` calls the option's type on it."""

from __future__ import annotations

from cfglint.base.type_names import Any, ClassVar
from cfglint.knowledge.keys.judges import Judge
from cfglint.source.values import Unexpanded

#: Python refuses to convert longer texts to whole numbers.
_MAX_DIGITS = 4_300


class WordJudge(Judge):
    """Judges the words of a command as `argparse` does."""

    of_choices: ClassVar[frozenset[str]] = frozenset({"literal"})
    sees_text: ClassVar[bool] = True

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        """Whether an option takes a value; a missing one is reported by another check."""
        if value is None or isinstance(value, (Unexpanded, bool, list)):
            return True
        if value == "--":
            return True  # `--seed=--`: what becomes of it changed between releases of Python
        (kind,) = kinds
        if kind == "literal":
            return value in choices
        return not isinstance(value, str) or converted(kind, value) is not None

    def broken_bound(
        self, kinds: tuple[str, ...], bounds: dict[str, Any], value: Any
    ) -> tuple[str, Any] | None:
        """None: an option without its words is reported by another check."""
        return None


def converted(kind: str, text: str) -> Any:
    """What a type makes of a word; None when it refuses it."""
    try:
        if kind == "int":
            return int(text) if len(text) <= _MAX_DIGITS else None
        return float(text) if kind == "float" else text
    except ValueError:
        return None


WORDS = WordJudge()
