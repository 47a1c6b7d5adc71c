"""Which key of its section a misspelt one is closest to."""

from __future__ import annotations

from functools import lru_cache

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.knowledge.keys.table import KeyTable
from cfglint.roles.key_policy import WrittenKey

if TYPE_CHECKING:
    from cfglint.base.spelling import Speller


@lru_cache(maxsize=256)
def key_speller(table: KeyTable, section: str) -> Speller:
    """Finds the key of a section that is meant by a misspelling."""
    from cfglint.base.spelling import Speller

    return Speller(table.current(section))


@lru_cache(maxsize=256)
def former_speller(table: KeyTable, section: str) -> Speller:
    """Finds the key of older releases that is meant by a misspelling."""
    from cfglint.base.spelling import Speller

    return Speller(table.former(section))


def is_sure_slip(table: KeyTable, key: WrittenKey) -> bool:
    """Whether a key can hardly be anything but a misspelling of one of its section."""
    guess = key_speller(table, key.section).closest(key.name)
    return guess is not None and guess.sure


def nested_name(table: KeyTable, section: str, name: str) -> str:
    """The only key below a section that a name of the section itself joins in one word, after the part that is its own.

    `val_temperature` is `temperature` of `val_kwargs`, and `n_val` its `n`. Empty without one.
    """
    found = []
    prefix = f"{section}." if section else ""
    for inner in table.sections():
        last = inner.removeprefix(prefix)
        if not inner.startswith(prefix) or not last.isidentifier():
            continue
        words = last.split("_")
        starts = {"_".join(words[:number]) for number in range(1, len(words) + 1)}
        for start in starts:
            before, behind = f"{start}_", f"_{start}"
            own = name.removeprefix(before) if name.startswith(before) else ""
            own = own or (name.removesuffix(behind) if name.endswith(behind) else "")
            if own and own in table.current(inner):
                found.append(f"{last}.{own}")
    return found[0] if len(set(found)) == 1 else ""
