"""Compiles the key history of a package: what a check of keys needs, and what `effective` does."""

from __future__ import annotations

import json
from typing import Any

from cfglint.base.packing import pack
from cfglint.knowledge.keys.places import full_key

_SCHEMA_PARTS = (
    "types",
    "enum",
    "enums",
    "constraints",
    "constraints_history",
    "coerced",
    "coerced_history",
    "models",
    "models_history",
    "model_types",
    "model_types_history",
    "auto",
    "auto_history",
)
#: The parts of an entry that are a history: pairs of a release, and what applies from then on.
_HISTORIES = frozenset(
    {
        "types",
        "defaults",
        "enums",
        "constraints_history",
        "coerced_history",
        "models_history",
        "model_types_history",
        "required_history",
        "alias_history",
    }
)
_READ_PARTS = ("read_since", "when", "when_history", "when_not", "when_not_history")
_FIELD_PARTS = (
    *("since", "removed", "absent", "alias", "alias_history", "alias_of", "alias_since"),
    *("type", "types", "default", "defaults", "enum", "enums"),
    *("plugin", "plugin_history", "models", "models_history"),
    *("model_types", "model_types_history"),
)


def fields(
    keys: dict[str, Any], otherwise: dict[str, Any] | None = None
) -> dict[str, dict[str, dict[str, Any]]]:
    """Section -> key -> what the schema of each release says about it.

    Args:
        otherwise: the history of keys that apply in releases in which the first has none of that name.
    """
    sections: dict[str, dict[str, dict[str, Any]]] = {}
    other = otherwise or {}
    for key in {**keys, **other}:
        section, _, name = key.rpartition(".")
        first, *rest = [
            {part: one[key][part] for part in _FIELD_PARTS if part in one[key]}
            for one in (keys, other)
            if key in one
        ]
        sections.setdefault(section, {})[name] = {**first, "below": rest[0]} if rest else first
    return sections


def named_keys(data: dict[str, Any], package: str) -> dict[str, Any]:
    """The keys of a table with the name of their package in front of every release."""
    return {key: named(info, package) for key, info in data["keys"].items()}


def with_below(data: dict[str, Any], below: dict[str, Any], package: str) -> dict[str, Any]:
    """A key history with that of a package below it, whose releases have its name in front.

    What both have is the lower package's, unless that has given it up and the framework has not.
    """
    keys = dict(data["keys"])
    for key, info in below["keys"].items():
        if key not in keys or "removed" in keys[key] or "removed" not in info:
            keys[key] = named(info, package)
    return {**data, "keys": keys}


def named(info: dict[str, Any], package: str) -> dict[str, Any]:
    """A key's entry with the name of its package in front of every release."""
    named = dict(info)
    for part in ("since", "removed"):
        if part in info:
            named[part] = f"{package} {info[part]}"
    for part, value in info.items():
        if part in _HISTORIES:
            named[part] = [[f"{package} {since}", *rest] for since, *rest in value]
    if "absent" in info:
        named["absent"] = [f"{package} {release}" for release in info["absent"]]
    return named


def older_names(data: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """Key path -> since when it is the older name of another key, that key, values, classes.

    Values are None where the value stays; else one that is not among them has no counterpart.
    """
    found = {}
    for key, info in data["keys"].items():
        replaced = info.get("replaced_by", {})
        to = info.get("rename") or replaced.get("to")
        if to is None or "deprecated" not in info:
            continue
        values = replaced.get("values")
        if values is not None:
            values = {json.loads(value): new for value, new in values.items()}
        found[key] = (info["deprecated"], to, values, tuple(info.get("models", ())))
    return found


def key_tables(data: dict[str, Any], reactions: list[dict[str, Any]]) -> dict[str, Any]:
    """The tables of a framework's keys, by name.

    Args:
        data: `keys.json`, read.
        reactions: what releases do about unknown and removed keys, a row for each key.
    """
    plugins = list(data["plugins"])
    return {
        "SECTIONS": _sections(data["keys"], plugins),
        "PLUGINS": tuple(plugins),
        "BUILTIN_PLUGINS": {
            name: info["builtin_since"]
            for name, info in data["plugins"].items()
            if info.get("builtin_since")
        },
        "DEFAULTS": _defaults(data["keys"]),
        "REQUIRED": tuple(
            key
            for key, info in data["keys"].items()
            if info.get("required") and "." not in key and "plugin" not in info
        ),
        "REQUIRED_INSIDE": _required_inside(data["keys"]),
        "SCHEMAS": _schemas(data["keys"]),
        **_of_sections(data["sections"]),
        "ABSENT": {
            key: tuple(info["absent"]) for key, info in data["keys"].items() if "absent" in info
        },
        "READ_WHEN": {
            place: {part: info[part] for part in _READ_PARTS if part in info}
            for place, info in [*data["sections"].items(), *data["keys"].items()]
            if any(part in info for part in _READ_PARTS)
        },
        "REACTIONS": {
            row["key"]: (row["since"], row["reaction"], row["when"]) for row in reactions
        },
    }


def _sections(keys: dict[str, Any], plugins: list[str]) -> dict[str, dict[str, Any]]:
    """Section path -> key -> (since, removed, type, number of its plugin or -1, rename)."""
    sections: dict[str, dict[str, Any]] = {}
    for key, info in keys.items():
        section, _, name = key.rpartition(".")
        plugin = info.get("plugin")
        sections.setdefault(section, {})[name] = (
            info["since"],
            info.get("removed"),
            info["type"],
            plugins.index(plugin) if plugin is not None else -1,
            info.get("rename") or info.get("replaced_by", {}).get("to"),
        )
        for alias in info.get("alias", ()):
            alias_name = alias.rpartition(".")[2]
            since = _alias_since(info, alias)
            sections[section].setdefault(alias_name, (since, *sections[section][name][1:]))
    return sections


def _defaults(keys: dict[str, Any]) -> dict[str, Any]:
    """Key, with its section -> its scalar default, of the keys that every release has."""
    found: dict[str, Any] = {}
    for key, info in keys.items():
        default = info.get("default")
        if "plugin" in info or "removed" in info or "[]" in key or "*" in key:
            continue
        if isinstance(default, (bool, int, float, str)) and default != "<required>":
            found[key] = default
            section, dot, _ = key.rpartition(".")
            # At the top level a rule takes a key that has a default for one that is set.
            aliases = info.get("alias", ()) if dot else ()
            found.update({f"{section}.{name.rpartition('.')[2]}": default for name in aliases})
    return found


def _of_sections(sections: dict[str, Any]) -> dict[str, Any]:
    """The tables of whole sections."""
    return {
        "FORBIDS_UNKNOWN": {
            name: info["forbids_unknown_since"]
            for name, info in sections.items()
            if info.get("forbids_unknown_since")
        },
        "SECTION_SINCE": {name: info["since"] for name, info in sections.items()},
        "SECTION_REMOVED": {
            name: info["removed"] for name, info in sections.items() if info.get("removed")
        },
        "READERS": {
            name: tuple(map(tuple, info["readers"]))
            for name, info in sections.items()
            if info.get("readers")
        },
    }


def _alias_since(info: dict[str, Any], alias: str) -> str:
    """The release from which a key may be written under another name."""
    history = info.get("alias_history", [[info["since"], [alias]]])
    return next(str(since) for since, names in history if alias in names)


def _schemas(keys: dict[str, Any]) -> dict[str, bytes]:
    """What the type alone does not tell about the values of a key, for its other spellings, too."""
    schemas: dict[str, bytes] = {}
    for key, info in keys.items():
        extra = {part: info[part] for part in _SCHEMA_PARTS if part in info}
        if extra:
            schemas[key] = packed = pack(extra)
            section = key.rpartition(".")[0]
            for alias in info.get("alias", ()):
                name = alias.rpartition(".")[2]
                schemas.setdefault(full_key(section, name), packed)
    return schemas


def _required_inside(keys: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Section -> the keys that it must have: below the top level, and those of plugins."""
    sections: dict[str, list[str]] = {}
    for key, info in keys.items():
        if info.get("required") and ("." in key or "plugin" in info):
            section, _, name = key.rpartition(".")
            sections.setdefault(section, []).append(name)
    return {section: tuple(names) for section, names in sections.items()}
