"""Keys that the framework does not read: unknown, borrowed, misplaced, removed, a plugin's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.checks.scalar_traps import TYPOGRAPHIC
from cfglint.checks.spelling import Speller
from cfglint.diagnostic import Related, SeverityName
from cfglint.fixes.actions import Action, AppendItem, DeleteKey, MoveKey, RenameKey, SetValue
from cfglint.frameworks.keytable import KeyInfo, KeyTable, section_of
from cfglint.record import Record
from cfglint.rules.logic import MISSING
from cfglint.source.document import Alias, Entry, Mapping, Path, Scalar, format_path
from cfglint.source.values import to_python

#: Origins that need a word more in a sentence.
_ORIGINS = {"other": "other training tools", "older Axolotl": "a much older release"}


class _Key(Record):
    """One written key of a mapping whose keys are all known."""

    section: str
    path: Path
    entry: Entry
    name: str
    info: KeyInfo | None


def unknown_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that no release ever had and no other framework lends."""
    for key in _unknown(ctx):
        if _alias(ctx, key) is not None or _homes(ctx, key):
            continue
        guess = _speller(ctx.framework.keys, key.section).closest(key.name)
        params: dict[str, Any] = {
            "key": format_path(key.path),
            "name": key.name,
            "place": f"in `{key.section}`" if key.section else "at the top level",
            "hint": f" Did you mean `{guess.name}`?" if guess else "",
        }
        repairs: tuple[Repair, ...] = ()
        if guess is not None:
            safety = "safe" if guess.sure else "unsafe"
            repairs = _rename(ctx, key, guess.name, safety)
        yield _hit(
            ctx,
            key,
            params,
            repairs,
            severity="error" if guess is not None or _is_forbidden(ctx, key) else "warning",
        )


def foreign_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key of another framework, with or without a counterpart here."""
    for key in _unknown(ctx):
        alias = _alias(ctx, key)
        if alias is None or (alias[0] == "older Axolotl" and _is_null(key.entry)):
            continue
        origin, to, how, values, advice = alias
        params: dict[str, Any] = {"key": format_path(key.path), "name": key.name}
        params["origin"] = _ORIGINS.get(origin, origin)
        if to is None:
            params["hint"] = f" {advice}" if advice else " There is no counterpart."
            yield _hit(
                ctx,
                key,
                params,
                (Repair("Delete it", "safe", (DeleteKey(key.path),)),),
                severity="warning",
            )
            continue
        params["hint"] = f" Here it is `{to}`." + (f" {advice}" if advice else "")
        yield _hit(ctx, key, params, _to_alias(ctx, key, to, how, values), severity="error")


def misplaced_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that exists, but in another section."""
    for key in _unknown(ctx):
        if _alias(ctx, key) is not None:
            continue
        homes = _homes(ctx, key)
        if not homes:
            continue
        home = homes[0]
        new_path = _concrete(home, key.name, key.path)
        where = _where(home)
        repairs: tuple[Repair, ...] = ()
        if new_path is not None and len(homes) == 1 and _is_free(ctx, new_path):
            repairs = (
                Repair(
                    f"Move it {where}" if home else "Move it to the top level",
                    "safe" if home == "" else "unsafe",
                    (MoveKey(key.path, new_path),),
                ),
            )
        params = {"key": format_path(key.path), "name": key.name, "where": where}
        yield _hit(ctx, key, params, repairs, severity="error")


def plugin_key_without_plugin(ctx: CheckContext) -> Iterator[Hit]:
    """A key that only a plugin reads, and the plugin is not listed."""
    listed = _listed_plugins(ctx)
    reported: set[str] = set()
    for key in _keys(ctx):
        plugin = key.info.plugin if key.info is not None else None
        if plugin is None or ctx.framework.keys.is_builtin(plugin):
            continue
        name = plugin.rpartition(".")[2]
        if name in listed or _value_is_off(key.entry):
            continue
        repairs: tuple[Repair, ...] = ()
        if plugin not in reported:
            repairs = (
                Repair(f"List {name} under plugins", "unsafe", (AppendItem(("plugins",), plugin),)),
            )
        reported.add(plugin)
        params = {"key": format_path(key.path), "plugin": name, "plugin_path": plugin}
        yield _hit(ctx, key, params, repairs)


def removed_key(ctx: CheckContext) -> Iterator[Hit]:
    """A key that an earlier release had and the target's has not."""
    for key in _keys(ctx):
        info = key.info
        if info is None or info.removed is None or not _released(ctx, info.removed):
            continue
        if _is_null(key.entry):
            continue  # the commonest idiom there is: a template's line that was never filled in
        alias = _alias(ctx, key)
        to = alias[1] if alias is not None else info.rename
        hint = f" Use `{to}`." if to else ""
        if alias is not None and alias[4]:
            hint += f" {alias[4]}"
        repairs: tuple[Repair, ...] = ()
        if alias is not None and to is not None:
            repairs = _to_alias(ctx, key, to, alias[2], alias[3])
        elif to is not None and to.rpartition(".")[0] == key.section:
            repairs = _rename(ctx, key, to.rpartition(".")[2], "safe")
        elif to is None:
            repairs = (Repair("Delete it", "safe", (DeleteKey(key.path),)),)
        params = {
            "key": format_path(key.path),
            "removed": info.removed,
            "release": ctx.target.release,
            "hint": hint,
        }
        severity: SeverityName = "info"
        if to:
            # A file that names no release may well be for one that still has the key.
            severity = "warning" if ctx.target.assumed else "error"
        yield _hit(ctx, key, params, repairs, severity=severity)


def key_of_later_release(ctx: CheckContext) -> Iterator[Hit]:
    """A key that the target's release does not have yet."""
    for key in _keys(ctx):
        info = key.info
        if info is None or _released(ctx, info.since) or _is_null(key.entry):
            continue
        params = {
            "key": format_path(key.path),
            "since": info.since,
            "release": ctx.target.release,
            "origin": ctx.target.release_origin,
        }
        yield _hit(ctx, key, params, ())


@lru_cache(maxsize=256)
def _speller(table: KeyTable, section: str) -> Speller:
    return Speller(table.current(section))


def _keys(ctx: CheckContext) -> list[_Key]:
    """Every string key in a mapping whose keys are all known to the framework (computed once)."""
    return ctx.once("keys", lambda: list(_collect_keys(ctx)))


def _collect_keys(ctx: CheckContext) -> Iterator[_Key]:
    table = ctx.framework.keys
    if not ctx.framework.knows_any(ctx.document.root):
        return
    holders = _anchor_holders(ctx)
    for path, mapping in ctx.mappings:
        section = section_of(path)
        since = table.section_since(section)
        if not table.is_closed(section) or (since is not None and not _released(ctx, since)):
            continue
        for entry in mapping.entries:
            name = entry.name
            if name is None or entry.is_merge or id(entry) in holders:
                continue
            info = table.info(section, name)
            if info is None and section == "fsdp_config" and name.startswith("fsdp_"):
                # Axolotl cuts this prefix off before it looks.
                info = table.info(section, name[len("fsdp_") :])
            yield _Key(section, (*path, name), entry, name, info)


def _anchor_holders(ctx: CheckContext) -> set[int]:
    """Top-level entries that exist to be merged or aliased elsewhere (`x-common: &common`)."""
    if "*" not in ctx.document.text:
        return set()
    aliased = {id(node.node) for _, _, node in ctx.document.walk() if isinstance(node, Alias)}
    return {id(entry) for entry in ctx.document.root.entries if id(entry.value) in aliased}


def _unknown(ctx: CheckContext) -> list[_Key]:
    def collect() -> list[_Key]:
        # A plugin that is not Axolotl's own may read any top-level key.
        custom = bool(_listed_plugins(ctx) - ctx.framework.keys.plugin_classes)
        return [
            key
            for key in _keys(ctx)
            if key.info is None
            and not (custom and key.section == "")
            and not any(character in key.name for character in TYPOGRAPHIC)
        ]

    return ctx.once("unknown keys", collect)


def _listed_plugins(ctx: CheckContext) -> set[str]:
    """The class names under `plugins:`."""
    node = ctx.document.node(("plugins",))
    listed = to_python(node) if node is not None else None
    if not isinstance(listed, list):
        return set()
    return {name.replace(":", ".").rpartition(".")[2] for name in listed if isinstance(name, str)}


def _alias(ctx: CheckContext, key: _Key) -> tuple[Any, ...] | None:
    """What is known of a key that other frameworks (or older releases) have."""
    aliases = ctx.framework.knowledge.aliases
    if key.section:
        for name in (f"{key.section}.{key.name}", f"{key.section.removesuffix('[]')}.{key.name}"):
            if name in aliases:
                return aliases[name]
        return None
    return aliases.get(key.name)


def _homes(ctx: CheckContext, key: _Key) -> list[str]:
    """Other sections that have a key of this name, the likeliest first."""
    table = ctx.framework.keys
    homes = [
        section
        for section in table.sections()
        if section != key.section
        and (info := table.info(section, key.name)) is not None
        and info.removed is None
        and info.plugin is None
    ]
    if "" in homes:
        return [""]
    if "datasets[]" in homes or "datasets[].type" in homes:
        homes = [home for home in homes if home.startswith("datasets")]
    if key.section.startswith(("datasets[]", "test_datasets[]", "pretraining_dataset[]")):
        own = key.section.partition("[]")[0]
        near = [f"{own}[].type"] if key.section == f"{own}[]" else [f"{own}[]"]
        homes = [home for home in near if table.info(home, key.name) is not None]
    elif _is_generic(key.name):
        return []
    return homes[:1] if homes and homes[0].startswith("datasets") else homes


def _is_generic(name: str) -> bool:
    """Names that say too little to tell where they belong."""
    return name in (
        "name",
        "type",
        "path",
        "mode",
        "data",
        "enabled",
        "target",
        "format",
        "size",
        "version",
    )


def _concrete(section: str, name: str, written: Path) -> Path | None:
    """The path of a key in another section, near where it was written; None if that is open."""
    if not section:
        return (name,)
    if "[]" not in section:
        return (*section.split("."), name)
    if section.endswith("[].type") and len(written) == 3 and isinstance(written[1], int):
        return (*written[:2], "type", name)
    if section.endswith("[]") and len(written) == 4 and isinstance(written[1], int):
        return (*written[:2], name)
    return None


def _rename(ctx: CheckContext, key: _Key, name: str, safety: str) -> tuple[Repair, ...]:
    if not _is_free(ctx, (*key.path[:-1], name)):
        return ()
    return (Repair(f"Rename it to {name}", safety, (RenameKey(key.path, name),)),)


def _to_alias(
    ctx: CheckContext, key: _Key, to: str, how: str, values: dict[Any, Any]
) -> tuple[Repair, ...]:
    """A fix that moves a setting to its name here, where that is mechanical."""
    if "[]" in to or "=" in to or " " in to:
        return ()
    path: Path = tuple(to.split("."))
    if not _is_free(ctx, path):
        existing = ctx.document.node(path)
        same = existing is not None and to_python(existing) == to_python(key.entry.value)
        if same:
            return (Repair(f"Delete it; {to} says the same", "safe", (DeleteKey(key.path),)),)
        return ()
    value = to_python(key.entry.value)
    if _is_null(key.entry):
        return (Repair("Delete it", "safe", (DeleteKey(key.path),)),)
    mapped = values.get(value, MISSING) if _hashable(value) else MISSING
    actions: tuple[Action, ...]
    if mapped is not MISSING:
        if path[:-1] == key.path[:-1]:
            actions = (RenameKey(key.path, str(path[-1])), SetValue(path, mapped))
        else:
            actions = (DeleteKey(key.path), SetValue(path, mapped))
    elif how != "same":
        return ()
    elif path[:-1] == key.path[:-1]:
        actions = (RenameKey(key.path, str(path[-1])),)
    else:
        actions = (MoveKey(key.path, path),)
    return (Repair(f"Use {to}", "safe", actions),)


def _is_free(ctx: CheckContext, path: Path) -> bool:
    """Whether a fix may write a path: nothing is there, and its parent can hold it."""
    for length in range(1, len(path)):
        node = ctx.document.node(path[:length])
        if node is None:
            return True
        if not isinstance(node, Mapping) and not (isinstance(node, Scalar) and node.value is None):
            return False
    return ctx.document.node(path) is None


def _is_forbidden(ctx: CheckContext, key: _Key) -> bool:
    return ctx.framework.keys.forbids_unknown(key.section)


def _is_null(entry: Entry) -> bool:
    value = entry.value.target()
    return isinstance(value, Scalar) and value.value is None


def _value_is_off(entry: Entry) -> bool:
    value = entry.value.target()
    return isinstance(value, Scalar) and (value.value is None or value.value is False)


def _hashable(value: Any) -> bool:
    return not isinstance(value, (list, dict, set))


def _released(ctx: CheckContext, release: str) -> bool:
    """Whether the target's release is this one or a later one."""
    return _not_before(ctx.target.releases.versions, ctx.target.release, release)


@lru_cache(maxsize=4096)
def _not_before(versions: tuple[str, ...], target: str, release: str) -> bool:
    if target in versions and release in versions:
        return versions.index(target) >= versions.index(release)
    from packaging.version import Version

    return Version(target) >= Version(release)


def _hit(
    ctx: CheckContext,
    key: _Key,
    params: dict[str, Any],
    repairs: tuple[Repair, ...],
    severity: SeverityName | None = None,
) -> Hit:
    upstream, params["effect"] = _reaction(ctx, key)
    if upstream == "rejects" and (key.info is None or not ctx.target.assumed):
        severity = "error"
    if severity in ("error", "warning") and _is_null(key.entry):
        severity = "info"
    return Hit(
        key.path,
        key.entry.key.span,
        params,
        related=_related(ctx, params),
        repairs=repairs,
        severity=severity,
        upstream=upstream,
    )


def _reaction(ctx: CheckContext, key: _Key) -> tuple[str, str]:
    """What Axolotl does about a key that it does not read: (upstream, words)."""
    table = ctx.framework.keys
    name = key.name.removeprefix("fsdp_") if key.section == "fsdp_config" else key.name
    known = table.reaction(f"{key.section}.{name}" if key.section else name)
    if known is not None and _released(ctx, known[0]):
        value = key.entry.value.target()
        counts = not _is_null(key.entry) and not (
            known[2] and isinstance(value, Scalar) and not value.value
        )
        if counts and known[1] == "rejects":
            return "rejects", "Axolotl refuses the file"
        if counts:
            return "warns", "Axolotl warns and drops it"
    if key.info is None and table.forbids_unknown(key.section):
        return "rejects", "Axolotl refuses the file"
    return "silent", "Axolotl drops it without a word"


def _where(section: str) -> str:
    """Where a section is, in words."""
    if not section:
        return "at the top level"
    if section.endswith("[].type"):
        return "under the `type:` of the dataset"
    return f"under `{section.removesuffix('[]')}:`"


def _related(ctx: CheckContext, params: dict[str, Any]) -> tuple[Related, ...]:
    if "plugin" not in params:
        return ()
    entry = ctx.document.entry(("plugins",))
    return () if entry is None else (Related(entry.key.span, "it is not among these"),)
