"""Keys that the framework does not read: unknown, misplaced, removed, a plugin's."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.base.shortened import shortened
from cfglint.base.type_names import Any
from cfglint.checks import key_repairs
from cfglint.checks.context import Check, CheckContext, Hit, Repair, rests_on_another_copy
from cfglint.checks.foreign_keys import happens_anyway, is_filled_in, own_name_of, since_of
from cfglint.checks.key_spelling import key_speller
from cfglint.checks.later_releases import is_without, package_of
from cfglint.checks.other_readers import of_another_reader
from cfglint.checks.slight_keys import severity_of
from cfglint.checks.slips import closest_key, hint_of, nested_hint, older_key_meant
from cfglint.checks.unread_keys import (
    KEY,
    TOP_LEVEL,
    admitted,
    fork_behind,
    in_words,
    is_a_submodule,
    is_due_later,
    is_read_by_some,
    known_since,
    leaves_open,
    named,
    of_a_later_build,
    origin_of,
    shared_hit,
    together,
    unread_hit,
    without_value,
)
from cfglint.checks.written_keys import (
    asks_for_nothing,
    file_keys,
    is_null,
    own_plugins,
    released,
    unknown_keys,
    value_is_off,
)
from cfglint.diagnostic import SeverityName
from cfglint.fixes.actions import AppendItem, DeleteKey
from cfglint.roles.foreign_names import ForeignName, renamed
from cfglint.roles.key_policy import EXTENDED, REMOVED, WrittenKey
from cfglint.roles.outdented import meant_in_entry
from cfglint.source.document import Path, format_path
from cfglint.source.values import to_python


def unknown_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that neither a release nor another known framework has.

    Those at the top level that resemble no known key are kin: most often they belong to one
    launcher or tool.
    """
    own: list[WrittenKey] = []
    for key in unknown_keys(ctx):
        shared = of_another_reader(ctx, key)
        if not shared and (key.verdict.foreign or key.verdict.homes):
            continue
        if key.section == "" and own_plugins(ctx):
            own.append(key)
            continue
        guess, gone = closest_key(ctx, key), ""
        if guess is None:
            guess, gone = older_key_meant(ctx, key)
        if guess and not key_repairs.may_be_meant(ctx, key, guess):
            guess = None
        if guess:
            guess = guess.replaced(name=key_repairs.current_name(ctx, key.section, guess.name))
        if shared and not (guess and guess.sure):
            foreign = key.verdict.foreign
            own_name = own_name_of(ctx, foreign) if foreign and foreign.to else ""
            if key.verdict.other_reader != EXTENDED:
                yield shared_hit(ctx, key, own_name)
            continue
        refused = key.verdict.refuses
        if guess is None and not refused and (is_null(key.entry) or "*" in key.section):
            continue  # it asks for nothing, or is a remark in an entry that the user named
        params: dict[str, Any] = {
            **named(ctx, key),
            "hint": hint_of(ctx, key, guess) or gone or key.verdict.hint or nested_hint(ctx, key),
            "known_since": known_since(ctx, guess),
        }
        repairs: tuple[Repair, ...] = ()
        if guess is not None:
            safety = "safe" if guess.sure and not shared else "unsafe"
            repairs = key_repairs.rename(ctx, key, guess.name, safety)
        own_name, sure = (guess.name, guess.sure) if guess else ("", False)
        severity = severity_of(own_name, refused=refused, sure=sure)
        severity = severity if guess or refused else key.verdict.severity or severity
        meant = (*key.path[:-1], guess.name) if guess else None
        needless = key.verdict.needless or asks_for_nothing(ctx, key.entry, meant)
        idle = needless and not refused
        # Of a slip people want to hear, also while it costs nothing.
        harmless = idle and not (guess and guess.sure)
        hit = unread_hit(ctx, key, params, repairs, "note" if idle else severity, idle=harmless)
        if guess is None or not guess.sure:
            hit = without_value(ctx, key, of_a_later_build(ctx, hit))
        is_strange = guess is None and key.section == "" and hit.severity != "error"
        if is_strange:
            hit = hit.replaced(kin=key.name)
        yield hit if guess is None else hit.replaced(meant=guess.name)
    if own:
        # Which of them are read is known to that plugin only.
        name = own[0].name
        params = {"key": name, "name": name, "kind": KEY, "place": TOP_LEVEL}
        hit = unread_hit(ctx, own[0], params, ())
        yield together(hit, own, "the same applies to this one")


def misplaced_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that exists, but in another section."""
    strange = _strange_sections(ctx)
    found: dict[tuple[object, ...], tuple[Hit, list[WrittenKey]]] = {}
    for key in unknown_keys(ctx):
        verdict, homes = key.verdict, key.verdict.homes
        if of_another_reader(ctx, key):
            continue
        if not homes or (is_null(key.entry) and not verdict.refuses):
            continue
        home = homes[0]
        meant = meant_in_entry(key, ctx.framework.keys)
        new_path = meant or key_repairs.concrete_path(home, key.name, key.path)
        where = _where(home, new_path) if verdict.where is None else verdict.where
        if meant is not None:
            where = f"in the entry of `{meant[0]}` above it, indented as the other keys there"
        repairs: tuple[Repair, ...] = ()
        if new_path is not None and len(homes) == 1:
            title = f"Move it {where}" if home else "Move it to the top level"
            if where.startswith("in "):
                title = f"Move it into {where[3:].partition(',')[0]}"
            is_evident = not home or meant is not None
            repairs = key_repairs.move(
                ctx, key, new_path, title, "safe" if is_evident else "unsafe"
            )
        severity = verdict.severity or severity_of(key.name, refused=verdict.refuses)
        hint = verdict.hint if verdict.severity else ""
        idle = not verdict.refuses and (verdict.needless or key_repairs.changes_nothing(ctx, key))
        if idle:
            own_hint = verdict.hint if verdict.needless else ""
            hint = own_hint or " It can be deleted: its value is in force anyway."
            repairs = (key_repairs.removal(ctx, key),)
            severity = "note"
        elif key.path[:-1] in strange and not verdict.refuses:
            # Its neighbour is a key of no release: a fork reads that, and maybe this one as well.
            repairs = tuple(repair.replaced(safety="unsafe") for repair in repairs)
            severity = "warning"
        params = {"key": format_path(key.path), "name": key.name, "where": where, "hint": hint}
        hit = without_value(ctx, key, unread_hit(ctx, key, params, repairs, severity, idle=idle))
        if hit.repairs and not idle:
            hit = hit.replaced(meant=key.name)  # what is missing where it belongs
        # Without a repair those of one section are one mistake: a section that was copied.
        cause = key.path if hit.repairs else (*key.path[:-1], where, hit.severity, hit.upstream)
        found.setdefault(cause, (hit, []))[1].append(key)
    for hit, keys in found.values():
        yield together(hit, keys, "the same applies to this one")


def _strange_sections(ctx: CheckContext) -> set[Path]:
    """The sections with a key that no known framework has and that resembles no other."""
    return {
        key.path[:-1]
        for key in unknown_keys(ctx)
        if key.section
        and not key.verdict.foreign
        and not key.verdict.homes
        and key_speller(ctx.framework.keys, key.section).closest(key.name) is None
    }


def plugin_key_without_plugin(ctx: CheckContext) -> Iterator[Hit]:
    """A key that only a plugin reads, and the plugin is not listed."""
    by_plugin: dict[str, list[WrittenKey]] = {}
    for key in file_keys(ctx).unusual:
        plugin = key.info.plugin if key.info is not None else None
        if key.info is None or plugin is None or ctx.framework.keys.is_builtin(plugin):
            continue
        if not released(ctx, key.info.since):
            continue  # neither the key nor a plugin that reads it
        name = plugin.rpartition(".")[2]
        if name in ctx.plugins or value_is_off(key.entry):
            continue
        by_plugin.setdefault(plugin, []).append(key)
    for plugin, keys in by_plugin.items():
        name = plugin.rpartition(".")[2]
        listing = ctx.framework.row["plugins_key"]
        title = f"List {name} under {listing}"
        repairs = (Repair(title, "unsafe", (AppendItem((listing,), plugin),)),)
        params = {"key": format_path(keys[0].path), "plugin": name, "plugin_path": plugin}
        yield together(unread_hit(ctx, keys[0], params, repairs), keys, "also needs the plugin")


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
            due.append((hit.replaced(params=params, severity="note", due=True), key))
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
    joined = first.replaced(repairs=repairs)
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


def _where(section: str, path: Path | None) -> str:
    """Where a section is, in words.

    Args:
        path: that of the key in it, where it is known.
    """
    if not section:
        return "at the top level"
    if "*" in section:
        return "elsewhere" if path is None else f"in `{shortened(format_path(path[:-1]), 80)}`"
    return f"under `{section.removesuffix('[]')}:`"


CHECKS: dict[str, Check] = {
    "key-of-later-release": key_of_later_release,
    "misplaced-key": misplaced_key,
    "plugin-key-without-plugin": plugin_key_without_plugin,
    "removed-key": removed_key,
    "unknown-key": unknown_key,
}
