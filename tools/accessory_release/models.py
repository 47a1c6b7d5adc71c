"""What the modules of models take: the fields of `ModelArgs`, and whether they are adapters."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any


def read_models(folder: Path) -> dict[str, tuple[bool, dict[str, Any]]]:
    """`--llama_type` -> (whether it trains adapters alone, field -> default), by name."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name == "ModelArgs":
                found[path.stem] = (_is_peft(tree), _fields(node))
    return found


def _is_peft(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.Assign)
        and any(isinstance(one, ast.Name) and one.id == "is_peft" for one in node.targets)
        and isinstance(node.value, ast.Constant)
        and node.value.value is True
        for node in ast.walk(tree)
    )


def _fields(node: ast.ClassDef) -> dict[str, Any]:
    """The annotated names of a data class; others are no fields."""
    fields: dict[str, Any] = {}
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            try:
                fields[part.target.id] = ast.literal_eval(part.value) if part.value else ...
            except ValueError:
                fields[part.target.id] = ...
    return fields
