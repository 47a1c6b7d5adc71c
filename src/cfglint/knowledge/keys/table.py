"""The keys that a framework knows, by section, with their history."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cfglint.base.packing import unpack
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.knowledge.keys.places import section_of
from cfglint.knowledge.keys.pydantic_types import split_type
from cfglint.source.document import Document, Path, Scalar


class KeyInfo(Record):
    """One key: first release, first release without it (None: still there), type, plugin class."""

    since: str
    removed: str | None
    type: str
    plugin: str | None
    rename: str | None


class ReadWhen(Record):
    """The other settings that a section or key depends on: without them it is not read.

    Those of a section are at the top level, those of a key in its own section.
    """

    #: Key -> values; the key must have one of them.
    has: Mapping[str, list[str]]
    #: Key -> values; the key must have none of them.
    has_not: Mapping[str, list[str]]


#: A name that the user chooses.
_ANY = "*"
#: The dependencies of a key that is read in every file: none.
ALWAYS = ReadWhen({}, {})


class KeyTable:
    """Look-ups in the compiled key history of one framework.

    A section is the key path of a mapping with `[]` for list items: "" for the top level,
    `datasets[]`, `fsdp_config`.
    """

    def __init__(self, module: Any) -> None:
        self._sections: dict[str, dict[str, tuple[Any, ...]]] = module.SECTIONS
        self._plugins: tuple[str, ...] = module.PLUGINS
        self._forbids: dict[str, str] = module.FORBIDS_UNKNOWN
        self._builtin: dict[str, str] = module.BUILTIN_PLUGINS
        self._section_since: dict[str, str] = module.SECTION_SINCE
        self._section_removed: dict[str, str] = module.SECTION_REMOVED
        self._reactions: dict[str, tuple[str, str, str]] = module.REACTIONS
        self._schemas: dict[str, bytes] = module.SCHEMAS
        self._unpacked: dict[str, dict[str, Any]] = {}
        self._required: tuple[str, ...] = module.REQUIRED
        #: Key at the top level that only older releases require -> the first that does not.
        self._required_until: dict[str, str] = getattr(module, "REQUIRED_UNTIL", {})
        self._readers: dict[str, tuple[tuple[str, str], ...]] = module.READERS
        self._absent: dict[str, tuple[str, ...]] = module.ABSENT
        self._ages: dict[str | None, int] | None = None
        #: Sections below a name that the user chooses (`groups.*.params`), by their parts.
        self._patterns: dict[tuple[str, ...], str] = {
            tuple(section.split(".")): section for section in self._sections if "*" in section
        }
        self._read_when: dict[str, dict[str, Any]] = module.READ_WHEN
        #: Section -> keys that it must have; at the top level only those of plugins.
        self.required_inside: dict[str, tuple[str, ...]] = module.REQUIRED_INSIDE
        self._infos: dict[tuple[str, str], KeyInfo] = {}
        self.defaults: dict[str, Any] = module.DEFAULTS
        #: Class names of the plugins that come with the framework.
        self.plugin_classes = {path.rpartition(".")[2] for path in self._plugins}

    def info(self, section: str, key: str) -> KeyInfo | None:
        """What is known about a key, None when no release ever had it."""
        known = self._infos.get((section, key))
        if known is None:
            row = self._sections.get(section, {}).get(key)
            if row is None:
                return None
            since, removed, type_, plugin, rename = row
            path = self._plugins[plugin] if plugin >= 0 else None
            known = self._infos[section, key] = KeyInfo(since, removed, type_, path, rename)
        return known

    @property
    def names_are_free(self) -> bool:
        """Whether the user chooses the names at the top level, each of which is a section."""
        return _ANY in self._sections.get("", {})

    def required(self, released: Callable[[str], bool] | None = None) -> tuple[str, ...]:
        """The top-level keys that every file must have, for a release also those of older ones."""
        if released is None or not self._required_until:
            return self._required
        older = (key for key, end in self._required_until.items() if not released(end))
        return (*self._required, *older)

    def schema(
        self,
        section: str,
        key: str,
        released: Callable[[str], bool],
        model: str | None = None,
        *,
        of_words: bool = False,
    ) -> tuple[str, tuple[Any, ...], dict[str, Any]] | None:
        """The type, choices and bounds of a key in a release; None if the type does not determine the values.

        Args:
            released: whether the release is the given one or a later one.
            model: the class that looks at the section, where there are several.
            of_words: for the words of a command, which the type determines even if other values are converted.
        """
        info = self.info(section, key)
        extra = self._described(section, key)
        if info is None or (not of_words and _at(extra, "coerced", released, False)):
            return None
        type_: str = _at(extra, "type", released, info.type)
        if model is not None:
            models = _at(extra, "model", released, [])
            if models and model not in models:
                return None  # a key that this class does not have is left out
            type_ = _at(extra, "model_type", released, {}).get(model, type_)
        constraints: dict[str, Any] = _at(extra, "constraints", released, {})
        reader = self.reader(section, released)
        if reader:
            auto = _at(extra, "auto", released, False)
            if auto and reader == "hand":
                # Looked up by hand, and handed to the model that the section below is a field of.
                reader = self.reader(f"{section}.{key}" if section else key, released) or reader
            constraints = {**constraints, "reader": reader, "auto": auto}
        if "pattern" in constraints:
            parts = type_.split("|")
            type_ = "|".join(f"match<{constraints['pattern']}>" if p == "str" else p for p in parts)
        return type_, choices_of(extra, released), constraints

    def _described(self, section: str, key: str) -> dict[str, Any]:
        name = f"{section}.{key}" if section else key
        known = self._unpacked.get(name)
        if known is None:
            packed = self._schemas.get(name)
            known = self._unpacked[name] = unpack(packed) if packed is not None else {}
        return known

    def models(self, section: str, key: str, released: Callable[[str], bool]) -> tuple[str, ...]:
        """The classes of entries that have a key; empty if they are not distinguished."""
        return tuple(_at(self._described(section, key), "model", released, ()))

    def reader(self, section: str, released: Callable[[str], bool]) -> str:
        """The reader of a section in a release; empty if there is only one."""
        history = self._readers.get(section, ())
        return "".join([name for since, name in history if released(since)][-1:])

    def choice_since(
        self, section: str, key: str, value: str, released: Callable[[str], bool]
    ) -> str | None:
        """The later release that brings a word which a key does not take yet; None without one."""
        extra = self._described(section, key)
        for since, change in extra.get("enums", ()):
            brings = change.get("add", ()) if isinstance(change, dict) else change or ()
            if value in brings and not released(since):
                return str(since)
        return None

    def has_offered(
        self, section: str, key: str, value: str, released: Callable[[str], bool]
    ) -> bool:
        """Whether a release up to the target's had a word as one of its choices."""
        changes = self._described(section, key).get("enums", ())
        return any(
            value in (change.get("add", ()) if isinstance(change, dict) else change or ())
            for since, change in changes
            if released(since)
        )

    def took_any_text(self, section: str, key: str, released: Callable[[str], bool]) -> bool:
        """Whether a release up to the target's took any text for a key that has choices by now.

        A text that has to match a pattern is not any text.
        """
        extra = self._described(section, key)
        if any("pattern" in limits for _, limits in extra.get("constraints_history", ())):
            return False
        types = extra.get("types", ())
        return any("str" in split_type(type_) for since, type_ in types if released(since))

    def renamed_to(self, name: str) -> list[str]:
        """The keys, with their sections, that were renamed to a key when they were removed."""
        return [
            f"{section}.{key}" if section else key
            for section, rows in self._sections.items()
            for key, row in rows.items()
            if row[4] == name and row[1] is not None
        ]

    def names(self, section: str) -> dict[str, tuple[Any, ...]]:
        """The keys of a section, with raw rows; empty for a mapping that is not described."""
        return self._sections.get(section, {})

    def ages(self, releases: tuple[str, ...]) -> dict[str | None, int]:
        """Top-level key -> the number of the release that brought it, if not the first."""
        if self._ages is None:
            numbers = {release: number for number, release in enumerate(releases)}
            since = {name: numbers.get(row[0], 0) for name, row in self.names("").items()}
            self._ages = {name: number for name, number in since.items() if number}
        return self._ages

    def earliest_release(self, document: Document, releases: tuple[str, ...]) -> str | None:
        """The first release that has every top-level key of a file; None if all are old.

        A file that sets a key was written for a release that reads it. (Sections do not count:
        releases took mappings as they came before they described their keys.)
        """
        ages = self.ages(releases)
        newest = 0
        for entry in document.root.entries:
            age = ages.get(entry.name, 0)
            if age > newest:
                value = entry.value.target()
                if not isinstance(value, Scalar) or value.value is not None:
                    newest = age
        return releases[newest] if newest else None

    def has_gone(self, document: Document, release: str, releases: tuple[str, ...]) -> bool:
        """Whether a file sets a top-level key that is gone in a release: its keys are of no one release."""
        rows, until = self.names(""), releases[: releases.index(release) + 1]
        return any(
            (row := rows.get(name)) is not None and row[1] in until for name in document.root.names
        )

    def current(self, section: str) -> list[str]:
        """The keys of a section that the newest release still has."""
        return [key for key, row in self._sections.get(section, {}).items() if row[1] is None]

    def former(self, section: str) -> list[str]:
        """The keys of a section that only older releases have."""
        return [key for key, row in self._sections.get(section, {}).items() if row[1] is not None]

    def sections(self) -> list[str]:
        return list(self._sections)

    def is_closed(self, section: str) -> bool:
        """Whether the keys of a section are all known, so that others go nowhere."""
        if section not in self._sections:
            return False
        if not section:
            return not self.names_are_free
        parent, _, name = section.removesuffix("[]").rpartition(".")
        info = self.info(parent, name)
        return info is None or "dict<" not in info.type

    def is_read(self, section: str) -> bool:
        """Whether the keys of a section that takes others, too, are described."""
        return section in self._readers and section in self._sections

    def section_since(self, section: str) -> str | None:
        """The first release that describes the keys of a section; older ones take any mapping."""
        return self._section_since.get(section)

    def section_removed(self, section: str) -> str | None:
        """The first release without a section that earlier ones have."""
        return self._section_removed.get(section)

    def read_when(self, place: str, released: Callable[[str], bool]) -> ReadWhen | None:
        """What a section or key depends on in a release; None when the release never reads it."""
        facts = self._read_when.get(place)
        if facts is None:
            return ALWAYS
        if "read_since" in facts and not released(facts["read_since"]):
            return None
        return ReadWhen(_at(facts, "when", released, {}), _at(facts, "when_not", released, {}))

    def reaction(self, key: str) -> tuple[str, str, str] | None:
        """What is done about a removed key: (since, `rejects` or `warns`, to which values)."""
        return self._reactions.get(key)

    def is_absent(self, section: str, key: str, release: str) -> bool:
        """Whether a release between the first and the last that have a key does not need it."""
        name = f"{section}.{key}" if section else key
        return name in self._absent and release in self._absent[name]

    def section_at(self, path: Path) -> str:
        """The section of the mapping at a path, with `*` for a name that the user chooses."""
        section = section_of(path)
        if self._patterns and section not in self._sections:
            parts = _parts(path)
            for pattern, name in self._patterns.items():
                if len(pattern) == len(parts) and all(
                    wanted in ("*", part) for wanted, part in zip(pattern, parts, strict=True)
                ):
                    return name
        return section

    def forbids_unknown_since(self, section: str) -> str | None:
        """The first release that refuses a file with a key in this section that it does not have."""
        return self._forbids.get(section)

    @property
    def plugins(self) -> tuple[str, ...]:
        """The plugins that come with the framework, by their full names."""
        return self._plugins

    def releases_of_plugin(self, plugin: str) -> frozenset[str]:
        """The releases that brought keys of a plugin; none where it reads no keys."""
        return frozenset(
            row[0]
            for keys in self._sections.values()
            for row in keys.values()
            if row[3] >= 0 and self._plugins[row[3]] == plugin
        )

    def is_builtin(self, plugin: str) -> bool:
        """Whether a plugin's keys are known without listing it."""
        return plugin in self._builtin

    def builtin_since(self, plugin: str) -> str | None:
        """The first release that reads a plugin's keys without its being listed."""
        return self._builtin.get(plugin)

    def type_at(self, path: Path) -> str | None:
        """The type of the key at a path, None when it is not in the table."""
        if not path or isinstance(path[-1], int):
            return None
        info = self.info(self.section_at(path[:-1]), path[-1])
        return info.type if info is not None else None

    def free_form_parent(self, path: Path) -> str | None:
        """The nearest key above a path that takes any mapping (`lr_scheduler_kwargs`), if any."""
        for length in range(len(path) - 1, 0, -1):
            type_ = self.type_at(path[:length])
            if type_ is not None:
                return str(path[length - 1]) if "dict<" in type_ else None
        return None


#: Fact -> where its latest value is, and where its history.
_PLACES = {
    "type": ("type", "types"),
    "coerced": ("coerced", "coerced_history"),
    "constraints": ("constraints", "constraints_history"),
    "model": ("models", "models_history"),
    "model_type": ("model_types", "model_types_history"),
    "auto": ("auto", "auto_history"),
    "when": ("when", "when_history"),
    "when_not": ("when_not", "when_not_history"),
}


def _at(extra: dict[str, Any], fact: str, released: Callable[[str], bool], default: Any) -> Any:
    """A fact about a key as a release has it: the last of its history that has come."""
    latest, history = _PLACES[fact]
    value = extra.get(latest, default)
    for since, then in extra.get(history, ()):
        if released(since):
            value = then
    return value


def choices_of(info: Mapping[str, Any], released: Callable[[str], bool]) -> tuple[Any, ...]:
    """The values that a release offers for a key: all changes of its history that have come."""
    if "enums" not in info:
        return tuple(info.get("enum", ()))
    choices: list[Any] = []
    for since, change in info["enums"]:
        if not released(since):
            continue
        if isinstance(change, dict):
            choices = [one for one in choices if one not in change.get("drop", ())]
            choices += change.get("add", ())
        else:
            choices = list(change or ())
    return tuple(choices)


def _parts(path: Path) -> list[str]:
    """The names of a path, with `[]` for items; a name that the user chooses may have dots."""
    parts: list[str] = []
    for part in path:
        if isinstance(part, int) and parts:
            parts[-1] += "[]"
        else:
            parts.append(str(part))
    return parts
