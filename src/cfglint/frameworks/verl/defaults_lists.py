"""Composes the YAML files of a project as Hydra 1.3 does: the `defaults:` of each, and then its own keys.

What is not understood is an error, never a guess: a config whose parents are unknown may have any key.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import Record
from cfglint.base.type_names import Any, Final

_SELF, _GLOBAL = "_self_", "_global_"
_CHOICE = lazy_pattern(r"\$\{([\w@./-]+)\}")
_HEADER = lazy_pattern(r"(?m)^#\s*@package\s+(\S+)\s*$")
#: A value that has to be given; it takes the place of no other one.
_MANDATORY: Final = "???"
_OVERRIDE, _OPTIONAL = "override ", "optional "
_MAX_CONFIGS: Final = 200
_MAX_KEYS: Final = 20_000
_MAX_DEPTH: Final = 20


class NotComposed(Exception):
    """A config cannot be followed: a parent is missing, or something is not supported."""


class ParentMissing(NotComposed):
    """A parent is not there.

    Attributes:
        name: the parent, with its group.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is missing")
        self.name = name


class ConfigFile(Record):
    """One file: its data, and its text, whose comments may name a package."""

    data: Any
    text: str = ""


#: Name with its group (`actor/dp_actor`) -> the file; None without one.
Load = Callable[[str], ConfigFile | None]


class Composition:
    """One config with all its parents.

    Args:
        load: reads a config.
        chosen: group, with its package where that is needed -> the choice that a command makes.
    """

    def __init__(self, load: Load, chosen: Mapping[str, Any]) -> None:
        self._load = load
        self._chosen = dict(chosen)
        #: Group -> the choice, of all that the configs name.
        self.choices: dict[str, Any] = {}
        #: Choices of the command that no config asks for.
        self.unused = set(chosen)
        self._count = self._keys = 0

    def composed(self, name: str) -> dict[str, Any]:
        """The tree of a config.

        Raises:
            NotComposed: it cannot be followed.
        """
        tree: dict[str, Any] = {}
        self._lay(tree, name, "", self._loaded(name), 0)
        return tree

    def _lay(
        self, tree: dict[str, Any], name: str, package: str, loaded: ConfigFile, depth: int
    ) -> None:
        """Lay a config and its parents over a tree, in the order of its `defaults`."""
        self._count += 1
        if depth > _MAX_DEPTH or self._count > _MAX_CONFIGS:
            raise NotComposed("too many configs")
        header = _HEADER.search(loaded.text)
        if header is not None and depth:
            if header[1] != _GLOBAL:
                raise NotComposed(f"the package {header[1]}")
            package = ""
        items = _defaults(loaded)
        self._note_overrides(items, name, package)
        own = {k: v for k, v in loaded.data.items() if k != "defaults"}
        if _SELF not in items:
            items = [*items, _SELF]
        for item in items:
            if item == _SELF:
                self._merge(_section(tree, package), own, 0)
            elif isinstance(item, str):
                parent, at, place = item.partition("@")
                full = ".".join(filter(None, (package, place))) if at else package
                self._parent(tree, _joined(posixpath.dirname(name), parent), full, depth)
            elif isinstance(item, dict) and len(item) == 1:
                ((key, value),) = item.items()
                self._group(tree, name, package, str(key), value, depth)
            else:
                raise NotComposed("an item of `defaults`")

    def _note_overrides(self, items: Sequence[Any], name: str, package: str) -> None:
        """Keep the choices that a config makes for groups of its parents; an outer one comes first."""
        for item in items:
            for key, value in item.items() if isinstance(item, dict) else ():
                if str(key).startswith(_OVERRIDE):
                    known = _place(str(key).removeprefix(_OVERRIDE), name, package)[2]
                    self._chosen.setdefault(known, value)

    def _group(
        self, tree: dict[str, Any], name: str, package: str, key: str, value: Any, depth: int
    ) -> None:
        """Lay the chosen configs of a group over a tree."""
        if key.startswith(_OVERRIDE):
            return
        is_optional = key.startswith(_OPTIONAL)
        group, full, known = _place(key.removeprefix(_OPTIONAL), name, package)
        if known in self._chosen:
            self.unused.discard(known)
            value = self._chosen[known]
        self.choices[known] = value
        for one in value if isinstance(value, list) else [value]:
            if one is None:
                continue
            if not isinstance(one, str):
                raise NotComposed(f"the choice of {group}")
            option = _CHOICE.sub(self._choice, one)
            found = f"{group}/{option}".removesuffix(".yaml")
            if is_optional and self._load(found) is None:
                continue
            self._parent(tree, found, full, depth)

    def _choice(self, match: Any) -> str:
        value = self.choices.get(match[1], self._chosen.get(match[1]))
        if not isinstance(value, str):
            raise NotComposed(f"the choice of {match[1]}")
        return value

    def _parent(self, tree: dict[str, Any], name: str, package: str, depth: int) -> None:
        self._lay(tree, name, package, self._loaded(name), depth + 1)

    def _merge(self, into: dict[str, Any], data: Mapping[Any, Any], depth: int) -> None:
        """Lay a mapping over another; lists and plain values take the place of what was there."""
        for key, value in data.items():
            # Anchors can make a short file endless.
            self._keys += 1
            if depth > _MAX_DEPTH or self._keys > _MAX_KEYS:
                raise NotComposed("too many keys")
            name = str(key)
            if not isinstance(value, dict):
                if value != _MANDATORY or name not in into:
                    into[name] = value
                continue
            if not isinstance(into.get(name), dict):
                into[name] = {}
            self._merge(into[name], value, depth + 1)

    def _loaded(self, name: str) -> ConfigFile:
        loaded = self._load(name)
        if loaded is None:
            raise ParentMissing(name)
        data = {} if loaded.data is None else loaded.data
        if not isinstance(data, dict):
            raise NotComposed(f"{name} is not a mapping")
        return loaded.replaced(data=data)


def _defaults(loaded: ConfigFile) -> Sequence[Any]:
    found = loaded.data.get("defaults", [])
    if not isinstance(found, list):
        raise NotComposed("`defaults` is not a list")
    return found


def _place(key: str, name: str, package: str) -> tuple[str, str, str]:
    """The group of an item, the package that it fills, and the key by which a command chooses.

    Args:
        key: `group@place`, relative to the config.
        name: that of the config, with its group.
        package: the package of the config.
    """
    group, at, place = key.strip().partition("@")
    if place.startswith("_"):
        raise NotComposed(f"the package {place}")
    group = _joined(posixpath.dirname(name), group)
    usual = group.replace("/", ".")
    full = ".".join(filter(None, (package, place if at else usual)))
    return group, full, group if full == usual else f"{group}@{full}"


def _joined(folder: str, name: str) -> str:
    """A name below the folder of the config that names it; one that begins with `/` is below the root."""
    found = posixpath.normpath(posixpath.join("/", folder, name)).lstrip("/")
    return found.removesuffix(".yaml")


def _section(tree: dict[str, Any], package: str) -> dict[str, Any]:
    here = tree
    for part in filter(None, package.split(".")):
        inner = here.get(part)
        if not isinstance(inner, dict):
            inner = here[part] = {}
        here = inner
    return here
