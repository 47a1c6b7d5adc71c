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
