"""The options of a program, and how many words each takes by the type of its key.

Most programs have classes whose fields are their arguments, as transformers' parser adds them. A field is an option by its name, and by its name with dashes; one that is true or false may go without a
word, and one that is true by default has an opposite.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cfglint.base.type_names import Any
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.knowledge.keys.table import KeyTable
from cfglint.source.languages.arguments import Arguments

_OPPOSITE = "no_"
#: A type that is true, false or nothing: by default nothing, so that the option takes a word.
_TRUTH_OR_NOTHING = ("bool", "null")


def options_of(
    table: KeyTable,
    keys: ReleaseKeys,
    *,
    reads: Callable[[str], bool] = lambda _name: True,
    lists: frozenset[str] = frozenset(),
    on: frozenset[str] = frozenset(),
    nothing: frozenset[str] = frozenset(),
    rows: Mapping[str, Mapping[str, Any]] | None = None,
    dashes: bool = True,
) -> Arguments:
    """The options of a program in a release.

    Args:
        table: all keys; those that the release does not have are no options.
        reads: whether the program has a key.
        lists: keys that take several words although their types name a text, too.
        on: keys that are true by default in some releases, though not in the newest.
        nothing: keys that are neither true nor false by default, whatever the table says of another class.
        rows: name -> the history of its defaults; without it those of the newest release count in all.
        dashes: whether options may have dashes for underscores.
    """
    arities: dict[str, str] = {}
    names: dict[str, str] = {}
    off: set[str] = set()
    truths: set[str] = set()
    for name in table.names(""):
        if not reads(name) or not keys.standing("", name).ordinary:
            continue
        if table.is_absent("", name, keys.release_of("")):
            continue
        found = table.schema("", name, keys.released)
        kinds = split_type(found[0]) if found is not None else ()
        default = table.defaults.get(name) if rows is None else keys.default_of(rows.get(name, {}))
        if name in nothing:
            kinds, default = _TRUTH_OR_NOTHING, None
        arity = "+" if name in lists else "?" if name in on else arity_of(kinds, default)
        spellings = [name]
        if arity == "?" and (default is True or name in on):
            spellings.append(_OPPOSITE + name)
        for spelling in spellings:
            opposite = spelling != name
            dashed = spelling.replace("_", "-") if dashes else spelling
            # A message shows the first one of those that an abbreviation fits.
            for option in dict.fromkeys((spelling, dashed)):
                arities[option] = "0" if opposite else arity
                if option != name:
                    names[option] = name
                if opposite:
                    off.add(option)
                elif arity == "1" and _is_truth(kinds):
                    truths.add(option)
    return Arguments(arities, names, frozenset(off), truths=frozenset(truths))


def arity_of(kinds: tuple[str, ...], default: Any) -> str:
    """How many words an option of a type takes, in the notation of `Arguments`."""
    if "bool" in kinds and (len(kinds) == 1 or default is not None):
        return "?"
    has_list = any(kind.startswith("list<") for kind in kinds)
    return "+" if has_list and "str" not in kinds else "1"


def _is_truth(kinds: tuple[str, ...]) -> bool:
    return set(kinds) == set(_TRUTH_OR_NOTHING)


def plain_arity(type_: str, limits: Mapping[str, Any]) -> str:
    """How many words an option takes that a program adds to its parser itself: a flag takes none.

    Args:
        limits: how long a list may be.
    """
    if type_ == "bool":
        return "0"
    if not type_.startswith("list<"):
        return "1"
    if limits.get("max_length"):
        return str(limits["max_length"])
    return "+" if limits.get("min_length") else "*"
