"""What a rewrite in `derivations.yaml` may say."""

from __future__ import annotations

from typing import Any, Literal, Union

from pydantic import Field, field_validator, model_validator

from cfglint.knowledge.compiling.model import KeyPath, Model, SpecifierText
from cfglint.knowledge.rules.conditions import parse_condition

ConversionName = Literal[
    "float",
    "lower",
    "names",
    "list",
    "words",
    "numbers",
    "item",
    "single",
    "int",
    "json",
    "section",
]


class DerivationModel(Model):
    """A rewrite that the framework makes by itself.

    Its parts are done in this order: renames, prefixes, values, conversions, deletions. A value
    is taken literally, except for `{key: path}`, `{fact: name}`, `{compute: "(a * b)"}` and
    `{test: condition}`.
    """

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    applies: dict[str, SpecifierText] = Field(default_factory=dict)
    stage: Literal["before", "after"] = Field(
        "before", description="Before the framework reads the fields with their types, or after."
    )
    view: Literal["both", "late", "effective"] = Field(
        "both", description="For the view of rules, for `cfglint effective`, or for both."
    )
    each: list[KeyPath] = Field(
        default_factory=list, description="Lists; the rewrite is made for each `item` of them."
    )
    when: Union[dict[str, Any], None] = None
    rename: dict[KeyPath, KeyPath] = Field(
        default_factory=dict, description="Old key -> new key, which keeps a value of its own."
    )
    strip_prefix: dict[KeyPath, str] = Field(default_factory=dict)
    strip_except: list[str] = Field(default_factory=list, description="Keys that keep the prefix.")
    set: dict[KeyPath, Any] = Field(default_factory=dict)
    convert: dict[KeyPath, ConversionName] = Field(default_factory=dict)
    delete: list[KeyPath] = Field(default_factory=list)
    reason: str

    @field_validator("when")
    @classmethod
    def _when(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        if value is not None:
            parse_condition(value)
        return value

    @model_validator(mode="after")
    def _some(self) -> DerivationModel:
        if not (self.set or self.rename or self.strip_prefix or self.convert or self.delete):
            raise ValueError("a derivation is at least one of rename, strip_prefix, set and delete")
        return self
