"""The keys of a file that are in mappings whose keys the framework knows."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext
from cfglint.checks.scalar_traps import TYPOGRAPHIC
from cfglint.knowledge.keys.release_keys import Schema
from cfglint.roles.key_policy import ELSEWHERE, READ, REFUSED, UNREAD, WrittenKey
from cfglint.source.calls import call_of
from cfglint.source.document import Entry, Path, Scalar
from cfglint.source.values import to_python

#: A key, what the release takes for it, and the value that is refused.
RefusedValue = tuple[WrittenKey, Schema, Any]


class FileKeys(Record):
    """The written keys that need a check, in file order; ordinary ones are not kept."""

    #: Known to no release.
    unknown: list[WrittenKey]
    #: Known, but gone, not there yet, or a plugin's.
    unusual: list[WrittenKey]
    #: Keys whose value the release does not take: wrong type, unknown choice, out of range.
    refused: list[RefusedValue]
    #: Keys that a section must have and has not: the section's path, the key.
    missing: list[tuple[Path, str]]


def file_keys(ctx: CheckContext) -> FileKeys:
    """The remarkable keys of the mappings that the framework describes (computed once)."""
    return ctx.once("keys", lambda: _look_through(ctx))


def _look_through(ctx: CheckContext) -> FileKeys:
    found = FileKeys([], [], [], [])
    if not knows_any(ctx):
        return found
    release, policy = ctx.release_keys, ctx.framework.key_policy
    several = release.entry_classes.lists
    entries = Entries(ctx)
    for path, mapping in ctx.mappings:
        section = ctx.framework.keys.section_at(path)
        keys = release.section(section)
        if keys is None or not policy.reads_section(section, ctx):
            continue
        for wanted, plugin in release.required(section):
            if wanted not in mapping.lookup and (not plugin or plugin in ctx.plugins):
                found.missing.append((path, wanted))
        in_order = keys.in_order
        for entry in mapping.entries:
            name, node = entry.name, entry.value
            if name is None or entry.is_merge:
                continue
            seen = None
            if type(node) is Scalar:
                seen = (name, type(node.value), node.value)
                if seen in in_order:
                    continue
            known = keys[name]
            key = WrittenKey(section, (*path, name), entry, name, known.info, mapping)
            verdict = policy.standing(key, ctx)
            state = verdict.state
            if state == ELSEWHERE:
                section_there = ctx.release_keys.section(verdict.section)
                if section_there is not None and policy.reads_section(verdict.section, ctx):
                    info = section_there[name].info
                    key = key.replaced(section=verdict.section, info=info)
                    verdict = policy.standing(key, ctx)
                    state = REFUSED if verdict.state == REFUSED else ELSEWHERE
            if state == UNREAD:
                kept = found.unknown if known.info is None else found.unusual
                kept.append(key.replaced(verdict=verdict))
            elif state == REFUSED and verdict.schema is not None:
                key = key.replaced(verdict=verdict)
                found.refused.append((key, verdict.schema, verdict.value))
            elif state == READ and section.startswith(several):
                entries.look_at(key)
            elif state == READ and seen is not None and known.ordinary and known.schema:
                in_order.remember(seen)
    found.refused.extend(entries.refused())
    return found


def knows_any(ctx: CheckContext) -> bool:
    """Whether at least one top-level key is the framework's; of a call the class says whose it is."""
    table = ctx.framework.keys
    names = table.names("")
    is_sure = table.names_are_free or call_of(ctx.document.root) is not None
    return is_sure or any(
        entry.name is not None and entry.name in names for entry in ctx.document.root.entries
    )


class Entries:
    """The entries of lists that may be of several classes: which of their keys are refused."""

    def __init__(self, ctx: CheckContext) -> None:
        self._ctx = ctx
        self._classes: dict[Path, tuple[str, ...]] = {}
        #: Entry -> class -> keys with values that this class refuses.
        self._refused: dict[Path, dict[str, list[RefusedValue]]] = {}

    def look_at(self, key: WrittenKey) -> None:
        """Judge a key of an entry, or of a section in it, by each class."""
        section, name, node = key.section, key.name, key.entry.value
        place = key.path[:2]
        release_keys = self._ctx.release_keys
        of_list = release_keys.entry_classes
        classes = self._classes.get(place)
        if classes is None:
            classes = of_list.of_entry(section, place, self._ctx.document)
            self._classes[place] = classes
        seen = None
        if type(node) is Scalar:
            seen = (section, name, classes, type(node.value), node.value)
            if seen in release_keys.in_order:
                return
        for model in classes:
            inner = of_list.of_section(section, model)
            schema = release_keys.schema_of_class(section, name, inner)
            if schema is None:
                continue
            value = to_python(node)
            if not schema.fits(value):
                refused = self._refused.setdefault(place, {})
                refused.setdefault(model, []).append((key, schema, value))
                seen = None
        if seen is not None:
            release_keys.in_order.remember(seen)

    def refused(self) -> Iterator[RefusedValue]:
        """The keys of entries that every class refuses, as the first one sees them."""
        for place, by_class in self._refused.items():
            classes = self._classes[place]
            if len(by_class) == len(classes):
                yield from by_class[classes[0]]


def unknown_keys(ctx: CheckContext) -> list[WrittenKey]:
    """The keys that no release ever had (those with odd characters have a rule of their own)."""
    return ctx.once(
        "unknown keys",
        lambda: [
            key
            for key in file_keys(ctx).unknown
            if not any(character in key.name for character in TYPOGRAPHIC)
            and not _is_declared(ctx, key)
        ],
    )


def _is_declared(ctx: CheckContext, key: WrittenKey) -> bool:
    """Whether a schema of the project describes a key, so that something reads it.

    The framework refuses the file all the same where it refuses every key that it does not know.
    """
    if not any(schema.declares(key.path) for schema in ctx.around.schemas):
        return False
    since = ctx.framework.keys.forbids_unknown_since(key.section)
    return since is None or not released(ctx, since)


def own_plugins(ctx: CheckContext) -> list[str]:
    """The listed plugins that are not the framework's own; they may read any top-level key."""
    return ctx.once("own plugins", lambda: sorted(ctx.plugins - ctx.framework.keys.plugin_classes))


def is_null(entry: Entry) -> bool:
    value = entry.value.target()
    return isinstance(value, Scalar) and value.value is None


def value_is_off(entry: Entry) -> bool:
    value = entry.value.target()
    return isinstance(value, Scalar) and (value.value is None or value.value is False)


def in_force(ctx: CheckContext, path: Path) -> Any:
    """The value of a key that a file sets or that has a known default, else MISSING."""
    entry = ctx.document.entry(path)
    if entry is not None and not is_null(entry):
        return to_python(entry.value)
    return ctx.framework.keys.defaults.get(".".join(map(str, path)), MISSING)


def asks_for_nothing(ctx: CheckContext, entry: Entry, meant: Path | None) -> bool:
    """Whether a run is the same with a key that is not read: it is off, or its value is in force anyway.

    Args:
        meant: the path of the key that was probably meant, if there is one. Without a known default
            of its own, what it leaves out is decided elsewhere.
    """
    value = entry.value.target()
    if not isinstance(value, Scalar) or value.value in (None, UNKNOWN):
        return False
    if meant is None:
        return value.value is False
    # A key that only a later release has may be called by its own name.
    return ctx.document.entry(meant) is not entry and bool(in_force(ctx, meant) == value.value)


def released(ctx: CheckContext, release: str) -> bool:
    """Whether the target's release is this one or a later one."""
    return ctx.release_keys.released(release)
