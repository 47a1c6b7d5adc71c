"""Functions of a project's other modules that only use the tokenizer which they are given."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.source.python_program import program_of

#: What changes a tokenizer, or what it says of it.
_CHANGES: Final = ("add_", "set_", "resize", "train_new", "__")
_MAX_FILES: Final = 3
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def only_looks(call: ast.Call, name: str, origin: str, ctx: CheckContext) -> bool:
    """Whether a function of the project surely leaves an object as it is that it is called with.

    Args:
        call: of the function, in the program.
        name: of the object, there.
        origin: the package and the name that the function is imported from.
    """
    folder = ctx.around.folder
    package, _, function = origin.partition(".")
    if folder is None or not function or not isinstance(call.func, ast.Name):
        return False
    root = project_root(ctx.around, folder)
    defined = ctx.around.memory.once(
        ("definitions of", root, origin),
        lambda: list(_definitions(function, package, root, ctx)),
    )
    return bool(defined) and all(
        _leaves(one, parameter)
        for one in defined
        for parameter in _parameters(one, call, name) or (None,)
    )


def _definitions(function: str, package: str, root: str, ctx: CheckContext) -> Iterator[_Function]:
    """The functions of a name in the files of one package of the project; none if there are too many."""
    sources = python_sources(ctx.around, root)
    found = [
        text
        for path, text in sources.items()
        if text is not None
        and f"def {function}(" in text
        and package in (*path.split(os.sep), os.path.splitext(os.path.basename(path))[0])
    ]
    for text in found if len(found) <= _MAX_FILES else ():
        tree = program_of(text).tree
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, _Function) and node.name == function:
                yield node


def _parameters(function: _Function, call: ast.Call, name: str) -> list[str | None]:
    """The parameters that get an object; None for what is not clear."""
    given = function.args
    places = [*given.posonlyargs, *given.args]
    found: list[str | None] = []
    for number, value in enumerate(call.args):
        if isinstance(value, ast.Name) and value.id == name:
            is_plain = number < len(places) and not any(
                isinstance(one, ast.Starred) for one in call.args[:number]
            )
            found.append(places[number].arg if is_plain else None)
    for word in call.keywords:
        if isinstance(word.value, ast.Name) and word.value.id == name:
            found.append(word.arg)
    return found


def _leaves(function: _Function, parameter: str | None) -> bool:
    """Whether all that is done with a parameter is a call of it, or of a method that changes nothing."""
    if parameter is None:
        return False
    used = set[int]()
    for node in ast.walk(function):
        held = None
        if isinstance(node, ast.Call):
            held = node.func
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            held = None if node.attr.startswith(_CHANGES) else node.value
        if isinstance(held, ast.Name):
            used.add(id(held))
    return all(
        id(node) in used
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == parameter
    )
