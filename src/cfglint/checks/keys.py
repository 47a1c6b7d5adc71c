"""Keys that no release reads where they are: unknown, misplaced, a plugin's."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.shortened import shortened
from cfglint.base.type_names import Any
from cfglint.checks import key_repairs
from cfglint.checks.context import Check, CheckContext, Hit, Repair
from cfglint.checks.foreign_keys import own_name_of
from cfglint.checks.key_spelling import key_speller
from cfglint.checks.other_readers import of_another_reader
from cfglint.checks.slight_keys import severity_of
from cfglint.checks.slips import closest_key, hint_of, nested_hint, older_key_meant
from cfglint.checks.unread_keys import (
    KEY,
    TOP_LEVEL,
    known_since,
    named,
    of_a_later_build,
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
from cfglint.fixes.actions import AppendItem
from cfglint.roles.key_policy import EXTENDED, WrittenKey
from cfglint.roles.outdented import meant_in_entry
from cfglint.source.document import Path, format_path


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
    "misplaced-key": misplaced_key,
    "plugin-key-without-plugin": plugin_key_without_plugin,
    "unknown-key": unknown_key,
}
