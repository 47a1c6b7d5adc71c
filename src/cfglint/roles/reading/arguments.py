"""Reads values as an argument parser does that fills the arguments of classes or of a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.roles.reading.fields import Field, Fields
from cfglint.roles.reading.schema import shown
from cfglint.source.document import Path
from cfglint.source.values import Unexpanded

#: The type of an argument that the parser passes to the launching program.
_LEFT = "any"
_HANDED_ON = "handed on to the launcher"
_NOT_IN_SCRIPT = "the script does not tell its words"


def _is_open(value: Any) -> bool:
    """Whether a part of a value is not known before a script runs."""
    return any(
        isinstance(word, Unexpanded) for word in (value if isinstance(value, list) else [value])
    )


class ArgumentsReader:
    """Reads the arguments of a release: all of them are at the top level.

    Args:
        default: the reason of a default, by its field.
        convert: what the parser makes of a value; `UNKNOWN` if the result is not known.
        reads: whether the command of the file has an argument.
        open_in: where a value that is not known is decided, and the reason.
        words: whether values are the words of a command. These are all texts, so their conversion is
            not given as a reason.
    """

    def __init__(
        self,
        fields: Fields,
        default: Callable[[Field], str],
        convert: Callable[[Field, Any], Any],
        reads: Callable[[Field], bool] = lambda _field: True,
        *,
        open_in: tuple[str, str] = ("script", _NOT_IN_SCRIPT),
        words: bool = False,
    ) -> None:
        self._fields = fields
        self._default = default
        self._convert = convert
        self._reads = reads
        self._open_in = open_in
        self._words = words
        self.reasons: dict[Path, str] = {}
        self.moved: dict[Path, Path] = {}
        self.sections: set[Path] = {()}
        self.dropped: list[Path] = []
        self.unknown: dict[Path, str] = {}

    def read(self, section: str, data: dict[Any, Any]) -> dict[str, Any]:
        """The values of all arguments, defaults included."""
        out: dict[str, Any] = {}
        fields = {
            name: field
            for name, field in self._fields.section(section).items()
            if self._reads(field)
        }
        for name, field in fields.items():
            place = (name,)
            is_left = field.type == _LEFT and not field.package
            if is_left and not _is_open(data.get(name)):
                if name in data:
                    out[name] = data[name]
                    self.reasons[place] = _HANDED_ON
                continue
            if name in data:
                value = UNKNOWN if is_left else self._convert(field, data[name])
                if value is UNKNOWN:
                    self.unknown[place], self.reasons[place] = self._open_in
                    continue
                if value is not data[name] and not self._words:
                    self.reasons[place] = f"read from {shown(data[name])}"
                out[name] = value
            elif field.default is not MISSING and field.default is not UNKNOWN:
                self.reasons[place] = self._default(field)
                value = field.default
                out[name] = value.copy() if isinstance(value, (dict, list)) else value
        self.dropped = [(str(key),) for key in data if key not in fields]
        return out
