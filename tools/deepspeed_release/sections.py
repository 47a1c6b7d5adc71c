"""What the reader of settings keeps track of: sections, constants, objects, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.python_sources.modules import ClassRef

#: A key that only a running program knows: every key of the mapping.
ANY_KEY = "*"


@dataclass(frozen=True)
class Section:
    """A mapping of the settings, by its path; "" is the whole file."""

    path: str
    #: Made of some keys of the section: `{key: settings.get(key, {}) for key in (…)}`.
    picked: bool = False

    def below(self, key: str) -> Section:
        """The value of one of its keys."""
        return Section(f"{self.path}.{key}" if self.path else key)


@dataclass(frozen=True)
class Constant:
    """A value that the source states."""

    value: Any


@dataclass
class Instance:
    """An object of one of the release's classes, with the sections that it keeps."""

    ref: ClassRef
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Several:
    """What a function with several answers may return, or an expression of several names."""

    parts: tuple[Any, ...]


@dataclass
class Read:
    """One key that is looked up, with the defaults that the places of reading give."""

    defaults: list[Any] = field(default_factory=list)
    #: Somewhere it is taken without a default: `settings[KEY]`.
    indexed: bool = False


@dataclass
class Found:
    """Everything that reading the settings came across."""

    keys: dict[str, Read] = field(default_factory=dict)
    #: Section -> the models that are made of it (`Model(**section)`).
    models: dict[str, list[ClassRef]] = field(default_factory=dict)
    #: Models that are made of some keys of a section.
    picked: dict[str, list[ClassRef]] = field(default_factory=dict)
    #: Sections whose keys are all taken, whatever they are called: they are copied or looped over.
    open: set[str] = field(default_factory=set)
    #: Key -> the values that an assertion admits.
    choices: dict[str, list[Any]] = field(default_factory=dict)


def matters(value: Any) -> bool:
    return isinstance(value, (Section, Instance, Several))


def sections_in(values: Iterable[Any]) -> Iterable[str]:
    """What tells one call of a function from another one with other arguments."""
    for value in values:
        if isinstance(value, (Section, Constant, Several)):
            yield repr(value)


def sections_of(value: Any) -> list[Section]:
    if isinstance(value, Section):
        return [value]
    if isinstance(value, Several):
        return [section for part in value.parts for section in sections_of(part)]
    return []


def join(values: list[Any]) -> Any:
    """One value for what may be any of several."""
    parts: list[Any] = []
    for value in values:
        for part in value.parts if isinstance(value, Several) else (value,):
            if matters(part) and part not in parts:
                parts.append(part)
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else Several(tuple(parts))
