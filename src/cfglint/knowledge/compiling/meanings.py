"""What keys do, in a sentence of our own: `meanings.yaml` of a framework, and of `shared/`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints

from cfglint.knowledge.compiling.files import RuleFileError, read_yaml, validate

FILE = "meanings.yaml"
_SHARED = "shared"
_Sentence = Annotated[
    str, StringConstraints(min_length=10, max_length=200, pattern=r"^[A-Z`].*\.$")
]


class _Meanings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    #: The frameworks whose keys of these names mean this; of the shared file alone.
    frameworks: list[str] = []
    meanings: dict[str, _Sentence]


def meanings(home: Path, tables: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Key -> what it does, for the keys that a framework has and that are described.

    Raises:
        RuleFileError: a file is malformed, or describes a key that no release has.
    """
    keys = {key for table in tables for key in table["keys"]}
    own, shared = _read(home / FILE), _read(home.parent / _SHARED / FILE)
    unknown = sorted(own.meanings.keys() - keys)
    if unknown:
        raise RuleFileError(f"{home / FILE}: no release has the key `{unknown[0]}`")
    general = shared.meanings if home.name in shared.frameworks else {}
    return {key: text for key, text in {**general, **own.meanings}.items() if key in keys}


def _read(path: Path) -> _Meanings:
    if not path.is_file():
        return _Meanings(meanings={})
    found: _Meanings = validate(_Meanings, read_yaml(path), path)
    return found
