"""Choices that releases before 0.18 take from transformers: the names of optimizers and schedulers.

``transformers_names.json`` holds them as the classes `OptimizerNames` and `SchedulerType` of
transformers state them, one entry a series (patch releases never changed them).
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.specifiers import SpecifierSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_NAMES = Path(__file__).with_name("transformers_names.json")
_PREFIX = "ext:transformers"
#: In `transformers.training_args.OptimizerNames.ADAMW_HF.value`: the class and its member.
_MEMBER = re.compile(r"\b(?:OptimizerNames|SchedulerType)\.[A-Z][A-Z0-9_]*")


def resolve(
    type_: str, enum: list[Any], transformers: str, used: frozenset[str] = frozenset()
) -> tuple[str, list[Any]]:
    """A key's type and choices with what the required transformers defines put in.

    Where the requirement leaves a choice of series, the names of all are taken that fit and that
    the release can be imported with.

    Args:
        used: members that the release takes from the classes when it is imported (`members_used`).
    """
    parts = type_.split("|")
    values = list(enum)
    for index, part in enumerate(parts):
        name = part.rpartition(".")[2]
        members = _members(name, transformers, used) if part.startswith(_PREFIX) else []
        if members:
            parts[index] = f"enum:{name}"
            values += [value for value in members if value not in values]
    text = "|".join(sorted(set(parts), key=lambda part: (part == "null", part)))
    return text, sorted(values, key=lambda value: (str(type(value)), str(value)))


def members_used(defaults: Iterable[Any]) -> frozenset[str]:
    """The members of transformers' classes among computed defaults: `OptimizerNames.ADAMW_HF`."""
    places = [
        place
        for default in defaults
        if isinstance(default, dict)
        for place in default.get("computed_from", ())
    ]
    found = (_MEMBER.search(place) for place in places)
    return frozenset(match.group() for match in found if match)


@lru_cache(maxsize=64)
def _members(name: str, transformers: str, used: frozenset[str]) -> list[str]:
    wanted = SpecifierSet(transformers)
    exact = {clause.version for clause in wanted if clause.operator == "=="}
    found: list[str] = []
    for series, classes in _names().items():
        there = {f"{one}.{value.upper()}" for one, values in classes.items() for value in values}
        if not exact and not used <= there:
            continue
        if exact:
            fits = any(version.startswith(series + ".") for version in exact)
        else:
            # the last patch release that there can be
            fits = bool(transformers) and f"{series}.999" in wanted
        if fits:
            found += [value for value in classes.get(name, ()) if value not in found]
    return found


@lru_cache(maxsize=1)
def _names() -> Mapping[str, Mapping[str, list[str]]]:
    names: Mapping[str, Mapping[str, list[str]]] = json.loads(_NAMES.read_text(encoding="utf-8"))
    return names
