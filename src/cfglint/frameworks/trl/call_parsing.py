"""What a class makes of its arguments: nothing is converted, and few are looked at."""

from __future__ import annotations

from functools import cached_property

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any, Final
from cfglint.frameworks.trl.arguments import ArgumentJudge
from cfglint.frameworks.trl.examined import sort_of
from cfglint.knowledge.keys.judges import Judge
from cfglint.roles.parsing import Parsing
from cfglint.source.document import Path
from cfglint.source.languages.base import Language
from cfglint.source.languages.named import language


class CallJudge(ArgumentJudge):
    """Judges values as the classes do: nothing converts a text."""

    converts = False
    converts_first = False
    null = "None"

    def takes(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        if value is UNKNOWN:
            return True
        if sort_of(value) == "text" and not _takes_text(kinds):
            return False
        return super().takes(kinds, choices, bounds, value)

    def refuses(
        self, kinds: tuple[str, ...], choices: tuple[Any, ...], bounds: dict[str, Any], value: Any
    ) -> bool:
        examined = bounds.get("examined", ())
        # A text cannot be compared with a number either.
        return sort_of(value) in examined or (sort_of(value) == "text" and "list" in examined)


def _takes_text(kinds: tuple[str, ...]) -> bool:
    """Whether a text can be meant: not for a number."""
    bases = {kind.partition("<")[0] for kind in kinds}
    return bool(bases & {"any", "str", "dict", "bool", "list", "literal"})


CALLS: Final = CallJudge()


class CallParsing(Parsing):
    """A program, whose values are what they look like."""

    @cached_property
    def language(self) -> Language:
        return language("python")

    def coerce(self, path: Path, value: Any) -> Any:
        return value

    def judge(self, release: str) -> Judge:
        return CALLS


ROLE = CallParsing
