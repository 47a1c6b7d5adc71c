"""What a run makes of the options of a script."""

from __future__ import annotations

from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.knowledge.keys.argument_types import converted
from cfglint.knowledge.keys.table import KeyTable
from cfglint.roles.reading.fields import Field
from cfglint.source.document import Document
from cfglint.source.languages.shell import is_frame
from cfglint.source.values import Unexpanded


def written_in_script(
    values: dict[str, Any], document: Document, table: KeyTable
) -> dict[str, Any]:
    """The values of a document, of which those of a script are its options.

    An option that may be among words which are not known has an unknown value.
    """
    if document.language.structure != "words":
        return values
    found = {name: value for name, value in values.items() if not is_frame(name)}
    if document.hides_keys:
        for name in table.names(""):
            found.setdefault(name, Unexpanded())
    return found


def word_of_script(field: Field, value: Any) -> Any:
    """What an option makes of its words; `UNKNOWN` when the script does not state them."""
    return _value_of(field.kinds(None), value)


def _value_of(kinds: tuple[str, ...], value: Any) -> Any:
    """What an option makes of its words; `UNKNOWN` when they are not known.

    Args:
        value: as the document has it: a word, a list of words, or what a switch sets.
    """
    if isinstance(value, list):
        members = tuple(k[len("list<") : -1] if k.startswith("list<") else k for k in kinds)
        items = [_value_of(members, item) for item in value]
        return UNKNOWN if any(item is UNKNOWN for item in items) else items
    if isinstance(value, Unexpanded):
        return UNKNOWN
    return converted(kinds, value) if isinstance(value, str) else value
