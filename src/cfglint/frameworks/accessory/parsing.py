"""What LLaMA2-Accessory's programs make of the words of a script."""

from __future__ import annotations

from functools import cached_property

from cfglint.base.type_names import Any
from cfglint.frameworks.accessory.judge import WORDS, converted
from cfglint.frameworks.accessory.options import program_at
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.roles.parsing import Parsing
from cfglint.source.document import Path
from cfglint.source.languages.base import Language
from cfglint.source.languages.shell import Shell


class AccessoryParsing(Parsing):
    """A shell, and `argparse`."""

    @cached_property
    def language(self) -> Language:
        return Shell(program_at)

    def coerce(self, path: Path, value: Any) -> Any:
        """A word as the number that the option's type makes of it."""
        if type(value) is not str or (type_ := self.framework.keys.type_at(path)) is None:
            return value
        kinds = split_type(type_)
        found = converted(kinds[0], value) if len(kinds) == 1 else None
        return value if found is None else found

    def judge(self, release: str) -> Judge:
        return WORDS


ROLE = AccessoryParsing
