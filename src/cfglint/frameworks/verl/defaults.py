"""What the config of a release has for a key before a command changes it."""

from __future__ import annotations

from functools import lru_cache

from cfglint.base.logic import MISSING
from cfglint.base.type_names import Any
from cfglint.knowledge import compiled
from cfglint.knowledge.keys.places import full_key
from cfglint.knowledge.keys.release_keys import ReleaseKeys
from cfglint.roles.framework import Framework


def default_of(framework: Framework, keys: ReleaseKeys, dotted: str) -> Any:
    """The default of a key in a release: `MISSING` without the key, a mapping for a section.

    An interpolation is its text.
    """
    section, _, name = dotted.rpartition(".")
    row = framework.file_kind.fields.get(section, {}).get(name)
    info = framework.keys.info(section, name)
    if row is None or info is None or not keys.released(info.since):
        return MISSING
    if info.removed is not None and keys.released(info.removed):
        return MISSING
    if framework.keys.is_absent(section, name, keys.release_of("")):
        return MISSING
    return keys.default_of(row)


# A script is checked against several releases at most, where its own is not stated.
@lru_cache(maxsize=32)
def config_of_release(framework: Framework, keys: ReleaseKeys) -> dict[str, Any]:
    """The whole config of a release; it must not be changed."""
    tree: dict[str, Any] = {}
    for section in sorted(framework.file_kind.fields):
        for name in framework.file_kind.fields[section]:
            dotted = full_key(section, name)
            value = default_of(framework, keys, dotted)
            if value is not MISSING:
                here = tree
                for part in filter(None, section.split(".")):
                    here = here.setdefault(part, {})
                here.setdefault(name, {} if value == {} else value)
    return tree


def choices_of(config: str, keys: ReleaseKeys) -> tuple[dict[str, str], dict[str, list[str]]]:
    """What a release chooses from groups for a config, and the options of each folder of configs."""
    rows = compiled.load("verl_data").CHOICES.get(config, {})
    found = next((row for release, row in reversed(rows.items()) if keys.released(release)), None)
    return (found["chosen"], found["options"]) if found is not None else ({}, {})
