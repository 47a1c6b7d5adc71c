"""Misspelt keys: which key of its mapping each was probably meant for."""

from __future__ import annotations

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.checks import key_repairs
from cfglint.checks.context import CheckContext
from cfglint.checks.foreign_keys import is_filled_in, since_of
from cfglint.checks.key_spelling import former_speller, key_speller, nested_name
from cfglint.checks.unread_keys import in_words
from cfglint.checks.written_keys import is_null, released, unknown_keys
from cfglint.roles.foreign_names import current_name, renamed
from cfglint.roles.key_policy import WrittenKey
from cfglint.source.document import Path

if TYPE_CHECKING:
    from cfglint.base.spelling import Guess


def closest_key(ctx: CheckContext, key: WrittenKey) -> Guess | None:
    """The key of the section that a misspelt one seems to mean; none of a later release, in which nothing can be written yet."""
    table = ctx.framework.keys
    guess = key_speller(table, key.section).closest(key.name)
    info = table.info(key.section, guess.name) if guess is not None else None
    if info is not None and (info.since in ctx.target.hidden or not released(ctx, info.since)):
        return None
    return guess


def older_key_meant(ctx: CheckContext, key: WrittenKey) -> tuple[Guess | None, str]:
    """The key that a misspelt one means if it has lost its name since, or what became of that, in words.

    In the target's release it may still have that name, have another one, or be gone.
    """
    table = ctx.framework.keys
    guess = former_speller(table, key.section).closest(key.name)
    info = table.info(key.section, guess.name) if guess is not None else None
    if guess is None or info is None or info.removed is None or not released(ctx, info.since):
        return None, ""
    is_there = not ctx.release_keys.is_gone(info.removed)
    if is_there or key_repairs.current_name(ctx, key.section, guess.name) != guess.name:
        return guess, ""
    if not guess.sure:
        return None, ""
    gone = f" `{guess.name}` was removed in {in_words(ctx, info.removed)}."
    policy, keys = ctx.framework.key_policy, ctx.release_keys
    row = ctx.framework.knowledge.aliases.get(guess.name)
    newer = renamed(info, policy, keys)
    if not newer and row is not None and row[1]:
        newer = current_name(str(row[1]), policy, keys)
    return None, f"{gone} Use `{newer}`." if newer and since_of(ctx, newer) is None else gone


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
        guess = closest_key(ctx, key)
        if guess is not None:
            path = (*key.path[:-1], guess.name)
            if path not in found and ctx.document.node(path) is None:
                found[path] = key
    return found


def nested_hint(ctx: CheckContext, key: WrittenKey) -> str:
    """The key below the section that an unknown one joins in one word, as the end of a message; empty without one."""
    name = nested_name(ctx.framework.keys, key.section, key.name)
    section, _, own = name.rpartition(".")
    inner = ".".join(filter(None, (key.section, section)))
    info = ctx.framework.keys.info(inner, own) if name else None
    if info is None or not ctx.release_keys.has(info):
        return ""
    return f" The key with the closest name is `{name}`."


#: What is added where the key that was meant is there, too.
SET_AS_WELL = " That is set as well."


def hint_of(ctx: CheckContext, key: WrittenKey, guess: Guess | None) -> str:
    """What a message adds about a guess, as the end of a message; empty without one."""
    if guess is None:
        return ""
    is_there = is_filled_in(ctx, (*key.path[:-1], guess.name))
    twice = SET_AS_WELL if is_there else ""
    if guess.sure:
        return f" Did you mean `{guess.name}`?{twice}"
    return f" The key with the closest name is `{guess.name}`.{twice}"
