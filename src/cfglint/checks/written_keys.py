"""The keys of a file that stand in mappings whose keys the framework knows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from cfglint.checks.context import CheckContext
from cfglint.checks.scalar_traps import TYPOGRAPHIC
from cfglint.frameworks.keytable import KeyInfo, section_of
from cfglint.record import Record
from cfglint.source.document import Alias, Entry, Path, Scalar
from cfglint.source.values import to_python


class WrittenKey(Record):
    """One written key of a mapping whose keys are all known."""

    section: str
    path: Path
    entry: Entry
    name: str
    info: KeyInfo | None


def written_keys(ctx: CheckContext) -> list[WrittenKey]:
    """Every string key in a mapping whose keys are all known to the framework (computed once)."""
    return ctx.once("keys", lambda: list(_collect_keys(ctx)))


def _collect_keys(ctx: CheckContext) -> Iterator[WrittenKey]:
    table = ctx.framework.keys
    if not ctx.framework.knows_any(ctx.document.root):
        return
    holders = _anchor_holders(ctx)
    for path, mapping in ctx.mappings:
        section = section_of(path)
        since = table.section_since(section)
        if not table.is_closed(section) or (since is not None and not released(ctx, since)):
            continue
        for entry in mapping.entries:
            name = entry.name
            if name is None or entry.is_merge or id(entry) in holders:
                continue
            info = table.info(section, name)
            if info is None and section == "fsdp_config" and name.startswith("fsdp_"):
                # Axolotl cuts this prefix off before it looks.
                info = table.info(section, name[len("fsdp_") :])
            yield WrittenKey(section, (*path, name), entry, name, info)


def _anchor_holders(ctx: CheckContext) -> set[int]:
    """Top-level entries that exist to be merged or aliased elsewhere (`x-common: &common`)."""
    if "*" not in ctx.document.text:
        return set()
    aliased = {id(node.node) for _, _, node in ctx.document.walk() if isinstance(node, Alias)}
    return {id(entry) for entry in ctx.document.root.entries if id(entry.value) in aliased}


def unknown_keys(ctx: CheckContext) -> list[WrittenKey]:
    """The keys that no release ever had (those with odd characters have a rule of their own)."""
    return ctx.once(
        "unknown keys",
        lambda: [
            key
            for key in written_keys(ctx)
            if key.info is None and not any(character in key.name for character in TYPOGRAPHIC)
        ],
    )


def own_plugins(ctx: CheckContext) -> list[str]:
    """The listed plugins that are none of the framework's; they may read any top-level key."""
    return ctx.once(
        "own plugins", lambda: sorted(listed_plugins(ctx) - ctx.framework.keys.plugin_classes)
    )


def listed_plugins(ctx: CheckContext) -> set[str]:
    """The class names under `plugins:`."""
    node = ctx.document.node(("plugins",))
    listed = to_python(node) if node is not None else None
    if not isinstance(listed, list):
        return set()
    return {name.replace(":", ".").rpartition(".")[2] for name in listed if isinstance(name, str)}


class ForeignName(Record):
    """What is known of a key that other frameworks (or older releases) have."""

    #: The framework it comes from.
    origin: str
    #: The key that means it here, None when there is none.
    to: str | None
    #: `same` when the value stays, else how it changes, in words.
    how: str
    #: Exact new values for some old ones; None takes the key away.
    values: dict[Any, Any]
    advice: str


def foreign_name(ctx: CheckContext, key: WrittenKey) -> ForeignName | None:
    """The foreign name that a written key is, None when it is none."""
    known = ctx.framework.knowledge.aliases
    row = known.get(f"{key.section}.{key.name}" if key.section else key.name)
    return ForeignName(*row) if row is not None else None


def is_null(entry: Entry) -> bool:
    value = entry.value.target()
    return isinstance(value, Scalar) and value.value is None


def value_is_off(entry: Entry) -> bool:
    value = entry.value.target()
    return isinstance(value, Scalar) and (value.value is None or value.value is False)


def released(ctx: CheckContext, release: str) -> bool:
    """Whether the target's release is this one or a later one."""
    return _not_before(ctx.target.releases.versions, ctx.target.release, release)


@lru_cache(maxsize=4096)
def _not_before(versions: tuple[str, ...], target: str, release: str) -> bool:
    if target in versions and release in versions:
        return versions.index(target) >= versions.index(release)
    from packaging.version import Version

    return Version(target) >= Version(release)
