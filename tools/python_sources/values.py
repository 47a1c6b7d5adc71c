"""Computes what an expression in a class body evaluates to, without running it."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any

from tools.python_sources.modules import ClassRef, External, Modules, ValueRef

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_DEPTH = 20

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift,
}
_CASTS: dict[str, Callable[[Any], Any]] = {
    "int": int,
    "float": float,
    "str": str,
    "bool": bool,
    "list": list,
    "dict": dict,
    "tuple": list,
    "set": sorted,
    "frozenset": sorted,
}
_SCALARS = frozenset({"int", "float", "str"})


class NotConstantError(Exception):
    """The expression depends on something that only a running program knows."""


class Values:
    """Evaluates the constant expressions of a release."""

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    def evaluate(self, node: ast.expr, module: str, scope: ast.ClassDef | None = None) -> Any:
        """The value as YAML could hold it (tuples become lists), or raise NotConstantError."""
        return self._eval(node, module, scope, _MAX_DEPTH)

    def enum_members(self, enum: ClassRef) -> dict[str, Any]:
        """Member name -> the value that a configuration writes for it."""
        members: dict[str, Any] = {}
        for statement in enum.node.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                name = statement.targets[0].id
                if name.startswith("_"):
                    continue
                try:
                    members[name] = self.evaluate(statement.value, enum.module, enum.node)
                except NotConstantError:
                    members[name] = name  # e.g. a torch dtype: it is written by its name
        return members

    # one answer for each kind of expression
    def _eval(self, node: ast.expr, module: str, scope: ast.ClassDef | None, depth: int) -> Any:
        if depth <= 0:
            raise NotConstantError
        step = depth - 1
        if isinstance(node, ast.Constant):
            if node.value is Ellipsis or isinstance(node.value, (bytes, complex)):
                raise NotConstantError
            return node.value
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self._eval(item, module, scope, step) for item in node.elts]
        if isinstance(node, ast.Set):
            return sorted(self._eval(item, module, scope, step) for item in node.elts)
        if isinstance(node, ast.Dict):
            return self._dict(node, module, scope, step)
        if isinstance(node, ast.UnaryOp):
            value = self._eval(node.operand, module, scope, step)
            if isinstance(node.op, ast.USub):
                return -value
            if isinstance(node.op, ast.Not):
                return not value
            raise NotConstantError
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left = self._eval(node.left, module, scope, step)
            right = self._eval(node.right, module, scope, step)
            try:
                return _OPERATORS[type(node.op)](left, right)
            except (TypeError, ArithmeticError) as error:
                raise NotConstantError from error
        if isinstance(node, ast.Subscript):
            return self._subscript(node, module, scope, step)
        if isinstance(node, ast.Call):
            return self._call(node, module, scope, step)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._name(node, module, scope, step)
        raise NotConstantError

    def _dict(self, node: ast.Dict, module: str, scope: ast.ClassDef | None, depth: int) -> Any:
        result: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise NotConstantError
            result[self._eval(key, module, scope, depth)] = self._eval(value, module, scope, depth)
        return result

    def _subscript(
        self, node: ast.Subscript, module: str, scope: ast.ClassDef | None, depth: int
    ) -> Any:
        container = self._eval(node.value, module, scope, depth)
        try:
            return container[self._eval(node.slice, module, scope, depth)]
        except (KeyError, IndexError, TypeError) as error:
            raise NotConstantError from error

    def _call(self, node: ast.Call, module: str, scope: ast.ClassDef | None, depth: int) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id in _CASTS and len(node.args) == 1:
            try:
                return _CASTS[node.func.id](self._eval(node.args[0], module, scope, depth))
            except (TypeError, ValueError) as error:
                raise NotConstantError from error
        cast = self._cast_of(node.func, module)
        if cast is not None and node.args:
            try:
                return cast(self._eval(node.args[0], module, scope, depth))
            except (TypeError, ValueError) as error:
                raise NotConstantError from error
        raise NotConstantError

    def _cast_of(self, function: ast.expr, module: str) -> Callable[[Any], Any] | None:
        """What a class of the release that is a kind of number or text makes of a value."""
        found = self._modules.find(module, dotted_name(function) or "")
        if isinstance(found, ClassRef) and self.is_scalar(found):
            base = next(b.id for b in found.node.bases if isinstance(b, ast.Name))
            return _CASTS[base]
        return None

    @staticmethod
    def is_scalar(ref: ClassRef) -> bool:
        """Whether a class is a kind of number or text: `class pretty_int(int)`."""
        names = [base.id for base in ref.node.bases if isinstance(base, ast.Name)]
        return bool(names) and names[0] in _SCALARS

    def _name(
        self, node: ast.Name | ast.Attribute, module: str, scope: ast.ClassDef | None, depth: int
    ) -> Any:
        dotted = dotted_name(node)
        if dotted is None:
            raise NotConstantError
        if scope is not None and "." not in dotted:
            own = class_value(scope, dotted)
            if own is not None:
                return self._eval(own, module, scope, depth)
        found = self._modules.find(module, dotted)
        if isinstance(found, ValueRef):
            return self._eval(found.node, found.module, None, depth)
        if found is None and isinstance(node, ast.Attribute):
            member = node.attr
            parent = dotted_name(node.value)
            if member == "value" and isinstance(node.value, ast.Attribute):
                member = node.value.attr
                parent = dotted_name(node.value.value)
            owner = self._modules.find(module, parent) if parent else None
            if isinstance(owner, ClassRef):
                return self._member(owner, member, depth)
        raise NotConstantError

    def _member(self, owner: ClassRef, member: str, depth: int) -> Any:
        node = class_value(owner.node, member)
        if node is None:
            raise NotConstantError
        try:
            return self._eval(node, owner.module, owner.node, depth)
        except NotConstantError:
            return member


def dotted_name(node: ast.expr) -> str | None:
    """``a.b.c`` for such an attribute chain, None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        left = dotted_name(node.value)
        return f"{left}.{node.attr}" if left else None
    return None


def class_value(scope: ast.ClassDef, name: str) -> ast.expr | None:
    """The expression that a class body assigns to a name."""
    for statement in scope.body:
        if isinstance(statement, ast.Assign):
            if any(_is_name(target, name) for target in statement.targets):
                return statement.value
        elif isinstance(statement, ast.AnnAssign) and _is_name(statement.target, name):
            return statement.value
    return None


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def names_used(node: ast.expr, modules: Modules, module: str) -> list[str]:
    """What an expression that is not a constant depends on: the dotted names that it calls or reads."""
    used: set[str] = set()

    def visit(part: ast.AST) -> None:
        if isinstance(part, (ast.Name, ast.Attribute)):
            dotted = dotted_name(part)
            if dotted:
                found = modules.find(module, dotted)
                used.add(found.path if isinstance(found, External) else dotted)
                return
        for child in ast.iter_child_nodes(part):
            visit(child)

    visit(node)
    return sorted(used)
