"""The types of models and templates that a release registers, which its arguments name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tools.python_sources.values import dotted_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tools.python_sources.facts import KeyFacts
    from tools.python_sources.modules import Modules

#: Argument -> what it names an entry of.
_ARGUMENTS: Mapping[str, str] = {
    "model_type": "Model",
    "ref_model_type": "Model",
    "teacher_model_type": "Model",
    "template": "Template",
    "template_type": "Template",
}
#: These register models and classes for other ends.
_ASIDE = (".megatron", ".tuners", ".mcore")
#: What 3.0 looks for at first in the files of a model, and takes for no type.
_NOTHING = {""}


def registries(modules: Modules) -> dict[str, tuple[str, ...]]:
    """What a release registers, by what it is; read once for all its commands."""
    return {what: registered(modules, what) for what in sorted(set(_ARGUMENTS.values()))}


def add_choices(types_of: Mapping[str, tuple[str, ...]], keys: dict[str, KeyFacts]) -> None:
    """Make the registered types the choices of the arguments that name one."""
    for name, what in _ARGUMENTS.items():
        one = keys.get(name)
        types = types_of[what] if one is not None else ()
        if one is not None and types and one.type in ("str", "str|null"):
            one.type = one.type.replace("str", "literal")
            # `AUTO`, the default of 2.x, is no entry.
            default = {one.default} if isinstance(one.default, str) else set[str]()
            one.enum = sorted({*types, *default})


def registered(modules: Modules, what: str) -> tuple[str, ...]:
    """The types of `what`, those of constants first, in the order of their names."""
    found: set[str] = set()
    marks = (f"{what}Type", f"{what}Meta", f"register_{what.lower()}")
    for module in modules:
        is_aside = any(part in module for part in _ASIDE)
        if not is_aside and any(mark in modules.text(module) for mark in marks):
            tree = modules.tree(module)
            found.update(_constants(tree, f"{what}Type"))
            found.update(_literals(tree, (f"{what}Meta", f"register_{what.lower()}")))
    return tuple(sorted(found - _NOTHING))


def _constants(tree: ast.Module, ending: str) -> Iterator[str]:
    """The texts of the classes that list types."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name.endswith(ending):
            for statement in node.body:
                if isinstance(statement, ast.Assign):
                    yield from _text(statement.value)


def _literals(tree: ast.Module, endings: tuple[str, ...]) -> Iterator[str]:
    """The texts that an entry is registered under without a constant."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        if (dotted_name(node.func) or "").endswith(endings):
            yield from _text(node.args[0])


def _text(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
