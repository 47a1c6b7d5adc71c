"""Reads values as a release does that describes its files by a schema.

The schema is pydantic's in its lax mode: unknown keys are dropped, values are converted where
that loses nothing, and what is not written gets its default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cfglint.base.logic import MISSING, UNKNOWN
from cfglint.base.record import Record
from cfglint.knowledge.keys.places import full_key
from cfglint.knowledge.keys.pydantic_types import accepts, as_scalar, split_type
from cfglint.roles.reading.base import Reading
from cfglint.roles.reading.fields import Field, Fields
from cfglint.source.document import Path

_SCALARS = ("bool", "int", "float", "str")
#: In which order the alternatives of a type are tried when none fits a value as it is. The first
#: that can take it wins; the table of keys has them in alphabetical order.
_ORDER = {"bool": 0, "int": 1, "float": 2, "list": 3, "dict": 4, "str": 6}


#: Class and entry -> whether the class refuses it.
Refuses = Callable[[str, Mapping[Any, Any]], bool]


class ReadingHabits(Record):
    """How a schema reads files, where that is not pydantic's way."""

    #: Sections that are kept as they are written, without defaults.
    without_defaults: frozenset[str] = frozenset()
    #: Keys whose own name takes precedence over an alias; for other keys the alias does.
    name_first: frozenset[tuple[str, str]] = frozenset()
    #: Defaults of one class among those that share a section.
    default_of: Mapping[tuple[str, str], str] = {}
    #: The fact that decides defaults which are computed.
    machine: str = "cpus"
    #: The classes that share a section, in the order in which the schema names them.
    classes: tuple[str, ...] = ()
    #: Whether a class refuses an entry although its types accept every value.
    refuses: Refuses | None = None


#: Section and entry -> the class that the framework takes for it whatever its keys; None when
#: the keys decide.
ChooseModel = Callable[[str, dict[Any, Any]], str | None]


class SchemaReader:
    """Reads a configuration by the fields of a release."""

    def __init__(
        self, fields: Fields, default: str, choose: ChooseModel, habits: ReadingHabits
    ) -> None:
        self._fields = fields
        self._default_reason = default
        self._choose = choose
        self._habits = habits
        #: Path -> the reason of its value.
        self.reasons: dict[Path, str] = {}
        #: Path -> the path at which its value is written.
        self.moved: dict[Path, Path] = {}
        #: The mappings that have fields; in others null is a value.
        self.sections: set[Path] = set()
        #: Keys that the release does not read.
        self.dropped: list[Path] = []
        #: Field -> the fact of the machine that its default depends on.
        self.unknown: dict[Path, str] = {}

    def read(
        self, section: str, data: dict[Any, Any], path: Path = (), model: str | None = None
    ) -> dict[str, Any]:
        """The values of a section, defaults included; null where a key has no value."""
        out: dict[str, Any] = {}
        self.sections.add(path)
        fields = self._fields.section(section)
        taken: set[str] = set()
        for field in fields.values():
            if model is not None and field.models and model not in field.models:
                continue
            names = (*field.aliases, field.name)
            if (section, field.name) in self._habits.name_first:
                names = names[::-1]
            name = next((name for name in names if name in data), None)
            place = (*path, field.name)
            if name is not None:
                taken.add(name)
                if name != field.name:
                    self.moved[place] = (*path, name)
                    self.reasons[place] = f"{name} is another name for {field.name}"
                out[field.name] = self._convert(field, model, data[name], section, place)
            elif field.default is MISSING or section in self._habits.without_defaults:
                continue
            elif field.default is UNKNOWN:
                self.unknown[place] = self._habits.machine
            elif (
                model is None or self._habits.default_of.get((section, field.name), model) == model
            ):
                out[field.name] = self._default(field, section, place)
        self.dropped += [(*path, str(key)) for key in data if key not in taken]
        return out

    def _default(self, field: Field, section: str, place: Path) -> Any:
        self.reasons[place] = self._default_reason
        value = field.default
        model = next((k for k in split_type(field.type) if k.startswith("model:")), None)
        if isinstance(value, dict) and model is not None:
            return self.read(full_key(section, field.name), dict(value), place)
        return list(value) if isinstance(value, list) else value

    def _convert(
        self, field: Field, model: str | None, value: Any, section: str, place: Path
    ) -> Any:
        kinds = field.kinds(model)
        found = self._as(kinds, field.enum, value, full_key(section, field.name), place)
        return value if found is MISSING else found

    def _as(
        self, kinds: tuple[str, ...], enum: tuple[Any, ...], value: Any, section: str, place: Path
    ) -> Any:
        """A value as one of some types, MISSING when none takes it."""
        if value is None:
            return None
        exact = _exact(kinds, enum, value)
        if exact is not MISSING:
            return exact
        for kind in sorted(kinds, key=lambda one: _ORDER.get(one.partition("<")[0], 5)):
            base, _, inner = kind.partition("<")
            if base in _SCALARS or base in ("literal", "null") or base.startswith("enum:"):
                found = as_scalar(base, value)
                if found is not MISSING:
                    self.reasons[place] = f"read from {shown(value)}"
                    return found
            elif base.startswith("model:"):
                if isinstance(value, dict):
                    models = tuple(k[len("model:") :] for k in kinds if k.startswith("model:"))
                    return self._model(models, section, value, place)
            elif base in ("list", "tuple", "set"):
                if isinstance(value, list):
                    return self._items(base, inner[:-1], enum, value, section, place)
            elif base == "dict":
                if isinstance(value, dict):
                    return self._entries(inner[:-1], enum, value, section, place)
            else:
                return value
        return MISSING

    def _items(
        self, base: str, inner: str, enum: tuple[Any, ...], value: list[Any], section: str, at: Path
    ) -> list[Any]:
        kinds = split_type(inner) if base == "list" else ("any",)
        if base == "tuple":
            kinds = tuple(dict.fromkeys(_parts(inner)))
        out = []
        for index, item in enumerate(value):
            found = self._as(kinds, enum, item, f"{section}[]", (*at, index))
            out.append(item if found is MISSING else found)
        return out

    def _entries(
        self, inner: str, enum: tuple[Any, ...], value: dict[Any, Any], section: str, at: Path
    ) -> dict[Any, Any]:
        kinds = split_type(_parts(inner)[-1])
        out = {}
        for key, item in value.items():
            found = self._as(kinds, enum, item, f"{section}.*", (*at, str(key)))
            out[key] = item if found is MISSING else found
        return out

    def _model(
        self, models: tuple[str, ...], section: str, value: dict[Any, Any], place: Path
    ) -> dict[str, Any]:
        model = models[0] if len(models) == 1 else self._chosen(models, section, value)
        return self.read(section, value, place, model)

    def _chosen(self, models: tuple[str, ...], section: str, value: dict[Any, Any]) -> str:
        """Which of several classes a mapping becomes.

        Among those that take its values the one that has most of its keys; before 0.7.0, whose
        pydantic did not count keys, the first.
        """
        given = self._choose(section, value)
        if given is not None:
            return given
        fields = self._fields.section(section).values()
        found: dict[str, int] = {}
        ordered = sorted(models, key=self._rank)
        for model in ordered:
            if self._habits.refuses is not None and self._habits.refuses(model, value):
                continue
            own = [
                field
                for field in fields
                if field.name in value and (not field.models or model in field.models)
            ]
            if all(_fits(f.kinds(model), f.enum, value[f.name]) for f in own):
                found[model] = len(own)
        if not found:
            return ordered[0]
        return max(found, key=found.__getitem__) if self._fields.counts_keys else next(iter(found))

    def _rank(self, model: str) -> int:
        """The place of a class in the schema's order; one that has none there comes last."""
        order = self._habits.classes
        return order.index(model) if model in order else len(order)


class SchemaReading(Reading):
    """Follows a framework whose files a schema of pydantic's describes."""

    def reader(self, default: str, value: Callable[[Path], Any]) -> SchemaReader:
        return SchemaReader(self.fields(), default, lambda _section, _entry: None, ReadingHabits())


def _fits(kinds: tuple[str, ...], enum: tuple[Any, ...], value: Any) -> bool:
    """Whether one of the types accepts a value, the keys and values of a mapping included."""
    if not isinstance(value, dict) or any(kind.startswith("model:") for kind in kinds):
        return accepts(kinds, enum, value)
    return any(
        kind == "any"
        or (
            kind.startswith("dict<")
            and all(
                _fits(split_type(_parts(kind[5:-1])[-1]), enum, item) for item in value.values()
            )
        )
        for kind in kinds
    )


def _exact(kinds: tuple[str, ...], enum: tuple[Any, ...], value: Any) -> Any:
    """The value when one of the types is its own, MISSING otherwise."""
    name = type(value).__name__
    if name in kinds or "any" in kinds:
        return value
    choice = any(kind == "literal" or kind.startswith("enum:") for kind in kinds)
    if choice and any(type(one) is type(value) and one == value for one in enum):
        return value
    return MISSING


def shown(value: Any) -> str:
    """A value in a reason."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _parts(inner: str) -> list[str]:
    """`str,list<int>` -> ["str", "list<int>"]."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(inner):
        depth += (char == "<") - (char == ">")
        if char == "," and depth == 0:
            parts.append(inner[start:index])
            start = index + 1
    return [*parts, inner[start:]]
