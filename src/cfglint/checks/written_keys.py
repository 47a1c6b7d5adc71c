"""The keys of a file that are in mappings whose keys the framework knows."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.checks.context import CheckContext
from cfglint.checks.scalar_traps import TYPOGRAPHIC
from cfglint.knowledge.keys.release_keys import Schema
from cfglint.knowledge.keys.table import KeyInfo
from cfglint.source.document import Alias, Entry, Path, Scalar
from cfglint.source.values import to_python

_TEST = "test_datasets[]."
#: The origin of names that earlier releases of the framework had.
OLDER = "older releases"


class WrittenKey(Record):
    """One written key of a mapping whose keys are all known."""

    section: str
    path: Path
    entry: Entry
    name: str
    info: KeyInfo | None


class FileKeys(Record):
    """The written keys that need a check, in file order; ordinary ones are not kept."""

    #: Known to no release.
    unknown: list[WrittenKey]
    #: Known, but gone, not there yet, or a plugin's.
    unusual: list[WrittenKey]
    #: Keys whose value the release does not take: wrong type, unknown choice, out of range.
    refused: list[tuple[WrittenKey, Schema, Any]]
    #: Keys that a section must have and has not: the section's path, the key.
    missing: list[tuple[Path, str]]


def file_keys(ctx: CheckContext) -> FileKeys:
    """What stands out among the keys of the mappings that the framework describes (computed once)."""
    return ctx.once("keys", lambda: _look_through(ctx))


def _look_through(ctx: CheckContext) -> FileKeys:
    found = FileKeys([], [], [], [])
    if not ctx.framework.knows_any(ctx.document.root):
        return found
    release = ctx.release_keys
    several = ctx.framework.several_classes
    holders = _anchor_holders(ctx)
    entries = Entries(ctx)
    for path, mapping in ctx.mappings:
        section = ctx.framework.keys.section_at(path)
        keys = release.section(section)
        if keys is None or not ctx.framework.reads_section(section, ctx.document, release):
            continue
        for wanted, plugin in release.required(section):
            if wanted not in mapping.lookup and (not plugin or plugin in listed_plugins(ctx)):
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
            standing = keys[name]
            if standing.info is None:
                if (
                    keys.takes_others
                    or id(entry) in holders
                    or ctx.framework.told_by_rules(section, name)
                    or _is_left_alone(ctx, section, name, to_python(node), name)
                    or _has_own_class(ctx, section, name)
                ):
                    continue
                home = ctx.framework.read_as(section, name)
                if home is not None:
                    found.refused.extend(_refused_elsewhere(ctx, home, (*path, name), entry))
                    continue
            schema = standing.schema
            if (
                schema is not None
                and standing.plugin
                and standing.plugin not in listed_plugins(ctx)
            ):
                schema = None  # nobody looks at it
            if ctx.framework.is_overwritten(section, name, mapping, release):
                schema = None
            if not standing.ordinary and not (
                standing.info is not None and _is_read_otherwise(ctx, section, name)
            ):
                key = WrittenKey(section, (*path, name), entry, name, standing.info)
                (found.unusual if standing.info is not None else found.unknown).append(key)
            if schema is None:
                if section.startswith(several):
                    entries.look_at(section, path, name, entry, standing.info)
                continue
            value = to_python(node)
            value = ctx.framework.as_read(section, name, value, ctx.document, release)
            if schema.fits(value):
                if seen is not None and standing.ordinary:
                    in_order.remember(seen)
                continue
            left_alone = _is_left_alone(ctx, section, name, value, value)
            if not left_alone and not _has_own_class(ctx, section, name):
                key = WrittenKey(section, (*path, name), entry, name, standing.info)
                found.refused.append((key, schema, value))
    found.refused.extend(entries.refused())
    return found


def _is_read_otherwise(ctx: CheckContext, section: str, name: str) -> bool:
    """Whether the project's copy of the framework, or a program of its own, has a key of other releases."""
    in_copy = ctx.framework.in_own_copy(name, ctx.target, ctx.around)
    return in_copy or _has_own_class(ctx, section, name)


def _has_own_class(ctx: CheckContext, section: str, name: str) -> bool:
    """Whether a program of its own, which reads the file, has a key at the top level."""
    has_own_class = ctx.framework.has_own_class
    return not section and has_own_class(ctx.document, name, ctx.release_keys, ctx.around)


def _is_left_alone(ctx: CheckContext, section: str, name: str, value: Any, word: Any) -> bool:
    """Whether a value has a rule of its own, or the project's copy of the framework knows the word.

    Args:
        word: what no release has, a key or a choice.
    """
    framework = ctx.framework
    return framework.value_told_by_rules(section, name, value) or (
        isinstance(word, str) and framework.in_own_copy(word, ctx.target, ctx.around)
    )


def _refused_elsewhere(
    ctx: CheckContext, home: str, path: Path, entry: Entry
) -> Iterator[tuple[WrittenKey, Schema, Any]]:
    """A key that is read as one of another section, if its value is refused there."""
    name = str(path[-1])
    keys = ctx.release_keys.section(home)
    if keys is None or not ctx.framework.reads_section(home, ctx.document, ctx.release_keys):
        return
    standing = keys[name]
    value = to_python(entry.value)
    if standing.schema is not None and not standing.schema.fits(value):
        yield WrittenKey(home, path, entry, name, standing.info), standing.schema, value


class Entries:
    """The entries of lists that may be of several classes: which of their keys are refused."""

    def __init__(self, ctx: CheckContext) -> None:
        self._ctx = ctx
        self._classes: dict[Path, tuple[str, ...]] = {}
        #: Entry -> class -> keys with values that this class refuses.
        self._refused: dict[Path, dict[str, list[tuple[WrittenKey, Schema, Any]]]] = {}

    def look_at(
        self, section: str, path: Path, name: str, entry: Entry, info: KeyInfo | None
    ) -> None:
        """Judge a key of an entry, or of a section in it, by each class.

        Args:
            path: of the mapping that the key is in.
        """
        place = path[:2]
        release_keys = self._ctx.release_keys
        classes = self._classes.get(place)
        if classes is None:
            classes = self._ctx.framework.classes(release_keys, section, place, self._ctx.document)
            self._classes[place] = classes
        node = entry.value
        seen = None
        if type(node) is Scalar:
            seen = (section, name, classes, type(node.value), node.value)
            if seen in release_keys.in_order:
                return
        for model in classes:
            inner = self._ctx.framework.class_in_section(section, model)
            schema = release_keys.schema_of_class(section, name, inner)
            if schema is None:
                continue
            value = to_python(node)
            if not schema.fits(value):
                refused = self._refused.setdefault(place, {})
                key = WrittenKey(section, (*path, name), entry, name, info)
                refused.setdefault(model, []).append((key, schema, value))
                seen = None
        if seen is not None:
            release_keys.in_order.remember(seen)

    def refused(self) -> Iterator[tuple[WrittenKey, Schema, Any]]:
        """The keys of entries that every class refuses, as the first one sees them."""
        for place, by_class in self._refused.items():
            classes = self._classes[place]
            if len(by_class) == len(classes):
                yield from by_class[classes[0]]


def _anchor_holders(ctx: CheckContext) -> set[int]:
    """Top-level entries that exist to be merged or aliased elsewhere (`x-common: &common`)."""
    if not any("*" in text and "&" in text for text in ctx.document.texts):
        return set()
    aliased = {id(node.node) for _, _, node in ctx.document.walk() if isinstance(node, Alias)}
    return {id(entry) for entry in ctx.document.root.entries if id(entry.value) in aliased}


def unknown_keys(ctx: CheckContext) -> list[WrittenKey]:
    """The keys that no release ever had (those with odd characters have a rule of their own)."""
    return ctx.once(
        "unknown keys",
        lambda: [
            key
            for key in file_keys(ctx).unknown
            if not any(character in key.name for character in TYPOGRAPHIC)
            and (key.section or not ctx.framework.is_remark(key.name))
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
    return ctx.once(
        "own plugins", lambda: sorted(listed_plugins(ctx) - ctx.framework.keys.plugin_classes)
    )


def listed_plugins(ctx: CheckContext) -> frozenset[str]:
    """The class names of the plugins that the file lists."""
    return ctx.once("listed plugins", lambda: ctx.framework.plugins(ctx.document))


class ForeignName(Record):
    """What is known about a key that other frameworks (or older releases) have."""

    #: The framework it comes from.
    origin: str
    #: The key that means it here, None when there is none.
    to: str | None
    #: `same` when the value stays, else how it changes, in words. Without `to`: not empty when
    #: other keys carry out what it asks for.
    how: str
    #: Exact new values for some old ones; None takes the key away.
    values: dict[Any, Any]
    advice: str


def foreign_name(ctx: CheckContext, key: WrittenKey) -> ForeignName | None:
    """The foreign name that a written key has, None if it has none."""
    known = ctx.framework.aliases
    name = f"{key.section}.{key.name}" if key.section else key.name
    row = known.get(name)
    if row is None and name.startswith(_TEST) and key.name != "train_on_split":
        # These entries have the keys of those in `datasets`.
        row = known.get(name.removeprefix("test_"))
        if row is not None and row[1] is not None and row[1].startswith("datasets[]"):
            row = (row[0], f"test_{row[1]}", *row[2:])
    return ForeignName(*row) if row is not None else None


def is_null(entry: Entry) -> bool:
    value = entry.value.target()
    return isinstance(value, Scalar) and value.value is None


def value_is_off(entry: Entry) -> bool:
    value = entry.value.target()
    return isinstance(value, Scalar) and (value.value is None or value.value is False)


def released(ctx: CheckContext, release: str) -> bool:
    """Whether the target's release is this one or a later one."""
    return ctx.release_keys.released(release)
