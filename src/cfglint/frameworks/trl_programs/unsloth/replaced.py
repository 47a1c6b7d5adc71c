"""Whether a program surely runs with Unsloth's copies of TRL's trainers."""

from __future__ import annotations

import ast

from cfglint.source.python_nodes import every


def has_replaced_trainers(tree: ast.Module) -> bool:
    """Whether a program imports Unsloth itself, and before anything of TRL: a name that was imported earlier stays TRL's own."""
    first: dict[str, int] = {}
    for node in every(tree):
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
