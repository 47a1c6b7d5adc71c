"""The tables of TRL's keys: one a command, one of what holds whatever the command is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.python_sources.facts import KeyFacts, ReleaseKeys

if TYPE_CHECKING:
    from collections.abc import Mapping


def of_any(commands: Mapping[str, ReleaseKeys]) -> ReleaseKeys:
    """The keys of a release that at least one command takes; what they differ in is left open."""
    version = next(iter(commands.values())).version
    keys: dict[str, KeyFacts] = {}
    for one in commands.values():
        for name, facts in one.keys.items():
            known = keys.get(name)
            keys[name] = facts if known is None else _either(known, facts)
    return ReleaseKeys(version, keys, {"": True})


def _either(one: KeyFacts, other: KeyFacts) -> KeyFacts:
    """What two commands say of a key, as one."""
    types = {*one.type.split("|"), *other.type.split("|")}
    if "str" in types:
        types.discard("literal")  # the words are the affair of each command
    together = "any" if "any" in types else "|".join(sorted(types, key=_null_last))
    choices = one.enum if not other.enum else other.enum if not one.enum else _all(one, other)
    return KeyFacts(
        type=together,
        default=one.default if one.default == other.default else None,
        enum=choices if "literal" in types else [],
    )


def _all(one: KeyFacts, other: KeyFacts) -> list[object]:
    return [*one.enum, *(choice for choice in other.enum if choice not in one.enum)]


def _null_last(kind: str) -> tuple[bool, str]:
    return (kind == "null", kind)
