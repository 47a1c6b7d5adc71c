"""Texts where verl's config has true or false: most of them count as true.

Hydra reads `true` and `false` in any case of letters, and nothing else, as booleans. The sections have no types, or
become dataclasses, which do not look at them.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Edit, Fix
from cfglint.frameworks.verl.merging import found_at
from cfglint.frameworks.verl.run_config import config_in
from cfglint.source.languages.overrides import ConfigWord
from cfglint.source.languages.shell import command_of
from cfglint.source.text import Span

#: Texts that mean false, and count as true.
_NO: Final = frozenset({"no", "off", "none", "disable", "disabled"})
_LIKE: Final = 0.75
#: The sections whose classes OmegaConf fills, which knows `no` and `off`.
_TYPED: Final = frozenset({"profiler", "skip", "distillation", "global_profiler"})


def text_for_boolean(ctx: CheckContext) -> Iterator[Hit]:
    """A word that sets a switch of the config to a text: one that means false, or a misspelt boolean."""
    found, command = config_in(ctx), command_of(ctx.document.root)
    if found is None or command is None:
        return
    for word in command.overrides or ():
        parts = word.key.split(".")
        if word.is_group or word.sign == "~" or not isinstance(word.value, str):
            continue
        meant = _meant(word.value, parts)
        if meant is None or not isinstance(found_at(found.before, parts), bool):
            continue
        params = {
            "key": word.key,
            "value": word.value,
            "meant": str(meant).lower(),
            "effect": "" if meant else ", which turns it on",
        }
        span = Span(word.start, word.end)
        yield Hit(
            tuple(parts),
            span,
            params,
            fixes=_fixes(ctx, word, str(meant).lower()),
            severity=None if not meant else "warning",
        )


def _meant(text: str, parts: list[str]) -> bool | None:
    """What a text means in place of a boolean; None when that is not plain."""
    lower = text.lower()
    if lower in _NO:
        return None if _TYPED.intersection(parts) else False
    near = difflib.get_close_matches(lower, ("true", "false"), 1, _LIKE) if lower.isalpha() else []
    if not near or lower in ("true", "false"):
        return None
    return near[0] == "true"


def _fixes(ctx: CheckContext, word: ConfigWord, meant: str) -> tuple[Fix, ...]:
    at, path = word.key_span[1] + 1, tuple(word.key.split("."))
    end = at + len(word.value)
    if word.key_span[1] == 0 or ctx.document.text[at - 1 : end] != f"={word.value}":
        return ()
    return (Fix(f"Write `{meant}`", "unsafe", (Edit(at, end, meant),), (path,)),)


CHECKS = {"text-for-boolean": text_for_boolean}
