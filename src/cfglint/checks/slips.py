"""Misspelt keys: which key of its mapping each was probably meant for."""

from __future__ import annotations

from functools import lru_cache

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.checks.context import CheckContext
from cfglint.checks.written_keys import is_null, unknown_keys
from cfglint.knowledge.keys.table import KeyTable
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.document import Path

if TYPE_CHECKING:
    from cfglint.base.spelling import Speller


@lru_cache(maxsize=256)
def key_speller(table: KeyTable, section: str) -> Speller:
    """Finds the key of a section that is meant by a misspelling."""
    from cfglint.base.spelling import Speller

    return Speller(table.current(section))


def misspelt(ctx: CheckContext, path: Path) -> WrittenKey | None:
    """The unknown key that seems to be a misspelling of a key that is not written; None without one.

    A missing key is reported at its misspelling, where there is one.
    """
    return slips(ctx).get(path)


def slips(ctx: CheckContext) -> dict[Path, WrittenKey]:
    """The keys that are not written, each with the first misspelt one that seems to mean it."""
    return ctx.once("slips", lambda: _slips(ctx))


def _slips(ctx: CheckContext) -> dict[Path, WrittenKey]:
    found: dict[Path, WrittenKey] = {}
    for key in unknown_keys(ctx):
        if is_null(key.entry):
            continue
        guess = key_speller(ctx.framework.keys, key.section).closest(key.name)
        if guess is not None:
            path = (*key.path[:-1], guess.name)
            if path not in found and ctx.document.node(path) is None:
                found[path] = key
    return found
