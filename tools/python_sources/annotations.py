"""Turns a field's annotation into facts: a canonical type text, its models, enum and limits.

The text is a sorted union such as ``float|int|null``; ``dict<str,any>`` and ``any`` mark values
whose inside nobody checks, ``model:X`` a section with keys of its own, ``enum:X`` and ``literal``
a closed list of values, ``ext:a.B`` a type that another package defines.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import Any

from tools.python_sources.modules import ClassRef, External, Modules, ValueRef
from tools.python_sources.values import NotConstantError, Values, dotted_name

_MAX_DEPTH = 30

_SIMPLE = {
    "int": "int",
    "str": "str",
    "float": "float",
    "bool": "bool",
    "bytes": "str",
    "None": "null",
    "Any": "any",
    "object": "any",
    "Path": "str",
    "StrictStr": "str",
    "StrictInt": "int",
    "StrictBool": "bool",
    "StrictFloat": "float",
}
_LIMITED: dict[str, tuple[str, dict[str, Any]]] = {
    "PositiveInt": ("int", {"gt": 0}),
    "NonNegativeInt": ("int", {"ge": 0}),
    "NegativeInt": ("int", {"lt": 0}),
    "PositiveFloat": ("float", {"gt": 0}),
    "NonNegativeFloat": ("float", {"ge": 0}),
    "conint": ("int", {}),
    "confloat": ("float", {}),
    "constr": ("str", {}),
}
_LISTS = {"list", "List", "Sequence", "Iterable", "set", "Set", "frozenset", "conlist", "conset"}
_DICTS = {"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "DictDefault"}
_TUPLES = {"tuple", "Tuple"}
_TRANSPARENT = {"Required", "NotRequired", "ClassVar", "Final"}

LIMITS = {
    "gt",
    "ge",
    "lt",
    "le",
    "multiple_of",
    "min_length",
    "max_length",
    "pattern",
    "strict",
    "allow_inf_nan",
}
_LIMIT_SPELLINGS = {"min_items": "min_length", "max_items": "max_length", "regex": "pattern"}
_LIMIT_OBJECTS = {
    "MinLen": "min_length",
    "MaxLen": "max_length",
    "Gt": "gt",
    "Ge": "ge",
    "Lt": "lt",
    "Le": "le",
    "MultipleOf": "multiple_of",
}


@dataclass(frozen=True)
class Place:
    """A model inside a type and the step from the key to it: ``""``, ``[]`` or ``.*``."""

    step: str
    model: ClassRef


@dataclass(frozen=True)
class TypeFacts:
    """What an annotation says about the values of a key."""

    parts: frozenset[str]
    models: tuple[Place, ...] = ()
    enum: tuple[Any, ...] = ()
    limits: dict[str, Any] = field(default_factory=dict)
    field_calls: tuple[ast.Call, ...] = ()
    """``Field(...)`` calls found in ``Annotated[...]``; the caller reads the rest of them."""

    @property
    def text(self) -> str:
        """The canonical spelling: alternatives sorted, ``null`` last."""
        if "any" in self.parts:
            return "any|null" if "null" in self.parts else "any"
        return "|".join(sorted(self.parts, key=lambda part: (part == "null", part)))


def simple(text: str) -> TypeFacts:
    """The facts of a type that is nothing but its name."""
    return TypeFacts(frozenset({text}))


def union(alternatives: list[TypeFacts]) -> TypeFacts:
    """All alternatives as one; models keep the order in which they are written."""
    parts: frozenset[str] = frozenset()
    models: list[Place] = []
    enum: list[Any] = []
    limits: dict[str, Any] = {}
    calls: list[ast.Call] = []
    for one in alternatives:
        parts |= one.parts
        models += [place for place in one.models if place not in models]
        enum += [value for value in one.enum if not _contains(enum, value)]
        for name, limit in one.limits.items():
            limits.setdefault(name, limit)
        calls += one.field_calls
    return TypeFacts(parts, tuple(models), tuple(enum), limits, tuple(calls))


def _contains(values: list[Any], value: Any) -> bool:
    return any(type(other) is type(value) and other == value for other in values)


class Annotations:
    """Reads annotations in the context of a release's modules."""

    def __init__(self, modules: Modules, values: Values) -> None:
        self._modules = modules
        self._values = values

    def read(self, node: ast.expr, module: str, scope: ast.ClassDef | None = None) -> TypeFacts:
        """The facts of one annotation as it is in ``module``."""
        return self._read(node, module, scope, _MAX_DEPTH)

    def limits_of(self, call: ast.Call, module: str, scope: ast.ClassDef | None) -> dict[str, Any]:
        """The limits among a call's keyword arguments, under pydantic's present names."""
        limits: dict[str, Any] = {}
        for keyword in call.keywords:
            name = _LIMIT_SPELLINGS.get(keyword.arg or "", keyword.arg or "")
            if name in LIMITS:
                try:
                    value = self._values.evaluate(keyword.value, module, scope)
                except NotConstantError:
                    continue
                if value is not None:
                    limits[name] = value
        return limits

    def _read(
        self, node: ast.expr, module: str, scope: ast.ClassDef | None, depth: int
    ) -> TypeFacts:
        if depth <= 0:
            return simple("any")
        step = depth - 1
        if isinstance(node, ast.Constant):
            if node.value is None:
                return simple("null")
            if isinstance(node.value, str):
                return self._read(ast.parse(node.value, mode="eval").body, module, scope, step)
            return simple("any")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return union(
                [
                    self._read(node.left, module, scope, step),
                    self._read(node.right, module, scope, step),
                ]
            )
        if isinstance(node, ast.Subscript):
            return self._subscript(node, module, scope, step)
        if isinstance(node, ast.Call):
            return self._call(node, module, scope, step)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._named(node, module, scope, step)
        return simple("any")

    def _subscript(
        self, node: ast.Subscript, module: str, scope: ast.ClassDef | None, depth: int
    ) -> TypeFacts:
        head = (dotted_name(node.value) or "").rpartition(".")[2]
        items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if head == "Literal":
            return self._literal(items, module, scope)
        if head == "Annotated":
            return self._annotated(items, module, scope, depth)
        inner = [self._read(item, module, scope, depth) for item in items]
        if head == "Optional":
            return union([*inner, simple("null")])
        if head == "Union":
            return union(inner)
        if head in _LISTS:
            return _list_of(inner[0])
        if head in _DICTS:
            return _dict_of(inner)
        if head in _TUPLES:
            return TypeFacts(frozenset({f"tuple<{','.join(one.text for one in inner)}>"}))
        if head in _TRANSPARENT:
            return inner[0]
        return simple("any")

    def _literal(self, items: list[ast.expr], module: str, scope: ast.ClassDef | None) -> TypeFacts:
        values: list[Any] = []
        parts: set[str] = set()
        for item in items:
            try:
                value = self._values.evaluate(item, module, scope)
            except NotConstantError:
                continue
            if value is None:
                parts.add("null")
            else:
                parts.add("literal")
                values += value if isinstance(value, list) else [value]
        return TypeFacts(frozenset(parts or {"literal"}), enum=tuple(values))

    def _annotated(
        self, items: list[ast.expr], module: str, scope: ast.ClassDef | None, depth: int
    ) -> TypeFacts:
        base = self._read(items[0], module, scope, depth)
        limits = dict(base.limits)
        calls = list(base.field_calls)
        for extra in items[1:]:
            if not isinstance(extra, ast.Call):
                continue
            name = (dotted_name(extra.func) or "").rpartition(".")[2]
            if name == "Field":
                calls.append(extra)
            if name in _LIMIT_OBJECTS and extra.args:
                try:
                    limit = self._values.evaluate(extra.args[0], module, scope)
                except NotConstantError:
                    continue
                limits[_LIMIT_OBJECTS[name]] = limit
            else:
                limits.update(self.limits_of(extra, module, scope))
        return replace(base, limits=limits, field_calls=tuple(calls))

    def _call(
        self, node: ast.Call, module: str, scope: ast.ClassDef | None, depth: int
    ) -> TypeFacts:
        name = (dotted_name(node.func) or "").rpartition(".")[2]
        limits = self.limits_of(node, module, scope)
        if name in _LISTS and node.args:
            inner = _list_of(self._read(node.args[0], module, scope, depth))
            return replace(inner, limits={**inner.limits, **limits})
        if name in _LIMITED:
            text, own = _LIMITED[name]
            return TypeFacts(frozenset({text}), limits={**own, **limits})
        return simple("any")

    def _named(
        self, node: ast.Name | ast.Attribute, module: str, scope: ast.ClassDef | None, depth: int
    ) -> TypeFacts:
        dotted = dotted_name(node) or ""
        last = dotted.rpartition(".")[2]
        found = self._modules.find(module, dotted)
        if isinstance(found, ValueRef):
            return self._read(found.node, found.module, None, depth)
        if isinstance(found, ClassRef):
            return self._class(found)
        if last in _SIMPLE:
            return simple(_SIMPLE[last])
        if last in _LIMITED:
            text, own = _LIMITED[last]
            return TypeFacts(frozenset({text}), limits=dict(own))
        if last in _LISTS:
            return simple("list<any>")
        if last in _DICTS:
            return simple("dict<any,any>")
        if last in _TUPLES:
            return simple("tuple<any>")
        if isinstance(found, External):
            return simple(f"ext:{found.path}")
        return simple("any")

    def _class(self, found: ClassRef) -> TypeFacts:
        if self.is_enum(found):
            members = tuple(self._values.enum_members(found).values())
            return TypeFacts(frozenset({f"enum:{found.name}"}), enum=members)
        return TypeFacts(frozenset({f"model:{found.name}"}), models=(Place("", found),))

    def is_enum(self, found: ClassRef, depth: int = 8) -> bool:
        """Whether a class is an enumeration, directly or through its bases."""
        for base in found.node.bases:
            name = dotted_name(base) or ""
            if name.rpartition(".")[2] in {"Enum", "StrEnum", "IntEnum", "ExplicitEnum"}:
                return True
            parent = self._modules.find(found.module, name)
            if isinstance(parent, ClassRef) and depth > 0 and self.is_enum(parent, depth - 1):
                return True
        return False


def _inside(one: TypeFacts, step: str) -> tuple[Place, ...]:
    return tuple(Place(step + place.step, place.model) for place in one.models)


def _item_limits(one: TypeFacts) -> dict[str, Any]:
    return {"items": one.limits} if one.limits else {}


def _list_of(inner: TypeFacts) -> TypeFacts:
    return TypeFacts(
        frozenset({f"list<{inner.text}>"}), _inside(inner, "[]"), inner.enum, _item_limits(inner)
    )


def _dict_of(inner: list[TypeFacts]) -> TypeFacts:
    value = inner[-1]
    text = ",".join(one.text for one in inner)
    enum = union(inner).enum  # of the keys as well: `dict<literal,int>`
    return TypeFacts(frozenset({f"dict<{text}>"}), _inside(value, ".*"), enum, _item_limits(value))
