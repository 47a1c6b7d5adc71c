"""Reads dataclasses from syntax trees, as `HfArgumentParser.parse_dict` takes them."""

from __future__ import annotations

import ast
from dataclasses import replace

from tools.python_sources.annotations import TypeFacts
from tools.python_sources.models import FieldFacts, ModelReader
from tools.python_sources.modules import ClassRef
from tools.python_sources.values import dotted_name


class DataclassReader(ModelReader):
    """Builds the facts of dataclasses: a field's default is in `field(default=...)`."""

    def fields(self, ref: ClassRef) -> dict[str, FieldFacts]:
        """The fields that a mapping can set, inherited ones included.

        A field whose value the class looks up in an enumeration takes its members only, whatever
        its annotation says.
        """
        facts = dict(self.read(ref).fields)
        for one in reversed(self.lineage(ref)):
            for name, enum in self._enumerations(one).items():
                if name in facts:
                    facts[name] = replace(facts[name], type=self._members(enum))
        return facts

    def _members(self, enum: ClassRef) -> TypeFacts:
        members = tuple(self.values.enum_members(enum).values())
        return TypeFacts(frozenset({f"enum:{enum.name}"}), enum=members)

    def _own_fields(self, ref: ClassRef) -> dict[str, FieldFacts]:
        """A field has an annotation; what is assigned without one belongs to the class."""
        annotated = {
            statement.target.id
            for statement in ref.node.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        }
        fields = super()._own_fields(ref)
        settable = annotated - _set_by_class(ref.node)
        return {name: one for name, one in fields.items() if name in settable}

    def _field(self, name: str, statement: ast.AnnAssign, ref: ClassRef) -> FieldFacts:
        value = statement.value
        one = super()._field(name, statement, ref)
        if isinstance(value, ast.Call) and dotted_name(value.func) in (
            "field",
            "dataclasses.field",
        ):
            named = {keyword.arg: keyword.value for keyword in value.keywords}
            one.default = None
            if "default" in named:
                one.default = self._default(named["default"], ref)
            elif "default_factory" in named:
                one.default = self._made(named["default_factory"], ref)
            one.required = not {"default", "default_factory"} & named.keys()
        return one

    def _enumerations(self, ref: ClassRef) -> dict[str, ClassRef]:
        """Field -> the enumeration in which `__post_init__` looks its value up."""
        found: dict[str, ClassRef] = {}
        for function in ref.node.body:
            if not isinstance(function, ast.FunctionDef) or function.name != "__post_init__":
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                    call = node.value
                    argument = dotted_name(call.args[0]) if len(call.args) == 1 else None
                    enum = self.modules.find(ref.module, dotted_name(call.func) or "")
                    if not isinstance(enum, ClassRef) or not self.annotations.is_enum(enum):
                        continue
                    if argument is not None and argument.startswith("self."):
                        found[argument.removeprefix("self.")] = enum
        return found


def _set_by_class(node: ast.ClassDef) -> set[str]:
    """The fields that nobody can hand in: `field(init=False)`."""
    return {
        statement.target.id
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
        and isinstance(statement.target, ast.Name)
        and isinstance(statement.value, ast.Call)
        and any(
            keyword.arg == "init"
            and isinstance(keyword.value, ast.Constant)
            and keyword.value.value is False
            for keyword in statement.value.keywords
        )
    }
