"""Functions of a script that nothing in it calls: what they configure is part of no run of it.

A module that is no script may be there for its functions; of one with a `__main__` part a function that its
own text names nowhere is most often left over.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

#: What calls functions that the program does not name.
_CALLING = frozenset({"fire", "invoke", "plac", "typer"})
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def unreached(tree: ast.Module, nodes: Iterable[ast.AST]) -> list[range]:
    """The lines of the functions of a script that it does not name anywhere; empty for other modules.

    Args:
        nodes: all nodes of the tree.
    """
    functions = [
        node
        for node in tree.body
        if isinstance(node, _Function) and not node.decorator_list and node.name != "main"
    ]
    if not functions or not any(map(_is_main_part, tree.body)):
        return []
    named = _named(nodes, {one.name for one in functions} | _CALLING)
    if not _CALLING.isdisjoint(named):
        return []
    lines = {one.name: range(one.lineno, (one.end_lineno or one.lineno) + 1) for one in functions}
    # One that calls itself is not called for that.
    return [own for name, own in lines.items() if all(line in own for line in named.get(name, ()))]


def _is_main_part(node: ast.stmt) -> bool:
    """Whether a statement is `if __name__ == "__main__":`."""
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare):
        return False
    return isinstance(node.test.left, ast.Name) and node.test.left.id == "__name__"


def _named(nodes: Iterable[ast.AST], wanted: set[str]) -> dict[str, list[int]]:
    """Where the program names some things: as a variable, an attribute, a module, or what a text spells."""
    named: dict[str, list[int]] = {}
    for node in nodes:
        # Most nodes are none of these, and a program has thousands.
        if type(node) is ast.Name:
            names: tuple[object, ...] = (node.id,)
        elif type(node) is ast.Attribute:
            names = (node.attr,)
        elif type(node) is ast.Constant:
            names = (node.value,)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            modules = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
            names = tuple(name.partition(".")[0] for name in modules)
        else:
            continue
        for name in names:
            if isinstance(name, str) and name in wanted:
                named.setdefault(name, []).append(getattr(node, "lineno", 0))
    return named
