"""What is known about the key at a place: its reader, its type, its history, its rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cfglint.base.record import Record
from cfglint.checks.value_types import wanted_words
from cfglint.engine.case import Case
from cfglint.engine.checked_document import CheckedDocument
from cfglint.engine.files_together.edges import beyond
from cfglint.engine.key_rules import rules_by_place
from cfglint.engine.places import known_names
from cfglint.knowledge.keys.judges import alternatives
from cfglint.knowledge.keys.release_keys import KeyStatus, ReleaseKeys, Schema
from cfglint.knowledge.keys.table import KeyInfo
from cfglint.knowledge.rules.rule import Rule
from cfglint.roles.framework import Framework
from cfglint.source.document import Document, Mapping, Path


class KeyReader(Record):
    """The reader of the keys at a place: the file's framework, or that of a section in it."""

    run: CheckedDocument
    #: Where the section begins; empty for the file.
    at: Path

    @property
    def framework(self) -> Framework:
        return self.run.framework

    @property
    def keys(self) -> ReleaseKeys:
        """The keys of the releases that read the file."""
        return self.framework.key_policy.keys_in(self.run.target)

    def section(self, path: Path) -> str:
        """The section that a mapping's path in the file names."""
        return self.framework.keys.section_at(path[len(self.at) :])


class Key(Record):
    """A key of a release."""

    reader: KeyReader
    section: str
    name: str
    standing: KeyStatus
    info: KeyInfo
    #: The values that the release accepts for it; one schema for each class that entries of the list
    #: may have.
    schemas: tuple[Schema, ...]

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values that the release offers."""
        every = (choice for schema in self.schemas for choice in schema.choices)
        return tuple(dict.fromkeys(every))

    @property
    def takes_flags(self) -> bool:
        """Whether true and false are among its values."""
        return any("bool" in schema.kinds for schema in self.schemas)

    @property
    def takes_mapping(self) -> bool:
        """Whether it has keys below it."""
        return any(
            kind.startswith(("dict", "model:")) for schema in self.schemas for kind in schema.kinds
        )

    @property
    def takes_list(self) -> bool:
        """Whether its value is a list."""
        return any(
            kind.startswith(("list", "tuple", "set"))
            for schema in self.schemas
            for kind in schema.kinds
        )

    def words(self) -> str:
        """The values that it accepts, in words; empty if the table does not state them."""
        words = (wanted_words(schema) for schema in self.schemas)
        return alternatives(word for word in words if word != "another value")


def reader_at(run: CheckedDocument, path: Path) -> KeyReader:
    """The reader of the key at a path."""
    for reference in run.framework.readings.references(run.document, run.around):
        at = reference.at
        node = run.document.node(at) if reference.path is None else None
        if path[: len(at)] == at and len(path) > len(at) and isinstance(node, Mapping):
            document = run.document
            part = Document(document.source, node, language=document.language, pure=document.pure)
            other = _framework(run, reference.framework)
            around = run.around.replaced(launches=())
            return KeyReader(
                CheckedDocument(part, Case(other, beyond(run.target, other), around)), at
            )
    return KeyReader(run, ())


def _framework(run: CheckedDocument, name: str) -> Framework:
    from cfglint.roles.framework import load_framework

    return run.framework if name == run.framework.name else load_framework(name)


def key_at(reader: KeyReader, path: Path) -> Key | None:
    """The key at a path of the file; None when no release has it."""
    if not path or isinstance(path[-1], int):
        return None
    return named_key(reader, path[:-1], path[-1])


def named_key(reader: KeyReader, mapping: Path, name: str) -> Key | None:
    """A key of the mapping at a path of the file, whether or not it is written there."""
    section = reader.section(mapping)
    standing = reader.keys.standing(section, name)
    if standing.info is None:
        return None
    schemas: tuple[Schema, ...] = () if standing.schema is None else (standing.schema,)
    if not schemas:
        document = reader.run.document
        entry = mapping[len(reader.at) :]
        classes = reader.keys.entry_classes.of_entry(section, entry, document)
        every = (reader.keys.schema_of_class(section, name, model) for model in classes)
        schemas = tuple(schema for schema in every if schema is not None)
    return Key(reader, section, name, standing, standing.info, schemas)


def keys_of(reader: KeyReader, mapping: Path) -> Iterator[Key]:
    """The keys that the release reads in the mapping at a path of the file."""
    section = reader.section(mapping)
    if not section and reader.framework.keys.names_are_free:
        return
    for name in reader.framework.keys.names(section):
        key = named_key(reader, mapping, name)
        if key is not None and reads(key):
            yield key


def reads(key: Key) -> bool:
    """Whether the release has a key under this name, with or without a plugin."""
    released = key.reader.keys.released
    info = key.info
    return (
        released(info.since)
        and not (info.removed and released(info.removed))
        and not key.reader.framework.keys.is_absent(
            key.section, key.name, key.reader.run.target.release
        )
    )


def rules_of(key: Key, path: Path) -> list[Rule]:
    """The rules that refer to a key and may apply to the target, in the order of their codes."""
    place = _generic(path[len(key.reader.at) :])
    target = key.reader.run.target
    return [
        rule
        for rule in rules_by_place(key.reader.framework).get(place, ())
        if target.applies(rule.applies, assume=True) is not False
    ]


def _generic(path: Path) -> tuple[str, ...]:
    return tuple("[]" if isinstance(part, int) else part for part in path)


def names_known_to_rules(reader: KeyReader, path: Path) -> tuple[str, ...]:
    """The names that rules would have accepted at a path whose value is not one of them.

    To the schema, types of datasets, names of optimizers and the like are plain texts. Rules know
    which of them a release has, and with which other settings.

    Args:
        path: of a key or of an item of a list, with an unknown name as its value.
    """
    run = reader.run
    inner = path[len(reader.at) :]
    found: dict[str, None] = {}
    for rule in rules_by_place(run.framework).get(_generic(inner), ()):
        if rule.when is None or run.target.applies(rule.applies, assume=True) is False:
            continue
        item = inner[: len(rule.each) + 1] if rule.each is not None else ()
        run.scope.use(rule.view, item=item, assume=True)
        if run.framework.knowledge.test(rule)(run.scope) is True:
            found.update(
                dict.fromkeys(known_names(run.framework.knowledge.clause(rule), run.scope))
            )
    return tuple(found)
