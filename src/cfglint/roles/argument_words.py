"""What the options of a launch line lay over a file whose keys are arguments: `train x.yaml --learning_rate 1e-5`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.logic import UNKNOWN
from cfglint.base.type_names import Any
from cfglint.knowledge.keys.argument_types import converted
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.knowledge.keys.table import KeyTable
from cfglint.runs.settings.words import Override
from cfglint.runs.starts.start import Start, Word

_OPTION = "--"
_OFF = "no_"
#: Options of the parser itself.
_OF_PARSER = frozenset({"config", "help"})
_NAME = lazy_pattern(r"[A-Za-z_][\w-]{1,80}")


def overrides(
    line: Start,
    table: KeyTable,
    is_others: Callable[[str], bool] = lambda _key: False,
    *,
    with_open: bool = False,
) -> Iterator[Override]:
    """The values that the options of a line have.

    An option that no release has is among them: the command refuses it as it refuses such a key.

    Args:
        is_others: whether an option, by the key that it would be, is another program's.
        with_open: also the known keys whose values the line leaves open; these are `UNKNOWN`.
    """
    words = list(line.words)
    while words:
        word = words.pop(0)
        if not word.text.startswith(_OPTION):
            continue
        name, equals, inline = word.text[len(_OPTION) :].partition("=")
        given = [Word(inline, word.start, word.end, word.open)] if equals else []
        while not equals and words and not words[0].text.startswith(_OPTION):
            given.append(words.pop(0))
        is_open = any(one.open for one in given)
        if _NAME.fullmatch(name) is None or (is_open and not with_open):
            continue
        key = _meant(name.replace("-", "_"), table)
        if not key or key in _OF_PARSER:
            continue
        if is_open:
            if table.info("", key) is not None:
                yield Override((key,), UNKNOWN, word.start, given[-1].end)
            continue
        kinds = _kinds(table, key)
        off = not kinds and key.startswith(_OFF)
        if off:
            key = key.removeprefix(_OFF)
            kinds = _kinds(table, key)
        if kinds:
            value = False if off else _value(kinds, [one.text for one in given])
        elif off or is_others(key) or table.info("", key) is not None:
            continue
        else:
            value = given[0].text if given else True
        if value is not None:
            yield Override((key,), value, word.start, (given[-1] if given else word).end)


def option_words(key: str, value: Any) -> str | None:
    """The words that set a key to a value; None for one that is no single word."""
    if value is None or isinstance(value, (dict, list)):
        return None
    return f"--{key} {shlex.quote(str(value))}"


def _meant(key: str, table: KeyTable) -> str:
    """The key that an option is, or the only one that begins like it."""
    if table.info("", key) is not None:
        return key
    fitting = [name for name in table.names("") if name.startswith(key)]
    return fitting[0] if len(fitting) == 1 else key if not fitting else ""


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
