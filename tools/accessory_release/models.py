"""What the modules of models take: the fields of `ModelArgs`, and whether they are adapters."""

from __future__ import annotations

import ast
from pathlib import Path

from cfglint.frameworks.accessory.models import ADAPTERS, FIELDS

#: `--llama_type` -> (whether it trains adapters alone, the fields of its `ModelArgs`).
Models = dict[str, tuple[bool, frozenset[str]]]


def read_models(folder: Path) -> Models:
    """The models of a checkout."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name == "ModelArgs":
                found[path.stem] = (_is_peft(tree), _fields(node))
    return found


def differences(models: Models) -> list[str]:
    """The models of which `cfglint.frameworks.accessory.models` says something else."""
    known = {name: (name in ADAPTERS, fields) for name, fields in FIELDS.items()}
    return sorted(name for name in {*known, *models} if known.get(name) != models.get(name))


def _is_peft(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.Assign)
        and any(isinstance(one, ast.Name) and one.id == "is_peft" for one in node.targets)
        and isinstance(node.value, ast.Constant)
        and node.value.value is True
        for node in ast.walk(tree)
    )


def _fields(node: ast.ClassDef) -> frozenset[str]:
    """The annotated names of a data class; others are not fields."""
    return frozenset(
        part.target.id
        for part in node.body
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    )
