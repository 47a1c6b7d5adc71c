"""What TRL's parser makes of written values."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.frameworks.trl.arguments import ARGUMENTS, converted
from cfglint.knowledge.keys.judges import Judge
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.roles.parsing import Parsing
from cfglint.source.document import Path


class TrlParsing(Parsing):
    """YAML, and `argparse`, which converts texts."""

    def coerce(self, path: Path, value: Any) -> Any:
        """A text that an argument of a number or a switch is converted from: `"1e-5"`, `"true"`."""
        if not isinstance(value, str) or (type_ := self.framework.keys.type_at(path)) is None:
            return value
        return converted(split_type(type_), value)

    def judge(self, release: str) -> Judge:
        return ARGUMENTS


ROLE = TrlParsing
