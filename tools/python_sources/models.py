"""Reads pydantic models from syntax trees: their fields, inherited ones included."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Any

from tools.python_sources.annotations import Annotations, TypeFacts, simple
from tools.python_sources.modules import ClassRef, Modules
from tools.python_sources.values import (
    NotConstantError,
    Values,
    class_value,
    dotted_name,
    names_used,
)

_MISSING = object()
#: Settings under which a field with an alias can be written by its name, too.
_BY_NAME = ("populate_by_name", "validate_by_name", "allow_population_by_field_name")
_SAYS_DEPRECATED = re.compile(r"deprecat|no longer supported", re.IGNORECASE)


@dataclass
class FieldFacts:
    """One field of a model, as the class that defines it writes it."""

    name: str
    type: TypeFacts
    required: bool
    default: Any = None
    limits: dict[str, Any] = field(default_factory=dict)
    alias: str | None = None
    """The only YAML spelling unless the model also takes field names."""
    also: list[str] = field(default_factory=list)
    """Spellings of an alias list; the field's own name counts only when it is among them."""
    deprecated: str | None = None
    """What the release says about the deprecation; only ever read for names, never stored."""
    new_param: str | None = None
    """The field that takes over the value of this deprecated one, where the declaration names it."""
    deprecated_field: bool = False
    """The field's own declaration says so, as opposed to a validator's message."""
    coerced: bool = False
    """A validator sees the value before its type is checked, so more may be accepted."""


@dataclass
class ModelFacts:
    """One model with the fields that a configuration can set."""

    ref: ClassRef
    fields: dict[str, FieldFacts]
    forbids_unknown: bool
    by_name: bool


class ModelReader:
    """Builds the facts of models; every model is read once."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.values = Values(modules)
        self.annotations = Annotations(modules, self.values)
        self._known: dict[str, ModelFacts] = {}

    def read(self, ref: ClassRef) -> ModelFacts:
        """The model with everything that it inherits."""
        if ref.path not in self._known:
            fields: dict[str, FieldFacts] = {}
            config: dict[str, Any] = {}
            for one in reversed(self.lineage(ref)):
                fields.update(self._own_fields(one))
                config.update(self._own_config(one))
                self._apply_validators(one, fields)
            self._known[ref.path] = ModelFacts(
                ref,
                fields,
                config.get("extra") == "forbid",
                any(config.get(name) for name in _BY_NAME),
            )
        return self._known[ref.path]

    def lineage(self, ref: ClassRef) -> list[ClassRef]:
        """The classes of the release in Python's method resolution order, ``ref`` first."""
        bases = self._bases(ref)
        return [ref, *_merge([*(self.lineage(base) for base in bases), bases])]

    def _bases(self, ref: ClassRef) -> list[ClassRef]:
        found = (self.modules.find(ref.module, dotted_name(base) or "") for base in ref.node.bases)
        return [one for one in found if isinstance(one, ClassRef) and one.path != ref.path]

    def _own_fields(self, ref: ClassRef) -> dict[str, FieldFacts]:
        fields: dict[str, FieldFacts] = {}
        for statement in ref.node.body:
            if isinstance(statement, ast.Assign):
                fields.update(_without_annotation(statement))
            if not isinstance(statement, ast.AnnAssign):
                continue
            if not isinstance(statement.target, ast.Name):
                continue
            name = statement.target.id
            if name.startswith("_") or name == "model_config":
                continue
            if "ClassVar" in ast.unparse(statement.annotation).partition("[")[0]:
                continue
            fields[name] = self._field(name, statement, ref)
        return fields

    def _field(self, name: str, statement: ast.AnnAssign, ref: ClassRef) -> FieldFacts:
        facts = self.annotations.read(statement.annotation, ref.module, ref.node)
        one = FieldFacts(name, facts, required=True, limits=dict(facts.limits))
        default: Any = _MISSING
        for call in facts.field_calls:
            default = self._field_call(call, one, ref, default)
        value = statement.value
        if isinstance(value, ast.Call) and (dotted_name(value.func) or "").endswith("Field"):
            default = self._field_call(value, one, ref, default)
        elif value is not None:
            default = self._default(value, ref)
        one.required = default is _MISSING
        one.default = None if default is _MISSING else default
        return one

    def _field_call(self, call: ast.Call, one: FieldFacts, ref: ClassRef, default: Any) -> Any:
        one.limits.update(self.annotations.limits_of(call, ref.module, ref.node))
        if call.args and not _is_ellipsis(call.args[0]):
            default = self._default(call.args[0], ref)
        for keyword in call.keywords:
            if keyword.arg == "default" and not _is_ellipsis(keyword.value):
                default = self._default(keyword.value, ref)
            elif keyword.arg == "default_factory":
                default = self._made(keyword.value, ref)
            elif keyword.arg in {"alias", "validation_alias"}:
                self._aliases(keyword.value, one, ref)
            else:
                self._extra(keyword.arg or "", keyword.value, one)
        return default

    def _extra(self, name: str, value: ast.expr, one: FieldFacts) -> None:
        """What a declaration says beside type and default, also inside `json_schema_extra`."""
        if name == "json_schema_extra" and isinstance(value, ast.Dict):
            for key, item in zip(value.keys, value.values, strict=True):
                if isinstance(key, ast.Constant):
                    self._extra(str(key.value), item, one)
        elif name == "deprecated" and not _is_false(value):
            one.deprecated = " ".join(_strings(value)) or "deprecated"
            one.deprecated_field = True
        elif name == "new_param" and isinstance(value, ast.Constant):
            one.new_param = str(value.value)

    def _aliases(self, value: ast.expr, one: FieldFacts, ref: ClassRef) -> None:
        if isinstance(value, ast.Call):
            one.also = _strings(value)
            return
        try:
            one.alias = str(self.values.evaluate(value, ref.module, ref.node))
        except NotConstantError:
            one.alias = None

    def _default(self, value: ast.expr, ref: ClassRef) -> Any:
        try:
            return self.values.evaluate(value, ref.module, ref.node)
        except NotConstantError:
            if isinstance(value, ast.Call) and self._makes_model(value.func, ref):
                return {}
            return {"computed_from": names_used(value, self.modules, ref.module)}

    def _made(self, factory: ast.expr, ref: ClassRef) -> Any:
        """A factory's product; a section made from nothing but defaults counts as empty."""
        if isinstance(factory, ast.Lambda):
            return self._default(factory.body, ref)
        if isinstance(factory, ast.Name) and factory.id in {"list", "dict", "set"}:
            return {} if factory.id == "dict" else []
        if self._makes_model(factory, ref):
            return {}
        return {"computed_from": names_used(factory, self.modules, ref.module)}

    def _makes_model(self, node: ast.expr, ref: ClassRef) -> bool:
        found = self.modules.find(ref.module, dotted_name(node) or "")
        return isinstance(found, ClassRef) and not self.values.is_scalar(found)

    def _own_config(self, ref: ClassRef) -> dict[str, Any]:
        """The settings in ``model_config`` or in an inner class ``Config``."""
        config: dict[str, Any] = {}
        value = class_value(ref.node, "model_config")
        if isinstance(value, ast.Call):
            for keyword in value.keywords:
                self._set(config, keyword.arg or "", keyword.value, ref)
        elif isinstance(value, ast.Dict):
            for key, item in zip(value.keys, value.values, strict=True):
                if isinstance(key, ast.Constant):
                    self._set(config, str(key.value), item, ref)
        for inner in ref.node.body:
            if isinstance(inner, ast.ClassDef) and inner.name == "Config":
                for name in ("extra", "populate_by_name", "allow_population_by_field_name"):
                    setting = class_value(inner, name)
                    if setting is not None:
                        self._set(config, name, setting, ref)
        return config

    def _set(self, config: dict[str, Any], name: str, value: ast.expr, ref: ClassRef) -> None:
        try:
            config[name] = self.values.evaluate(value, ref.module, ref.node)
        except NotConstantError:
            config[name] = (dotted_name(value) or "").rpartition(".")[2]

    def _apply_validators(self, ref: ClassRef, fields: dict[str, FieldFacts]) -> None:
        """Note which fields a field validator rewrites first, or refers to as deprecated."""
        for statement in ref.node.body:
            if not isinstance(statement, ast.FunctionDef):
                continue
            for decorator in statement.decorator_list:
                if not isinstance(decorator, ast.Call):
                    continue
                kind = (dotted_name(decorator.func) or "").rpartition(".")[2]
                if kind not in ("field_validator", "validator"):
                    continue
                names = [text for argument in decorator.args for text in _strings(argument)]
                early = any(
                    (keyword.arg == "mode" and _strings(keyword.value) in (["before"], ["wrap"]))
                    or (keyword.arg == "pre" and not _is_false(keyword.value))
                    for keyword in decorator.keywords
                )
                said = _deprecation_in(statement)
                for name in names:
                    if name in fields:
                        fields[name].coerced = fields[name].coerced or early
                        fields[name].deprecated = fields[name].deprecated or said


def _without_annotation(statement: ast.Assign) -> dict[str, FieldFacts]:
    """Pydantic 1 takes the type of a field from its default, when nothing else tells it."""
    target, value = statement.targets[0], statement.value
    if not (isinstance(target, ast.Name) and isinstance(value, ast.Constant)):
        return {}
    kind = type(value.value).__name__
    if target.id.startswith("_") or kind not in ("bool", "int", "float", "str"):
        return {}
    return {target.id: FieldFacts(target.id, simple(kind), required=False, default=value.value)}


def _merge(lists: list[list[ClassRef]]) -> list[ClassRef]:
    """C3 linearisation of already linear parents (by class path)."""
    merged: list[ClassRef] = []
    pending = [list(one) for one in lists if one]
    while pending:
        for one in pending:
            head = one[0]
            if not any(head.path in [c.path for c in other[1:]] for other in pending):
                break
        else:
            head = pending[0][0]
        merged.append(head)
        pending = [[c for c in one if c.path != head.path] for one in pending]
        pending = [one for one in pending if one]
    return merged


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _strings(node: ast.AST) -> list[str]:
    """The texts inside an expression, in the order of the source."""
    found = [
        (part.lineno, part.col_offset, part.value)
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    return [text for _, _, text in sorted(found, key=lambda one: one[:2])]


def _deprecation_in(function: ast.FunctionDef) -> str | None:
    """A raise or a warning of the function that calls its subject deprecated."""
    for part in ast.walk(function):
        text = ""
        if isinstance(part, ast.Raise):
            text = " ".join(_strings(part))
        elif isinstance(part, ast.Call):
            name = (dotted_name(part.func) or "").rpartition(".")[2]
            if name in {"warning", "warn", "warning_once", "error"}:
                text = " ".join(_strings(part))
        if text and _SAYS_DEPRECATED.search(text):
            return text
    return None
