"""How TRL reads a file: its values become defaults of `argparse`, which converts those that are texts.

What the classes of TRL and transformers make of the values then is in `rules/trl/derivations.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.environment.environment import Environment
from cfglint.frameworks.trl.commands import COMMANDS
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.argument_types import converted
from cfglint.roles.reading.arguments import ArgumentsReader
from cfglint.roles.reading.base import NotDeterminedError, Reading, default_reason, with_version
from cfglint.roles.reading.fields import Field
from cfglint.roles.reading.words import word_of_script, written_in_script
from cfglint.source.document import Document, Path

if TYPE_CHECKING:
    from cfglint.roles.framework import Framework

_UNKNOWN_COMMAND = (
    "the file does not tell for which command of TRL it is, so its arguments are not known; name the file or its"
    " folder after the command (such as `sft`), or the file in a script (`trl sft --config FILE`)"
)


class TrlReading(Reading):
    """Follows the parser of one command."""

    def __init__(self, framework: Framework, target: Environment) -> None:
        below = compiled.load("trl_below")
        super().__init__(framework, with_version(target, below.PACKAGE, below.BESIDE))
        self._command_is_known = framework.kind in COMMANDS

    def values(self, document: Document) -> dict[str, Any]:
        if not self._command_is_known:
            raise NotDeterminedError(_UNKNOWN_COMMAND)
        values = super().values(document)
        return written_in_script(values, document, self.framework.keys)

    def reader(self, default: str, value: Callable[[Path], Any]) -> ArgumentsReader:
        if self.framework.in_scripts:
            reason = default_reason(default, self.keys)
            return ArgumentsReader(self.fields(), reason, word_of_script, words=True)
        return ArgumentsReader(self.fields(), default_reason(default, self.keys), _converted)


def _converted(field: Field, value: Any) -> Any:
    """What the parser makes of a value: it calls the type of the argument on a text."""
    kinds = tuple(_of_member(kind) for kind in field.kinds(None))
    return converted(kinds, value) if isinstance(value, str) else value


def _of_member(kind: str) -> str:
    """The type that is called: that of the members, for a list."""
    return kind[len("list<") : -1] if kind.startswith("list<") else kind
