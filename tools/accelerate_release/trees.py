"""Small readers of syntax trees that the other modules share."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What stands for an expression that cannot be told from the text.
UNKNOWN = "<computed>"


def functions(module: ast.Module, *names: str) -> Iterator[ast.FunctionDef]:
    """The functions of a module with one of these names, or all of them."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and (not names or node.name in names):
            yield node


def methods_of(call: ast.Call) -> str:
    """The last name of what is called: `add_argument` of `group.add_argument(…)`."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def constants_of(*modules: ast.Module) -> dict[str, Any]:
    """The constants that modules assign at their top level."""
    found: dict[str, Any] = {}
    for module in modules:
        for node in module.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = constant(node.value, found)
                if value != UNKNOWN:
                    found[node.targets[0].id] = value
    return found


def constant(node: ast.expr, names: dict[str, Any]) -> Any:
    """The value of an expression of constants, known names, lists and sums of them."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        pass
    if isinstance(node, ast.Name):
        return names.get(node.id, UNKNOWN)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = constant(node.left, names), constant(node.right, names)
        if type(left) is type(right) and UNKNOWN not in (left, right):
            return left + right
    if isinstance(node, ast.Call) and methods_of(node) == "int" and len(node.args) == 1:
        inner = constant(node.args[0], names)
        return int(inner) if isinstance(inner, (int, float)) else UNKNOWN
    if isinstance(node, ast.ListComp) and len(node.generators) == 1:
        source = constant(node.generators[0].iter, names)
        if isinstance(source, list) and ast.unparse(node.elt).endswith(".lower()"):
            return [str(one).lower() for one in source]
    return UNKNOWN


def enum_values(module: ast.Module, name: str) -> list[str]:
    """The values of an enumeration's members."""
    for node in module.body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return [
                str(part.value.value)
                for part in node.body
                if isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant)
            ]
    return []


def parents(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """Node -> the node that it is part of."""
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
