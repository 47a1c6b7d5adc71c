"""Adds what people found out about keys that a release looks up by hand.

``reviewed.json`` holds, by key path: ``type`` (where the default tells too little), ``enum``,
``constraints``, ``required``, ``checked`` (whether the release refuses other values), ``open`` (the
section takes any key), and ``added`` for keys that are read elsewhere than in the configuration
class.  ``from`` holds facts that only later releases have, by release.  ``models`` holds the same for fields of models whose validators take more or less than the
type says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from packaging.version import Version

from tools.python_sources.facts import KeyFacts, ReleaseKeys

if TYPE_CHECKING:
    from collections.abc import Mapping


def complete(found: ReleaseKeys, reviewed: Mapping[str, Any]) -> ReleaseKeys:
    """The release's keys with the reviewed facts; a key that a model describes stays as it is."""
    for path, stated in reviewed.get("hand", {}).items():
        facts = _at(stated, found.version)
        parent = path.rpartition(".")[0]
        if found.readers.get(parent) != "hand" and not (facts.get("added") and parent):
            continue
        if path not in found.keys:
            if not facts.get("added") or parent not in {*found.readers, *found.keys}:
                continue
            found.keys[path] = KeyFacts("any", coerced=True)
            if parent not in found.readers:
                found.readers[parent], found.forbidding[parent] = "hand", False
        _apply(found.keys[path], facts)
    for path, stated in reviewed.get("models", {}).items():
        facts = _at(stated, found.version)
        reader = found.readers.get(path, found.readers.get(path.rpartition(".")[0], "hand"))
        if path in found.keys and reader.startswith("pydantic"):
            _apply(found.keys[path], facts)
    return found


def _at(facts: Mapping[str, Any], version: str) -> dict[str, Any]:
    """The facts as a release has them."""
    now = {name: value for name, value in facts.items() if name != "from"}
    for since, later in facts.get("from", {}).items():
        if Version(version) >= Version(since):
            now.update(later)
    return now


def _apply(key: KeyFacts, facts: Mapping[str, Any]) -> None:
    if facts.get("open"):
        key.type = "dict<str,any>"
    key.type = facts.get("type", key.type)
    key.required = facts.get("required", key.required)
    key.enum = list(facts.get("enum", key.enum))
    key.constraints = dict(facts.get("constraints", key.constraints))
    if "default" in facts:
        key.default = facts["default"]
    if "checked" in facts:
        key.coerced = not facts["checked"]
