"""Reads dataclasses as transformers' argument parser sees them: fields, types, choices, defaults."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tools.python_sources.annotations import TypeFacts, simple
from tools.python_sources.facts import KeyFacts
from tools.python_sources.models import FieldFacts, ModelReader
from tools.python_sources.values import NotConstantError, dotted_name

if TYPE_CHECKING:
    from tools.python_sources.modules import ClassRef

#: Mappings that transformers annotated as texts at first, and took as they are all the same.
_MAPPINGS = frozenset({"deepspeed", "fsdp_config", "gradient_checkpointing_kwargs"})
#: What a list of alternatives says too little about: lists in older releases, a switch in newer ones.
_OPEN = frozenset({"fsdp", "parallelism_config", "trackio_static_space_id"})
#: Kinds of values that the parser tells apart; the rest is anybody's.
_TOLD = frozenset({"bool", "float", "int", "literal", "str"})


class DataclassReader(ModelReader):
    """Builds the facts of dataclasses whose fields are declared by `field(…)`."""

    def arguments(self, ref: ClassRef) -> dict[str, KeyFacts]:
        """The arguments that the parser makes of a class, inherited ones included."""
        return {
            name: _facts(one)
            for name, one in self.read(ref).fields.items()
            if one.limits.get("init", True)
        }

    def _own_fields(self, ref: ClassRef) -> dict[str, FieldFacts]:
        """The annotated names alone: what is merely assigned is not a field of a dataclass."""
        body = [one for one in ref.node.body if not isinstance(one, ast.Assign)]
        node = ast.ClassDef(ref.node.name, ref.node.bases, [], body, [])
        return super()._own_fields(replace(ref, node=node))

    def _field(self, name: str, statement: ast.AnnAssign, ref: ClassRef) -> FieldFacts:
        facts = self.annotations.read(statement.annotation, ref.module, ref.node)
        one = FieldFacts(name, facts, required=True)
        value = statement.value
        if value is None:
            return one
        if not isinstance(value, ast.Call) or dotted_name(value.func) not in (
            "field",
            "dataclasses.field",
        ):
            one.required, one.default = False, self._default(value, ref)
            return one
        for keyword in value.keywords:
            if keyword.arg == "default":
                one.required, one.default = False, self._default(keyword.value, ref)
            elif keyword.arg == "default_factory":
                one.required, one.default = False, self._made(keyword.value, ref)
            elif keyword.arg == "init":
                one.limits["init"] = not _is_false(keyword.value)
            elif keyword.arg == "metadata" and isinstance(keyword.value, ast.Dict):
                self._metadata(keyword.value, one, ref)
        return one

    def _metadata(self, metadata: ast.Dict, one: FieldFacts, ref: ClassRef) -> None:
        for key, value in zip(metadata.keys, metadata.values, strict=True):
            if not isinstance(key, ast.Constant) or key.value != "choices":
                continue
            try:
                choices = self.values.evaluate(value, ref.module, ref.node)
            except NotConstantError:
                continue
            parts = frozenset(one.type.parts - {"str"}) | {"literal"}
            one.type = replace(one.type, parts=parts, enum=tuple(choices))


def _facts(one: FieldFacts) -> KeyFacts:
    default: Any = one.default
    if one.name in _MAPPINGS:
        one.type = replace(one.type, parts=one.type.parts | {"dict<any,any>"})
    elif one.name in _OPEN:
        one.type = simple("any")
    if isinstance(default, dict) and "computed_from" in default:
        default = None
    return KeyFacts(
        type=_kinds(one.type), required=one.required, default=default, enum=list(one.type.enum)
    )


def _kinds(facts: TypeFacts) -> str:
    """The type in the words of the judge: `float|null`, `dict<any,any>|str|null`, `list<str>`."""
    parts = set()
    for part in facts.parts:
        if part.startswith("enum:"):
            parts.add("literal")
        elif part.startswith(("model:", "ext:", "tuple<")):
            parts.add("any")
        elif part.startswith("dict<"):
            parts.add("dict<any,any>")
        elif part.startswith("list<"):
            inner = part[len("list<") : -1]
            parts.add(part if inner in _TOLD else "list<any>")
        else:
            parts.add(part)
    if facts.enum and "literal" in parts:
        parts.discard("str")  # `SchedulerType | str`: the text has to be one of its names
    if "any" in parts:
        return "any"
    return "|".join(sorted(parts, key=lambda part: (part == "null", part)))


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False
