"""Concepts: ideas that several frameworks have under names of their own.

`rules/concepts.yaml` is the vocabulary, `concepts.yaml` of a framework says what each is there. A
*value* is read from a key (`micro_batch_size`, `train_micro_batch_size_per_gpu`); a *state* holds
or does not, whatever key says so (`bf16: true`, `mixed_precision: bf16`).
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Union

from pydantic import BeforeValidator, Field, field_validator

from cfglint.knowledge.compiling.files import RuleFileError, read_yaml, validate
from cfglint.knowledge.compiling.model import KeyPath, Model
from cfglint.knowledge.rules.conditions import parse_condition, parse_subject

FILE = "concepts.yaml"


class ConceptModel(Model):
    """An idea, as every framework means it."""

    kind: Literal["value", "state"]
    meaning: str = Field(description="What it is, so that two frameworks cannot mean two things.")
    unit: Union[str, None] = Field(None, description="What a number counts.")
    names: dict[str, list[str]] = Field(
        default_factory=dict,
        description="What libraries call a value (`other` for names that many programs use).",
    )


def _check_subject(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a key path; quote it")
    if parse_subject(value)[0] not in ("key", "derived"):
        raise ValueError(f"{value!r}: a concept is a key or `derived …`")
    return value


class ValueModel(Model):
    """A concept that a framework reads from one key, or derives from several."""

    value: Annotated[str, BeforeValidator(_check_subject)]
    at: list[KeyPath] = Field(
        default_factory=list,
        description="The keys that carry a finding, the best first; else the key itself.",
    )

    @property
    def places(self) -> list[str]:
        """The keys that carry a finding; none when it is derived and `at` is empty."""
        return self.at or ([] if self.value.startswith("derived ") else [self.value])


class StateModel(Model):
    """A concept that is a test of a framework's keys."""

    holds: dict[str, Any] = Field(description="The condition under which it is certainly true.")
    fails: Union[dict[str, Any], None] = Field(
        None, description="The condition under which it surely does not; else `not` of the other."
    )
    at: list[KeyPath] = Field(min_length=1)
    written: Union[str, None] = Field(None, description="How it is written, for messages.")

    @field_validator("holds", "fails")
    @classmethod
    def _condition(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        if value is not None:
            parse_condition(value)
        return value

    @property
    def places(self) -> list[str]:
        """The keys that carry a finding."""
        return self.at


Meaning = Union[ValueModel, StateModel]


class Concepts(NamedTuple):
    """The vocabulary, and what each framework has of it."""

    vocabulary: Mapping[str, ConceptModel]
    #: Framework -> concept -> what it is there. Every framework of the rules folder is in it.
    frameworks: Mapping[str, Mapping[str, Meaning]]


def load_concepts(folder: Path) -> Concepts:
    """The concepts of a rules folder; none when it has no vocabulary.

    Raises:
        RuleFileError: a file is malformed, or a framework has a concept that is not described.
    """
    vocabulary = {
        name: validate(ConceptModel, data, folder / FILE, name, at=(name,))
        for name, data in _mapping(folder / FILE).items()
    }
    homes = sorted(path.parent for path in folder.glob("*/framework.yaml"))
    return Concepts(vocabulary, {home.name: _of_framework(home, vocabulary) for home in homes})


def unknown_concept(name: str, vocabulary: Mapping[str, ConceptModel]) -> str:
    """What to say of a concept that is not in the vocabulary."""
    close = get_close_matches(name, vocabulary, n=1)
    hint = f"; did you mean `{close[0]}`?" if close else ""
    return f"unknown concept `{name}`; rules/{FILE} does not define it{hint}"


def _of_framework(home: Path, vocabulary: Mapping[str, ConceptModel]) -> dict[str, Meaning]:
    path = home / FILE
    found: dict[str, Meaning] = {}
    for name, data in _mapping(path).items():
        if name not in vocabulary:
            raise RuleFileError(f"{path}: {unknown_concept(name, vocabulary)}")
        if vocabulary[name].kind == "state":
            if not isinstance(data, dict):
                raise RuleFileError(f"{path}: `{name}` is a state; give `holds` and `at`")
            found[name] = validate(StateModel, data, path, name, at=(name,))
        else:
            if isinstance(data, dict) and "holds" in data:
                raise RuleFileError(f"{path}: `{name}` is a value; give the key that has it")
            whole = data if isinstance(data, dict) else {"value": data}
            found[name] = validate(ValueModel, whole, path, name, at=(name,))
    return found


def _mapping(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise RuleFileError(f"{path}: concepts are a mapping of names")
    return data
