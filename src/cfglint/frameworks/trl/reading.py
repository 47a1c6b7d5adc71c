"""How TRL reads a file: its values become defaults of `argparse`, which converts those that are texts.

What the classes of TRL and transformers make of the values then is in `rules/trl/derivations.yaml`.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.environment.environment import Environment
from cfglint.frameworks.trl.commands import COMMANDS
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.argument_types import converted
from cfglint.roles.reading.arguments import ArgumentsReader
from cfglint.roles.reading.base import NotDeterminedError, Reading, default_reason, with_version
from cfglint.roles.reading.fields import Field
from cfglint.roles.reading.words import word_of_script, written_in_script
from cfglint.source.calls import call_of
from cfglint.source.document import Document, Path

if TYPE_CHECKING:
    from cfglint.roles.framework import Framework

_UNKNOWN_COMMAND = (
    "the file does not tell for which command of TRL it is, so its arguments are not known; name the file or its"
    " folder after the command (such as `sft`), or the file in a script (`trl sft --config FILE`)"
)
#: Where a value of a program is decided that its text does not show.
_OPEN = ("program", "the program does not show its value")


class TrlReading(Reading):
    """Follows the parser of one command."""

    def __init__(self, framework: Framework, target: Environment) -> None:
        below = compiled.load("trl_below")
        super().__init__(framework, with_version(target, below.PACKAGE, below.BESIDE))
        self._command_is_known = framework.kind in COMMANDS
        #: What the calls of a program may have a value for; None for a file.
        self._of_program: frozenset[str] | None = None

    def values(self, document: Document) -> dict[str, Any]:
        if not self._command_is_known:
            raise NotDeterminedError(_UNKNOWN_COMMAND)
        values = super().values(document)
        call = call_of(document.root)
        if call is not None:
            self._of_program = call.unset | values.keys()
        return written_in_script(values, document, self.framework.keys)

    def reader(self, default: str, value: Callable[[Path], Any]) -> ArgumentsReader:
        if self.framework.in_scripts:
            reason = default_reason(default, self.keys)
            return ArgumentsReader(self.fields(), reason, word_of_script, words=True)
        names, reason = self._of_program, default_reason(default, self.keys)
        if names is None:
            return ArgumentsReader(self.fields(), reason, _converted)
        return ArgumentsReader(
            self.fields(), reason, _as_it_is, lambda field: field.name in names, open_in=_OPEN
        )


def _as_it_is(_field: Field, value: Any) -> Any:
    """What a class makes of a value of a program, of which nothing may be open."""
    items = value if isinstance(value, list) else [value]
    return UNKNOWN if any(one is UNKNOWN for one in items) else value


def _converted(field: Field, value: Any) -> Any:
    """What the parser makes of a value: it calls the type of the argument on a text."""
    kinds = tuple(_of_member(kind) for kind in field.kinds(None))
    return converted(kinds, value) if isinstance(value, str) else value


def _of_member(kind: str) -> str:
    """The type that is called: that of the members, for a list."""
    return kind[len("list<") : -1] if kind.startswith("list<") else kind
