"""Calls that a program makes only where it has seen to it that they may be refused.

A program for several releases tries one call and makes another one when that fails, or asks for the release, or for the
parameters of a class, and branches. What another release refuses is no mistake there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from cfglint.source.python_names import last_name
from cfglint.source.python_nodes import every

#: What a class raises that is given what it does not take.
_REFUSALS = frozenset({"TypeError", "AttributeError"})
#: What may be meant for anything.
_ANYTHING = frozenset({"Exception", "BaseException", "ValueError", ""})
_ENDING = frozenset({"exit", "quit", "_exit", "abort"})
#: What tells the release of a package, or what a class takes.
_ASKING = frozenset(
    {
        *("__version__", "signature", "getfullargspec", "get_type_hints"),
        *("__dataclass_fields__", "__annotations__", "__code__"),
    }
)
#: Functions that do: `dataclasses.fields(…)`, `Version(…)`, `metadata.version(…)`.
_ASKING_CALLS = frozenset({"fields", "Version", "parse_version", "version"})
_ROUNDS = 3
_TELLING = frozenset({ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef})
_BLOCKS = frozenset({ast.Try, ast.If, ast.IfExp})
#: A program without one of these words asks for nothing.
_WORDS = (*sorted(_ASKING), "hasattr", "fields(", "ersion(")
#: A longer function does not only give an answer.
_MAX_LINES = 20


def guarded(
    nodes: Sequence[ast.AST], code: str, is_known: Callable[[ast.Call], bool]
) -> list[range]:
    """The lines of the blocks in which a call may be refused.

    Args:
        nodes: all nodes of the program.
        code: its text.
        is_known: whether a call is one that configures a run.
    """
    asks = any(word in code for word in _WORDS)
    if not asks and "except" not in code:
        return []
    answers = _Answers(nodes) if asks else None
    found: list[range] = []
    for node in (one for one in nodes if type(one) in _BLOCKS):
        if isinstance(node, ast.Try):
            if _goes_on(node, is_known):
                handled = [one for handler in node.handlers for one in handler.body]
                found += map(_lines, (*node.body, *node.orelse, *handled))
        elif answers is not None and isinstance(node, ast.If) and answers.are_in(node.test):
            found += map(_lines, (*node.body, *node.orelse))
        elif answers is not None and isinstance(node, ast.IfExp) and answers.are_in(node.test):
            found += map(_lines, (node.body, node.orelse))
    return found


def _lines(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _goes_on(node: ast.Try, is_known: Callable[[ast.Call], bool]) -> bool:
    """Whether a program does something else when a call is refused."""
    for handler in node.handlers:
        caught = _caught(handler)
        if caught & _REFUSALS and not _ends(handler.body):
            return True
        if caught & (_REFUSALS | _ANYTHING) and any(map(is_known, _calls(handler.body))):
            return True
    return False


def _caught(handler: ast.ExceptHandler) -> set[str]:
    kind = handler.type
    return set(map(last_name, kind.elts)) if isinstance(kind, ast.Tuple) else {last_name(kind)}


def _ends(body: list[ast.stmt]) -> bool:
    """Whether a program ends behind some statements."""
    last = body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return last_name(last.value.func) in _ENDING
    return isinstance(last, ast.Raise)


def _calls(body: list[ast.stmt]) -> Iterator[ast.Call]:
    for statement in body:
        for node in every(statement):
            if isinstance(node, ast.Call):
                yield node


class _Answers:
    """The names of a program that hold an answer: variables, functions that give one, and versions that are imported."""

    def __init__(self, nodes: Sequence[ast.AST]) -> None:
        self._modules: set[str] = set()
        self._names: set[str] = set()
        telling = [node for node in nodes if type(node) in _TELLING]
        # An answer may be computed from the ones before.
        for _ in range(_ROUNDS):
            known = len(self._names)
            for node in telling:
                self._look_at(node)
            if len(self._names) == known:
                break

    def _look_at(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            self._modules |= {one.asname or one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            versions = [one for one in node.names if one.name in ("__version__", "VERSION")]
            self._names |= {one.asname or one.name for one in versions}
        elif isinstance(node, ast.Assign) and self.are_in(node.value):
            self._names |= {last_name(target) for target in node.targets} - {""}
        elif isinstance(node, ast.FunctionDef) and len(_lines(node)) <= _MAX_LINES:
            returned = [one.value for one in every(node) if isinstance(one, ast.Return)]
            if any(one is not None and self.are_in(one) for one in returned):
                self._names.add(node.name)

    def are_in(self, node: ast.expr) -> bool:
        """Whether an expression asks for a release, or for what a class takes, or has the answer."""
        return any(map(self._is_asking, every(node)))

    def _is_asking(self, node: ast.AST) -> bool:
        name = last_name(node)
        if name in _ASKING or (isinstance(node, ast.Name) and name in self._names):
            return True
        if not isinstance(node, ast.Call):
            return False
        called = last_name(node.func)
        if called == "hasattr" and node.args:
            of = last_name(node.args[0])
            return of[:1].isupper() or of in self._modules or of == "__init__"
        return called in _ASKING_CALLS
