"""Finds the small changes that would make a module of Python mean something else.

A mutation is an edit of the text, at a position that `ast` and `tokenize` tell. What no test should
have to notice is left alone: annotations, blocks for type checkers, assertions, what is raised, text
with placeholders, `__repr__`, decorators, and conditions on the Python or the system that runs.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

#: Integers above this are sizes and limits, where one more or less means nothing.
_MAX_INTEGER = 100
#: Arguments that change how fast something is or how strictly it is tested, but no outcome.
_WITHOUT_EFFECT = frozenset({"strict", "maxsize", "encoding", "stacklevel"})
_SYSTEM = ("sys.version_info", "sys.platform", "os.name")
#: What is done to the source: kind -> in words.
KINDS = {
    "comparison": "the opposite comparison: `<` to `>=`, `==` to `!=`, `in` to `not in`",
    "logic": "`and` to `or`, and the other way round",
    "flag": "True to False, and the other way round",
    "negation": "a `not` left out",
    "bound": "equality let in or shut out: `<` to `<=`",
    "branch": "the other branch of a condition that compares nothing",
    "filter": "a comprehension without its `if`",
    "integer": "a small whole number, one more or one less",
    "arithmetic": "`+` to `-`, `&` to `|`, `<<` to `>>`, and the other way round",
    "loop": "`break` to `continue`, and the other way round",
}

_COMPARISONS: dict[type[ast.cmpop], tuple[tuple[str, str], ...]] = {
    ast.Lt: (("bound", "<="), ("comparison", ">=")),
    ast.LtE: (("bound", "<"), ("comparison", ">")),
    ast.Gt: (("bound", ">="), ("comparison", "<=")),
    ast.GtE: (("bound", ">"), ("comparison", "<")),
    ast.Eq: (("comparison", "!="),),
    ast.NotEq: (("comparison", "=="),),
    ast.Is: (("comparison", "is not"),),
    ast.IsNot: (("comparison", "is"),),
    ast.In: (("comparison", "not in"),),
    ast.NotIn: (("comparison", "in"),),
}
_OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
#: What is in no expression of numbers.
_NO_NUMBERS = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)


class Mutation(NamedTuple):
    """One edit of a module's text."""

    #: Offsets in characters.
    start: int
    end: int
    before: str
    after: str
    #: What was done, one of `KINDS`.
    kind: str
    #: Where it stands; both count from 1.
    line: int
    column: int
    #: First and last line of the function around it; the first is 0 when there is none.
    scope: tuple[int, int]

    def apply(self, text: str) -> str:
        """The module's text with the edit made."""
        assert text[self.start : self.end] == self.before
        return text[: self.start] + self.after + text[self.end :]


def mutations(text: str) -> list[Mutation]:
    """Every mutation of a module, in the order of the text.

    Raises:
        SyntaxError: the text is not a Python module.
    """
    finder = _Finder(text)
    finder.visit(ast.parse(text))
    return sorted(finder.found)


class _Word(NamedTuple):
    """A token, with offsets in characters."""

    start: int
    end: int
    text: str


class _Finder(ast.NodeVisitor):
    """Collects the mutations of one module."""

    def __init__(self, text: str) -> None:
        self.found: list[Mutation] = []
        self._text = text
        self._lines = io.StringIO(text, newline="").readlines()
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self._scope = (0, len(self._lines))
        self._in_function = False
        self._words = [
            _Word(self._at(*token.start), self._at(*token.end), token.string)
            for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline)
            if token.type in (tokenize.OP, tokenize.NAME)
        ]

    # ------------------------------------------------------------------ positions

    def _at(self, row: int, column: int) -> int:
        return self._starts[row - 1] + column if row <= len(self._lines) else self._starts[-1]

    def _offset(self, row: int, column: int) -> int:
        """The offset of a position that counts bytes, as those of `ast` do."""
        line = self._lines[row - 1]
        if not line.isascii():
            column = len(line.encode()[:column].decode())
        return self._starts[row - 1] + column

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._offset(node.lineno, node.col_offset),
            self._offset(node.end_lineno, node.end_col_offset),
        )

    def _between(self, left: ast.expr, right: ast.expr, text: str) -> tuple[int, int]:
        """Where an operator of one or two words stands between its operands."""
        start, end = self._span(left)[1], self._span(right)[0]
        wanted = text.split()
        words = [w for w in self._words if start <= w.start and w.end <= end and w.text in wanted]
        assert [word.text for word in words] == wanted, text
        return words[0].start, words[-1].end

    def _add(self, span: tuple[int, int], after: str, kind: str) -> None:
        start, end = span
        row = next(n for n, first in enumerate(self._starts) if first > start)
        self.found.append(
            Mutation(
                start=start,
                end=end,
                before=self._text[start:end],
                after=after,
                kind=kind,
                line=row,
                column=start - self._starts[row - 1] + 1,
                scope=self._scope,
            )
        )

    # ------------------------------------------------------------------ what is left alone

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.name == "__repr__":
            return
        if any(ast.unparse(d).endswith("overload") for d in node.decorator_list):
            return
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        outer = (self._scope, self._in_function)
        self._scope = (node.lineno, node.end_lineno or node.lineno)
        self._in_function = True
        for statement in node.body:
            self.visit(statement)
        self._scope, self._in_function = outer

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """What a refusal says is not an outcome."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """Assertions tell types what cannot be otherwise."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Positions inside are right from Python 3.12 on only; and they are words for people."""

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in _WITHOUT_EFFECT:
            self.visit(node.value)

    def visit_MatchValue(self, node: ast.MatchValue) -> None:
        """A pattern is not an expression."""

    # ------------------------------------------------------------------ conditions

    def visit_If(self, node: ast.If) -> None:
        test = ast.unparse(node.test)
        if test.startswith("__name__ =="):
            return
        if test.endswith("TYPE_CHECKING") or any(name in test for name in _SYSTEM):
            for statement in node.orelse:
                self.visit(statement)
            return
        self._branches(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        if any(name in ast.unparse(node.test) for name in _SYSTEM):
            return
        self._branches(node.test)
        self.generic_visit(node)

    def _branches(self, test: ast.expr) -> None:
        """The other branch is taken."""
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return  # comparing the other way round is the same
        if isinstance(test, (ast.UnaryOp, ast.Constant)):
            return
        start, end = self._span(test)
        self._add((start, end), f"not ({self._text[start:end]})", "branch")

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._add(self._span(test), "True", "filter")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        if any(name in ast.unparse(node) for name in _SYSTEM):
            return
        operands = [node.left, *node.comparators]
        for index, operator in enumerate(node.ops):
            text = ast.unparse(ast.Compare(ast.Name("a"), [operator], [ast.Name("b")]))[2:-2]
            span = self._between(operands[index], operands[index + 1], text)
            for kind, after in _COMPARISONS[type(operator)]:
                self._add(span, after, kind)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        before, after = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._add(self._between(left, right, before), after, "logic")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            start = self._span(node)[0]
            end = start + len("not")
            self._add((start, end + (self._text[end] == " ")), "", "negation")
        self.generic_visit(node)

    # ------------------------------------------------------------------ values and steps

    def visit_Constant(self, node: ast.Constant) -> None:
        span, value = self._span(node), node.value
        if isinstance(value, bool):
            self._add(span, str(not value), "flag")
        elif (
            isinstance(value, int) and value <= _MAX_INTEGER and self._text[slice(*span)].isdigit()
        ):
            self._add(span, str(value + 1), "integer")
            self._add(span, str(value - 1), "integer")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in _OPERATORS and self._in_function and not _concatenates(node):
            before, after = _OPERATORS[type(node.op)]
            self._add(self._between(node.left, node.right, before), after, "arithmetic")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in _OPERATORS and not isinstance(node.value, _NO_NUMBERS):
            before, after = _OPERATORS[type(node.op)]
            span = self._between(node.target, node.value, f"{before}=")
            self._add(span, f"{after}=", "arithmetic")
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self._add(self._span(node), "continue", "loop")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._add(self._span(node), "break", "loop")


def _concatenates(node: ast.BinOp) -> bool:
    """Whether texts or lists are joined, which knows no minus."""
    return any(
        isinstance(side, _NO_NUMBERS)
        or (isinstance(side, ast.Constant) and isinstance(side.value, (str, bytes)))
        or (isinstance(side, ast.BinOp) and isinstance(side.op, ast.Add) and _concatenates(side))
        for side in (node.left, node.right)
    )


def every_mutation(sources: dict[str, str]) -> Iterator[tuple[str, Mutation]]:
    """The mutations of several modules, in the order of their paths."""
    for path in sorted(sources):
        for mutation in mutations(sources[path]):
            yield path, mutation
