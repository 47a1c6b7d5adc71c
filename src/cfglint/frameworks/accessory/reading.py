"""What the programs of LLaMA2-Accessory make of the words of a command: `argparse` converts each."""

from __future__ import annotations

from collections.abc import Callable

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.frameworks.accessory.judge import converted
from cfglint.roles.reading.arguments import ArgumentsReader
from cfglint.roles.reading.base import Reading, default_reason
from cfglint.roles.reading.fields import Field
from cfglint.source.document import Document, Path
from cfglint.source.languages.shell import is_frame
from cfglint.source.values import Unexpanded

#: Options that set the same argument.
_SWITCHES = ("pin_mem", "no_pin_mem")


class AccessoryReading(Reading):
    """Follows the parser of one program, for the first command of a script that starts it."""

    def values(self, document: Document) -> dict[str, Any]:
        written = document.root.lookup
        values = {name: one for name, one in super().values(document).items() if not is_frame(name)}
        for first, second in (_SWITCHES, _SWITCHES[::-1]):
            if {first, second} <= values.keys() and written[first].key.start < written[
                second
            ].key.start:
                del values[first]  # the last one counts
        if document.hides_keys:
            for name in self.framework.keys.names(""):
                values.setdefault(name, Unexpanded())
        return values

    def reader(self, default: str, value: Callable[[Path], Any]) -> ArgumentsReader:
        reason = default_reason(default, self.keys)
        return ArgumentsReader(self.fields(), reason, _converted, words=True)


def _converted(field: Field, value: Any) -> Any:
    """What an option makes of its words; `UNKNOWN` when the script does not tell them."""
    words = value if isinstance(value, list) else [value]
    if any(word is None or isinstance(word, Unexpanded) for word in words):
        return UNKNOWN
    if not isinstance(value, str):
        return value
    (kind,) = field.kinds(None)
    found = converted(kind, value)
    return value if found is None else found
