"""Names that a program takes from a package which it imports as a whole: `trl.SFTTrainer` after `import trl`."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.source.python_names import last_name
from cfglint.source.python_nodes import every
from cfglint.source.python_reach import unreached

if TYPE_CHECKING:
    from cfglint.source.python_program import PythonProgram
    from cfglint.source.text import Span

#: What a program asks where it may do without a name.
_ASKING: Final = frozenset({"hasattr", "getattr", "__version__", "version", "Version", "parse"})
_CATCHING: Final = frozenset({"suppress", "raises"})
_CHOOSING = (ast.If, ast.IfExp, ast.BoolOp)


class Use(NamedTuple):
    """`trl.SFTTrainer`: a name of a package at a place."""

    root: str
    name: str
    span: Span


def uses(program: PythonProgram) -> Iterator[Use]:
    """The names that a program takes from packages which its margin imports, where nothing shows that they may be missing.

    Left out are names that the program sets itself, and functions that it never calls.
    """
    assert program.tree is not None
    whole = _whole_packages(program.tree)
    if not whole:
        return
    nodes = program.names.nodes
    taken = [one for one in nodes if isinstance(one, ast.Attribute) and _root(one) in whole]
    if not taken:
        return
    apart = _Lines((*_apart(nodes), *unreached(program.tree, nodes)))
    changed = {one.attr for one in taken if not isinstance(one.ctx, ast.Load)}
    for node in sorted(taken, key=lambda one: (one.lineno, one.col_offset)):
        if node.attr in changed or node.lineno in apart:
            continue
        origin = program.names.imported(node)
        if origin == f"{whole[_root(node)]}.{node.attr}":
            yield Use(whole[_root(node)], node.attr, program.span_of(node))


def _whole_packages(tree: ast.Module) -> dict[str, str]:
    """The names of packages that a program imports as a whole, whatever happens."""
    return {
        alias.asname or alias.name: alias.name
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
        if "." not in alias.name
    }


def _root(node: ast.Attribute) -> str:
    return node.value.id if isinstance(node.value, ast.Name) else ""


def _apart(nodes: list[ast.AST]) -> Iterator[range]:
    """The lines of what may fail, or runs only where a release has something, and of what is not always evaluated."""
    for node in nodes:
        if isinstance(node, ast.Try):
            parts: list[ast.stmt | ast.ExceptHandler] = [*node.body, *node.handlers, *node.orelse]
            yield from map(_lines, parts)
        elif isinstance(node, _CHOOSING):
            test = node if isinstance(node, ast.BoolOp) else node.test
            if any(last_name(one) in _ASKING for one in every(test)):
                yield _lines(node)
        elif isinstance(node, ast.With):
            if any(last_name(one) in _CATCHING for item in node.items for one in every(item)):
                yield _lines(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
            yield _lines(node.returns)
        elif isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation is not None:
            yield _lines(node.annotation)


def _lines(node: ast.stmt | ast.expr | ast.ExceptHandler) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


class _Lines:
    """Lines of a program, of which parts may lie in one another."""

    def __init__(self, parts: Iterable[range]) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []
        for part in sorted(parts, key=lambda one: one.start):
            if self._stops and part.start <= self._stops[-1]:
                self._stops[-1] = max(self._stops[-1], part.stop)
            else:
                self._starts.append(part.start)
                self._stops.append(part.stop)

    def __contains__(self, line: int) -> bool:
        place = bisect_right(self._starts, line) - 1
        return place >= 0 and line < self._stops[place]
