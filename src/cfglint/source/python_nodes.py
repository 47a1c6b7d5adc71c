"""The parts of a program's syntax tree, without those that say nothing about its names.

`ast.iter_child_nodes` asks every node for every field, most of which hold texts or how a name is used: half of the time in which
a program is read was spent there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

#: Fields of texts and numbers, and the operators and contexts, which are the same objects everywhere.
_PLAIN = frozenset(
    {
        *(
            "ctx",
            "op",
            "ops",
            "id",
            "attr",
            "kind",
            "level",
            "module",
            "conversion",
            "type_comment",
        ),
        *("name", "asname", "simple", "is_async", "tag", "lineno"),
    }
)
#: Nodes with a list in which there may be something else than nodes.
_MIXED = frozenset(
    {
        *(ast.Dict, ast.Global, ast.MatchClass, ast.MatchMapping, ast.Nonlocal, ast.arguments),
    }
)
#: Nodes with exactly one below them, their `value`.
_OF_ONE = frozenset({ast.Attribute, ast.Await, ast.Expr, ast.Starred, ast.keyword})
#: What is defined by a statement, or an expression, and runs at another time.
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
#: A class of nodes -> its fields in which there may be others.
_fields: dict[type[ast.AST], tuple[str, ...]] = {}


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below a node, in the order of the text."""
    of = type(node)
    if of in _OF_ONE:
        return [node.value]  # type: ignore[attr-defined]
    names = _fields.get(of)
    if names is None:
        names = _fields[of] = tuple(name for name in of._fields if _may_have_nodes(of, name))
    found: list[ast.AST] = []
    for name in names:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [one for one in value if isinstance(one, ast.AST)] if of in _MIXED else value
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def _may_have_nodes(of: type[ast.AST], name: str) -> bool:
    # The name of a type alias is a node, that of all else a text.
    return name not in _PLAIN or (name == "name" and of.__name__ == "TypeAlias")


def every(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a tree."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += children(node)


def below(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of some statements, without those of functions and classes that they define."""
    waiting = [*body]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, DEFINITIONS):
            waiting += children(node)
