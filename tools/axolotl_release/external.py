"""Choices that releases before 0.18 take from transformers: the names of optimizers and schedulers.

``transformers_names.json`` holds them as the classes `OptimizerNames` and `SchedulerType` of
transformers state them, one entry a series (patch releases never changed them).
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.specifiers import SpecifierSet

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAMES = Path(__file__).with_name("transformers_names.json")
_PREFIX = "ext:transformers"


def resolve(type_: str, enum: list[Any], transformers: str) -> tuple[str, list[Any]]:
    """A key's type and choices with what the required transformers defines put in.

    Where the requirement leaves a choice of series, the names of all that fit are taken.
    """
    parts = type_.split("|")
    values = list(enum)
    for index, part in enumerate(parts):
        name = part.rpartition(".")[2]
        members = _members(name, transformers) if part.startswith(_PREFIX) else []
        if members:
            parts[index] = f"enum:{name}"
            values += [value for value in members if value not in values]
    text = "|".join(sorted(set(parts), key=lambda part: (part == "null", part)))
    return text, sorted(values, key=lambda value: (str(type(value)), str(value)))


@lru_cache(maxsize=64)
def _members(name: str, transformers: str) -> list[str]:
    wanted = SpecifierSet(transformers)
    exact = {clause.version for clause in wanted if clause.operator == "=="}
    found: list[str] = []
    for series, classes in _names().items():
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
