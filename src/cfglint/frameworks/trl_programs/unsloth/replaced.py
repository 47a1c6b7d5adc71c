"""Whether a program surely runs with Unsloth's copies of TRL's trainers."""

from __future__ import annotations

import ast

from cfglint.source.python_nodes import every


def has_replaced_trainers(tree: ast.Module) -> bool:
    """Whether a program surely imports Unsloth itself, and before anything of TRL: a name that was imported earlier stays TRL's own."""
    first: dict[str, int] = {}
    nodes = list(every(tree))
    if any(_may_do_without(node) for node in nodes):
        return False
    for node in nodes:
        if isinstance(node, ast.Import):
            modules = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules = [node.module]
        else:
            continue
        for module in modules:
            package = module.partition(".")[0]
            first[package] = min(node.lineno, first.get(package, node.lineno))
    return "unsloth" in first and first["unsloth"] <= first.get("trl", first["unsloth"])


def _may_do_without(node: ast.AST) -> bool:
    """Whether a program goes on where Unsloth is not installed, or is not asked for."""
    if not isinstance(node, (ast.Try, ast.If)):
        return False
    if isinstance(node, ast.If) and not node.orelse and _is_main(node.test):
        return False
    return any(_is_of_unsloth(one) for one in node.body)


def _is_main(test: ast.expr) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "__name__" for one in ast.walk(test))


def _is_of_unsloth(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] == "unsloth" and not node.level
    return isinstance(node, ast.Import) and any(
        one.name.partition(".")[0] == "unsloth" for one in node.names
    )
