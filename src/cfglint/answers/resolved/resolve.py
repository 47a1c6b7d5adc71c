"""Computes the effective configuration: what a release makes of a document."""

from __future__ import annotations

from typing import Any, Literal

from cfglint.base.logic import MISSING, UNKNOWN, AtLeast
from cfglint.base.record import Record
from cfglint.checks.context import CheckContext
from cfglint.engine.scope import FileScope
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import Surroundings, nowhere
from cfglint.frameworks.for_files import for_document
from cfglint.knowledge.rules.derivations import Derivation, apply_derivations
from cfglint.roles.framework import Framework
from cfglint.roles.reading.base import DEFAULT_OF, NotDeterminedError, Reading
from cfglint.roles.reading.state import ReadingState
from cfglint.runs.settings.layers import Setting
from cfglint.runs.settings.merged import MergedSettings, source_map
from cfglint.source.document import Document, Path

#: How a value relates to the file.
Part = Literal["changed", "written", "default"]


class EffectiveValue(Record):
    """One value of the configuration."""

    path: Path
    value: Any
    #: The path in the file that it comes from; None for a value that the framework adds.
    origin: Path | None
    #: The reason of the value; None for a value as written.
    reason: str | None
    #: The setting that it was computed from; None for a value that the framework adds.
    setting: Setting | None = None

    @property
    def is_default(self) -> bool:
        """Whether it is the default of a release."""
        return self.reason is not None and self.reason.startswith(DEFAULT_OF)

    @property
    def part(self) -> Part:
        """How it relates to the file: changed, as written, or a default. 3 and 3.0 are the same."""
        if self.is_default:
            return "default"
        setting = self.setting
        if setting is None or setting.place.file is not None or self.origin != self.path:
            return "changed"
        alike = self.reason is None or (
            setting.value == self.value
            and isinstance(setting.value, bool) is isinstance(self.value, bool)
        )
        return "written" if alike else "changed"


class Undecided(Record):
    """A value that depends on something that is not known."""

    path: Path
    #: The facts that would determine it.
    needs: tuple[str, ...]
    reason: str


class Effective(Record):
    """The configuration that a release ends up with."""

    release: str
    data: dict[str, Any]
    #: Every value that is no mapping and no list of mappings, in the order of the file.
    entries: tuple[EffectiveValue, ...]
    undecided: tuple[Undecided, ...]
    #: Keys of the file that the release does not read.
    dropped: tuple[Path, ...]


class _Scope(FileScope):
    """Facts and values of a configuration that is being computed."""

    def __init__(self, context: CheckContext, state: ReadingState) -> None:
        super().__init__(context)
        self.view = state  # type: ignore[assignment]
        self.at = state

    def at_item(self, item: Path) -> None:
        super().at_item(item)
        self.unknown = set()  # what the next rewrite asks for, it alone

    def fact(self, name: str) -> Any:
        value = super().fact(name)
        if isinstance(value, AtLeast):  # a guess suffices for a finding, but not for a value
            self.unknown.add(name)
            return UNKNOWN
        return value


def resolve(
    document: Document,
    framework: Framework,
    target: Environment,
    around: Surroundings | None = None,
) -> Effective:
    """The configuration that the target's release ends up with.

    Args:
        target: one whose release is among the known ones.

    Raises:
        NotDeterminedError: the file does not determine how it is read, or the framework is not
            supported.
    """
    around = around or nowhere()
    framework = for_document(framework, document, around)
    target = framework.parsing.shown(document, target)
    reading = framework.readings.reading(target)
    if reading is None:
        raise NotDeterminedError(framework.readings.not_answered("effective"))
    return _Resolution(document, reading, around).result()


class _Resolution:
    def __init__(self, document: Document, reading: Reading, around: Surroundings) -> None:
        self._document = document
        self._settings = MergedSettings(document, document.root, source_map(document))
        self._reading = reading
        self._framework = reading.framework
        self._target = reading.target
        self._state = ReadingState(document, reading.values_in(document, around))
        context = CheckContext(document, self._framework, self._target, around)
        self._scope = _Scope(context, self._state)
        self._undecided: dict[Path, Undecided] = {}
        self._dropped: list[Path] = []
        self._sections: set[Path] = set()

    def result(self) -> Effective:
        release = self._target.release
        stages: dict[str, list[Derivation]] = {"before": [], "after": []}
        for derivation in self._reading.derivations:
            stages[derivation.stage].append(derivation)
        self._reading.prepare(self._state)
        self._apply(stages["before"])
        self._read()
        self._apply(stages["after"])
        for path in self._undecided:
            self._state.remove(path, reason="")
        data = self._without_null(self._state.data, ())
        ordered = self._ordered(data, ())
        entries = [self._entry(path, value) for path, value in leaves(ordered)]
        return Effective(
            release,
            ordered,
            tuple(entries),
            tuple(self._undecided.values()),
            tuple(self._dropped),
        )

    def _apply(self, derivations: list[Derivation]) -> None:
        apply_derivations(
            derivations,
            self._state,
            self._scope,
            lambda applies: self._target.applies(applies, assume=True) is True,
            self._note_undecided,
        )

    def _note_undecided(self, derivation: Derivation, paths: list[Path]) -> None:
        needs = tuple(sorted(self._scope.unknown))
        for path in paths:
            self._undecided[path] = Undecided(path, needs, derivation.reason)

    def _read(self) -> None:
        default = f"{DEFAULT_OF}{self._framework.packages[0]} {self._target.release}"
        state = self._state
        reader = self._reading.reader(default, state.value)
        state.data = reader.read("", state.data)
        for place, written in reader.moved.items():
            state.origins[place] = state.origins.get(written, written)
        for place, reason in reader.reasons.items():
            state.reasons.setdefault(place, reason)
        for place, fact in reader.unknown.items():
            self._undecided[place] = Undecided(place, (fact,), reader.reasons.get(place, default))
        self._sections = reader.sections
        self._dropped = [path for path in reader.dropped if self._is_written(path)]

    def _is_written(self, path: Path) -> bool:
        """Whether the file has a key under this name: a program may give it to a function under another one."""
        entry = self._document.entry(path)
        if entry is None or self._document.language.structure != "calls":
            return self._document.node(path) is not None
        text = self._document.text[entry.key.start : entry.key.end]
        return text.strip("'\"") == entry.name

    def _without_null(self, value: Any, path: Path) -> Any:
        """The value without keys that have none; where any key may stand, null is a value."""
        if isinstance(value, list):
            return [self._without_null(item, (*path, index)) for index, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        described = path in self._sections
        return {
            key: self._without_null(item, (*path, key))
            for key, item in value.items()
            if item is not MISSING and not (described and item is None)
        }

    def _ordered(self, value: Any, path: Path) -> Any:
        """The value with the keys of each mapping in the order of the file, new ones last."""
        if isinstance(value, list):
            return [self._ordered(item, (*path, index)) for index, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        places: dict[Any, int] = {}
        behind = sum(len(text) + 1 for text in self._document.texts)
        for key in value:
            written = self._state.written_path((*path, key))
            node = self._document.entry(written) if written is not None else None
            places[key] = node.key.start if node is not None else behind
        return {
            key: self._ordered(value[key], (*path, key))
            for key in sorted(value, key=places.__getitem__)
        }

    def _entry(self, path: Path, value: Any) -> EffectiveValue:
        reason: str | None = None
        for length in range(len(path), 0, -1):
            reason = self._state.reasons.get(path[:length])
            if reason is not None:
                break
        origin = self._state.written_path(path)
        setting = self._settings.setting(origin) if origin is not None else None
        return EffectiveValue(path, value, origin, reason, setting)


def leaves(value: Any, path: Path = ()) -> list[tuple[Path, Any]]:
    """The values of nested data that are not made of others: lists of scalars are whole."""
    if isinstance(value, dict) and (value or not path):
        return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        return [leaf for index, item in enumerate(value) for leaf in leaves(item, (*path, index))]
    return [(path, value)]
