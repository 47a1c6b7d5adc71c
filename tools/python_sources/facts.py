"""What a reader of releases finds, in the shape that the key history is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass
class KeyFacts:
    """What one release says about one key path; the attribute names are those of the table."""

    type: str
    required: bool = False
    default: Any = None
    enum: list[Any] = field(default_factory=list)
    constraints: dict[str, Any] = field(default_factory=dict)
    alias: list[str] = field(default_factory=list)
    plugin: str | None = None
    models: list[str] = field(default_factory=list)
    """In a list or value that may be one of several models: those that have this key."""
    model_types: dict[str, str] = field(default_factory=dict)
    """The type in each of these models, where it is not the same in all."""
    coerced: bool = False
    """More may be accepted than type and enum say: a validator looks first, or nobody does."""
    deprecated: bool = False
    new_param: str | None = None
    """The key of the same section that takes over the value of a deprecated one."""
    auto: bool = False
    """The text `auto` is taken for no value at all before the type is examined."""
    mentions: list[str] = field(default_factory=list)
    """Other keys that the deprecation names: candidates for a rename, for a person to review."""


class PluginFacts(Protocol):
    """What the history keeps of a plugin."""

    @property
    def also(self) -> list[str]:
        """Other paths under which it can be listed."""

    @property
    def builtin(self) -> bool:
        """Whether its keys are known without listing it."""


@dataclass
class ReleaseKeys:
    """All keys, sections and plugins of one release."""

    version: str
    keys: dict[str, KeyFacts]
    forbidding: dict[str, bool]
    """Section path -> whether an unknown key inside it is an error."""
    plugins: Mapping[str, PluginFacts] = field(default_factory=dict)
    readers: dict[str, str] = field(default_factory=dict)
    """Section path -> what reads its values, where sections differ: `hand`, `pydantic-1`, …"""
