"""What the options of a launch line lay over a file: `trl sft --config x.yaml --learning_rate 1e-5`.

A file's values are defaults of the arguments, so that an option of the command line takes precedence.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import Any
from cfglint.frameworks.trl.arguments import converted
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.knowledge.keys.table import KeyTable
from cfglint.settings.words import Override
from cfglint.starts.start import Start, Word

_OPTION = "--"


def overrides(line: Start, table: KeyTable) -> Iterator[Override]:
    """The values of the options that are keys of the file; those of others are the launcher's affair."""
    words = list(line.words)
    while words:
        word = words.pop(0)
        if not word.text.startswith(_OPTION):
            continue
        name, equals, inline = word.text[len(_OPTION) :].partition("=")
        given = [Word(inline, word.start, word.end, word.open)] if equals else []
        while not equals and words and not words[0].text.startswith(_OPTION):
            given.append(words.pop(0))
        key = name.replace("-", "_")
        kinds = _kinds(table, key)
        off = not kinds and key.startswith("no_")
        if off:
            key = key.removeprefix("no_")
            kinds = _kinds(table, key)
        if not kinds or any(one.open for one in given):
            continue
        value = False if off else _value(kinds, [one.text for one in given])
        if value is not None:
            yield Override((key,), value, word.start, (given[-1] if given else word).end)


def _kinds(table: KeyTable, key: str) -> tuple[str, ...]:
    """The kinds of a key's type; none for what is no key, or one of the launcher."""
    type_ = table.type_at((key,))
    return split_type(type_) if type_ is not None and type_ != "any" else ()


def _value(kinds: tuple[str, ...], given: list[str]) -> Any:
    """What the parser makes of the words of an option; None where that is nothing."""
    lists = any(kind.startswith("list<") for kind in kinds)
    if lists and "str" not in kinds:
        return given or None
    if not given:
        return True if "bool" in kinds else None
    return converted(kinds, given[0])
