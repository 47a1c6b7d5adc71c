"""Keys that other releases read: removed ones, and those of later releases."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.checks import key_repairs
from cfglint.checks.context import Check, CheckContext, Hit, Repair, rests_on_another_copy
from cfglint.checks.foreign_keys import happens_anyway, is_filled_in, since_of
from cfglint.checks.later_releases import is_without, package_of
from cfglint.checks.unread_keys import (
    admitted,
    fork_behind,
    in_words,
    is_a_submodule,
    is_due_later,
    is_read_by_some,
    leaves_open,
    origin_of,
    together,
    unread_hit,
)
from cfglint.checks.written_keys import (
    asks_for_nothing,
    file_keys,
    is_null,
    released,
)
from cfglint.diagnostic import SeverityName
from cfglint.fixes.actions import DeleteKey
from cfglint.roles.foreign_names import ForeignName, renamed
from cfglint.roles.key_policy import REMOVED, WrittenKey
from cfglint.source.document import format_path
from cfglint.source.values import to_python


def _is_gone(ctx: CheckContext, key: WrittenKey) -> bool:
    """Whether the release no longer has a key, or has it again only later."""
    removed = key.info.removed if key.info is not None else None
    if removed is None:
        return key.verdict.why == REMOVED and bool(key.verdict.removed_with)
    return ctx.release_keys.is_gone(removed)


def removed_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that an earlier release had and the target's does not.

    Those that nothing but the assumption of the newest release speaks against are one note, and those that the
    newest refuses one warning, where a project asks for it by leaving the release open.
    """
    due: list[tuple[Hit, WrittenKey]] = []
    refused: list[tuple[Hit, WrittenKey]] = []
    for key in file_keys(ctx).unusual:
        info = key.info
        if info is None or not _is_gone(ctx, key) or fork_behind(ctx, key) is not None:
            continue  # of a fork it is not known which release it is made from
        if is_null(key.entry) and key.verdict.upstream != "rejects":
            continue  # the commonest idiom there is: a template's line that was never filled in
        if is_read_by_some(ctx, key):
            continue
        newer = renamed(info, ctx.framework.key_policy, ctx.release_keys)
        foreign = key.verdict.foreign or ForeignName("", newer, "same" if newer else "", {}, "")
        hint, repairs = _replacement(ctx, key, foreign)
        params = {
            "key": format_path(key.path),
            "removed": key.verdict.removed_with or in_words(ctx, info.removed or ""),
            "release": ctx.target.release,
            "hint": hint,
            "costs": "the setting no longer has an effect; the default is used instead",
        }
        severity: SeverityName = "note"
        is_open = leaves_open(ctx, key)
        idle = to_python(key.entry.value) in ([], {}, "", False) or happens_anyway(
            ctx, key, foreign
        )
        if foreign.to and not idle:
            # A file that names no release may well be for one that still has the key.
            severity = "warning" if is_open else "error"
        if is_open:
            # The release that runs may well be one that refuses the newer name, or does as this one says.
            repairs = tuple(repair.replaced(safety="unsafe") for repair in repairs)
        hit = unread_hit(ctx, key, params, repairs, severity, idle=idle)
        if is_due_later(ctx, key) and not _has_word_of_older_releases(ctx):
            effect = "no file states a release, so it may be due only at the next upgrade"
            ends = hit.upstream == "rejects"
            costs = "after the upgrade the run does not start" if ends else params["costs"]
            params |= {"effect": effect, "costs": costs}
            hit = hit.replaced(params=params, severity="note", due=True)
            due.append((hit.replaced(removed=_with_package(ctx, info.removed)), key))
            continue
        hit = hit.replaced(meant=foreign.to) if foreign.to else hit
        if is_open and hit.upstream == "rejects" and not key.verdict.since:
            hit = hit.replaced(
                params={**params, "effect": f"{params['effect']}{admitted(ctx, key)}"}
            )
        is_asked_for = is_open and ctx.framework.key_policy.refused_by_newest == "note"
        if is_asked_for and hit.severity == "warning" and hit.upstream == "rejects":
            refused.append((hit, key))
            continue
        yield hit
    if due:
        yield _joined(due).replaced(upstream="silent")
    if refused:
        yield _joined(refused)


def _with_package(ctx: CheckContext, release: str | None) -> tuple[str, ...]:
    """A release as `Diagnostic.removed` has it."""
    if release is None:
        return ()
    return (release if " " in release else f"{ctx.target.releases.package} {release}",)


def _has_word_of_older_releases(ctx: CheckContext) -> bool:
    """Whether a value is reported because the newest release refuses it, though older ones take it.

    What it refuses beside that, for the same reason and mostly first, is reported as well.
    """

    def look() -> bool:
        from cfglint.checks.value_types import unknown_choice

        return any(one.severity == "warning" and not one.upstream for one in unknown_choice(ctx))

    return ctx.once("has a word of older releases", look)


def _replacement(
    ctx: CheckContext, key: WrittenKey, foreign: ForeignName
) -> tuple[str, tuple[Repair, ...]]:
    """What to write for a removed key, in words and as fixes."""
    since = since_of(ctx, foreign.to) if foreign.to else None
    hint = f" Use `{foreign.to}`." if foreign.to else ""
    if since is not None:
        hint = f" Since {in_words(ctx, since)} there is `{foreign.to}` for it."
    if foreign.advice:
        hint += f" {foreign.advice}"
    if foreign.to is not None:
        repairs = key_repairs.to_own_name(ctx, key, foreign)
        path = key_repairs.own_path(key, foreign.to)
        if to_python(key.entry.value) in ([], {}, ""):
            hint = " It asks for nothing and can be deleted."
            repairs = (Repair("Delete it", "safe", (DeleteKey(key.path),)),)
        elif key.verdict.needless and key.verdict.hint:
            hint, repairs = key.verdict.hint, ()
        elif happens_anyway(ctx, key, foreign):
            hint = " It can be deleted: what it asks for happens anyway."
        elif not repairs and path is not None and is_filled_in(ctx, path):
            hint = f" `{foreign.to}`, which replaces it, is set as well: "
            if to_python(key.entry.value) is UNKNOWN:
                hint += "both values have to go into that one."
            else:
                hint += "delete this key."
                repairs = (Repair("Delete it", "unsafe", (DeleteKey(key.path),)),)
    else:
        repairs = key_repairs.to_several(key, foreign) or key_repairs.to_section(ctx, key)
        if not repairs:
            repairs = (key_repairs.deletion(ctx, foreign, [key]),)
    return hint, repairs


def _joined(due: list[tuple[Hit, WrittenKey]]) -> Hit:
    """One finding for keys that have one cause: a newer release. It has the repairs of all."""
    (first, _), *others = due
    actions = tuple(action for hit, _ in due for one in hit.repairs[:1] for action in one.actions)
    title = "Write what the newest release takes"
    repairs = (Repair(title, "unsafe", actions),) if others and actions else first.repairs
    repairs = tuple(one.replaced(safety="unsafe") for one in repairs)
    removed = tuple(dict.fromkeys(one for hit, _ in due for one in hit.removed))
    joined = first.replaced(repairs=repairs, removed=removed)
    for hit, key in others:
        hint = hit.params["hint"].strip()
        note = f"removed in {hit.params['removed']}" + (f": {hint}" if hint else "")
        joined = together(joined, [key, key], note.rstrip("."))
    return joined


def key_of_later_release(ctx: CheckContext) -> Iterator[Hit]:
    """A key that the target's release does not have yet."""
    found: dict[tuple[str, bool], tuple[Hit, list[WrittenKey]]] = {}
    if rests_on_another_copy(ctx):
        return
    for key in file_keys(ctx).unusual:
        info = key.info
        if info is None or released(ctx, info.since) or fork_behind(ctx, key) is not None:
            continue
        if not is_without(ctx, info.since):
            continue
        if is_null(key.entry) and not key.verdict.refuses:
            continue
        is_off = not key.verdict.refuses and asks_for_nothing(ctx, key.entry, None)
        quiet = key.verdict.needless or is_off
        # A plugin's keys came with it: they have one cause, and so has a key of several entries.
        cause = (info.plugin or key.full_name, quiet)
        entries = found.get(cause)
        if entries is not None:
            entries[1].append(key)
            continue
        params = {
            "key": format_path(key.path),
            "since": in_words(ctx, info.since),
            "release": ctx.release_keys.release_of(info.since),
            "origin": origin_of(ctx, info.since),
        }
        older = key_repairs.older_name(ctx, key.full_name)
        older_hint = f" There it is called `{older}`." if older else ""
        params["hint"] = key.verdict.hint if key.verdict.severity else older_hint
        repairs = key_repairs.to_older_name(ctx, key, older) if older else ()
        severity: SeverityName | None = "note" if quiet else _severity(ctx, key)
        hit = unread_hit(ctx, key, params, repairs, severity, idle=quiet)
        if hit.severity != "note" and is_a_submodule(ctx):
            effect = "the project has a submodule with another release, if that is what runs"
            hit = hit.replaced(params={**params, "effect": effect}, severity="warning")
        found[cause] = hit.replaced(later=package_of(ctx, info.since)), [key]
    for hit, keys in found.values():
        yield together(hit, keys, "the same applies to this one")


def _severity(ctx: CheckContext, key: WrittenKey) -> SeverityName | None:
    """That of a newer key which may count all the same; None for every other one."""
    assert key.info is not None
    if key.verdict.severity is not None:
        return key.verdict.severity
    package = key.info.since.rpartition(" ")[0]
    return "warning" if package and package not in ctx.target.pins else None


CHECKS: dict[str, Check] = {
    "key-of-later-release": key_of_later_release,
    "removed-key": removed_key,
}
