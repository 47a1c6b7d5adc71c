"""Whether the value of a file is valid: it is made a word, and the parser converts the word."""

from __future__ import annotations

from collections.abc import Mapping

from cfglint.base.type_names import Any, ClassVar
from cfglint.knowledge.keys.word_judge import ClassWordJudge


class FileWordJudge(ClassWordJudge):
    """Judges values by the words that they become, each item of a list as what `str` makes of it."""

    sees_text: ClassVar[bool] = False
    converts_first: ClassVar[bool] = True

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        several = any(kind.startswith("list<") for kind in kinds)
        if isinstance(value, list):
            words = [str(item) for item in value]
            fits = all(
                super(FileWordJudge, self).takes(kinds, choices, bounds, one) for one in words
            )
            return bool(value) and (several or len(value) == 1) and fits
        if isinstance(value, dict):
            return super().takes(kinds, choices, bounds, "{}")
        return super().takes(kinds, choices, bounds, str(value))


class JoinedWordJudge(FileWordJudge):
    """Leaves the items of a list as they are.

    The command joins its words for its log, and fails on one that is not a text.
    """

    names: ClassVar[Mapping[str, str]] = {**FileWordJudge.names, "list": "a list of texts"}

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        is_text = not isinstance(value, list) or all(isinstance(item, str) for item in value)
        return is_text and super().takes(kinds, choices, bounds, value)


FILE_WORDS = FileWordJudge(drops_text=True)
JOINED_WORDS = JoinedWordJudge(drops_text=True)
