"""What the names of a program stand for, as far as its text alone shows.

A name counts when the program gives it one meaning in one place that surely runs before. What is
computed, handed in, or set in a branch is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Any
from cfglint.source.python_nodes import children

#: With a call of one of these, any name may have another value.
_HIDING = frozenset({"exec", "globals", "locals", "vars", "setattr"})
#: Deeper literals, and longer ones, are not followed.
_MAX_DEPTH = 6
_CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
_MAX_ITEMS = 200
_MAX_NUMBER = 1e18
#: Longer texts are not put together.
_MAX_TEXT = 2_000
_PLAIN = (str, bool, int, float, type(None))
#: What has a name of its own that it gives a meaning to.
NAMED = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
)
#: What has a scope of its own when it is called.
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

#: What says something about a name, besides names themselves.
_TELLING = frozenset({ast.Call, ast.Try, ast.arg, ast.Import, ast.ImportFrom, *NAMED})
_SCOPED = frozenset({*FUNCTIONS, ast.ClassDef})
_WITH_STATEMENTS = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)


class _Set(NamedTuple):
    """What a name is set to."""

    value: ast.expr
    #: The functions that it is in, from the outermost one.
    scope: tuple[int, ...]
    line: int


class Names:
    """The names of a program, and its calls in the order of the text."""

    def __init__(self) -> None:
        self.calls: list[ast.Call] = []
        #: All nodes of the program, in no order.
        self.nodes: list[ast.AST] = []
        self._imports: dict[str, str | None] = {}
        self._bindings: dict[str, int] = {}
        self._values: dict[str, _Set] = {}
        self._scopes: dict[int, tuple[int, ...]] = {}
        self._hides = False
        self._packages: set[str] = set()
        #: The names in what only runs without a package, which set nothing when it is there.
        self._placeholders: set[int] = set()

    @property
    def packages(self) -> frozenset[str]:
        """The packages that the program imports."""
        return frozenset(self._packages)

    def imported(self, node: ast.expr) -> str | None:
        """The package and the last name of what an expression is imported from; None if unclear.

        `trainers.Config` is `package.Config` after `import package.trainers as trainers`.
        """
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name):
            origin = None if self._bindings.get(node.id) else self._imports.get(node.id)
        else:
            origin = _loaded_module(node)
        if origin is None:
            return None
        package, _, inner = origin.partition(".")
        last = parts[0] if parts else inner.rpartition(".")[2]
        return f"{package}.{last}" if last else None

    def expression(self, node: ast.expr, call: ast.Call) -> ast.expr:
        """What an expression in a call means: what its name is set to, if that is certain, or the expression itself."""
        if not isinstance(node, ast.Name):
            return node
        return self.held(node.id, self._scopes.get(id(call), ()), call.lineno) or node

    def is_made_by(self, origin: str, node: ast.expr | None, call: ast.Call) -> bool:
        """Whether an expression in a call is surely a call of what is imported from somewhere, itself or by its name."""
        made = self.expression(node, call) if node is not None else None
        return isinstance(made, ast.Call) and self.imported(made.func) == origin

    def value(self, node: ast.expr, call: ast.Call) -> Any:
        """The value of an expression in a call, as plain data; `UNKNOWN` if only a run decides it."""
        return self.value_in(node, self._scopes.get(id(call), ()), call.lineno)

    def value_in(self, node: ast.expr, scope: tuple[int, ...], line: int) -> Any:
        """The same for an expression in a line of a function, which is the last of those that are around it."""
        try:
            return self._plain(node, scope, line, _MAX_DEPTH)
        except (ArithmeticError, TypeError, ValueError):
            return UNKNOWN

    def held(self, name: str, scope: tuple[int, ...], line: int) -> ast.expr | None:
        """What a name is set to, if that is certain in a line of a function."""
        held = self._values.get(name)
        return held.value if held is not None and self._holds(name, held, scope, line) else None

    def _plain(self, node: ast.expr, scope: tuple[int, ...], line: int, depth: int) -> Any:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, _PLAIN) else UNKNOWN
        if depth == 0:
            return UNKNOWN
        depth -= 1
        if isinstance(node, ast.Name):
            held = self._values.get(node.id)
            if held is None or not self._holds(node.id, held, scope, line):
                return UNKNOWN
            # What is in a list or a mapping may have changed since.
            if isinstance(held.value, _CONTAINERS):
                return UNKNOWN
            return self._plain(held.value, held.scope, held.line, depth)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            if len(node.elts) > _MAX_ITEMS:
                return UNKNOWN
            items = [self._plain(one, scope, line, depth) for one in node.elts]
            return UNKNOWN if any(one is UNKNOWN for one in items) else items
        if isinstance(node, ast.Dict):
            return self._table(node, scope, line, depth)
        if isinstance(node, ast.UnaryOp):
            return _negated(node.op, self._plain(node.operand, scope, line, depth))
        if isinstance(node, ast.JoinedStr):
            return self._joined(node, scope, line, depth)
        if isinstance(node, ast.BinOp):
            left = self._plain(node.left, scope, line, depth)
            right = self._plain(node.right, scope, line, depth)
            return _computed(node.op, left, right)
        return UNKNOWN

    def _joined(self, node: ast.JoinedStr, scope: tuple[int, ...], line: int, depth: int) -> Any:
        """An f-string of known texts and numbers, without a format."""
        parts = []
        for part in node.values[:_MAX_ITEMS]:
            if isinstance(part, ast.FormattedValue):
                is_plain = part.conversion == -1 and part.format_spec is None
                value = self._plain(part.value, scope, line, depth) if is_plain else UNKNOWN
            else:
                value = self._plain(part, scope, line, depth)
            if not isinstance(value, (str, bool, int, float)):
                return UNKNOWN
            parts.append(str(value))
        return "".join(parts) if sum(map(len, parts)) <= _MAX_TEXT else UNKNOWN

    def _table(self, node: ast.Dict, scope: tuple[int, ...], line: int, depth: int) -> Any:
        table: dict[Any, Any] = {}
        if len(node.keys) > _MAX_ITEMS:
            return UNKNOWN
        for key, item in zip(node.keys, node.values, strict=True):
            name = UNKNOWN if key is None else self._plain(key, scope, line, depth)
            value = self._plain(item, scope, line, depth)
            if name is UNKNOWN or value is UNKNOWN or isinstance(name, (list, dict)):
                return UNKNOWN
            table[name] = value
        return table

    def _holds(self, name: str, held: _Set, scope: tuple[int, ...], line: int) -> bool:
        """Whether a name surely has its value at a place."""
        if self._hides or self._bindings.get(name) != 1 or name in self._imports:
            return False
        if scope[: len(held.scope)] != held.scope:
            return False
        # A function may be called before what follows it has run.
        return held.line < line or (not held.scope and bool(scope))

    def collect(self, tree: ast.Module) -> None:
        """Look through a program."""
        waiting: list[tuple[ast.AST, tuple[int, ...]]] = [(tree, ())]
        keep = self.nodes.append
        while waiting:
            node, scope = waiting.pop()
            keep(node)
            kind = type(node)
            # Half of all nodes are names and constants.
            if isinstance(node, ast.Name):
                if not isinstance(node.ctx, ast.Load) and id(node) not in self._placeholders:
                    self._bind(node.id)
                continue
            if kind is ast.Constant:
                continue
            if kind in _TELLING:
                self._look_at(node, scope)
            inner = (*scope, id(node)) if kind in _SCOPED else scope
            if isinstance(node, _WITH_STATEMENTS):
                for statement in node.body:
                    self._keep_value(statement, inner)
            waiting += [(child, inner) for child in children(node)]
        self.calls.sort(key=lambda call: (call.lineno, call.col_offset))

    def _look_at(self, node: ast.AST, scope: tuple[int, ...]) -> None:
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in _HIDING:
                self._hides = True
            self.calls.append(node)
            self._scopes[id(node)] = scope
        elif isinstance(node, ast.Try):
            self._placeholders.update(map(id, _placeholders(node)))
        elif isinstance(node, ast.arg):
            self._bind(node.arg)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                self._import(alias.asname or whole, whole)
        elif isinstance(node, ast.ImportFrom):
            if not node.level and node.module:
                for alias in node.names:
                    self._import(alias.asname or alias.name, f"{node.module}.{alias.name}")
            else:
                for alias in node.names:
                    self._bind(alias.asname or alias.name)
        elif isinstance(node, NAMED):
            self._bind(node.name)

    def _bind(self, name: str | None) -> None:
        if name is not None:
            self._bindings[name] = self._bindings.get(name, 0) + 1

    def _import(self, name: str, origin: str) -> None:
        self._packages.add(origin.partition(".")[0])
        known = self._imports.setdefault(name, origin)
        if known is not None and known != origin:
            # The same class, imported from another module of the same package, is the same.
            ends = {(one.partition(".")[0], one.rpartition(".")[2]) for one in (known, origin)}
            if len(ends) > 1:
                self._imports[name] = None

    def _keep_value(self, statement: ast.stmt, scope: tuple[int, ...]) -> None:
        """Keep what a plain assignment sets."""
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target: ast.expr = statement.targets[0]
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target = statement.target
        else:
            return
        if isinstance(target, ast.Name):
            assert statement.value is not None
            self._values[target.id] = _Set(statement.value, scope, statement.lineno)
            module = _loaded_module(statement.value)
            if module is not None:
                self._import(target.id, module)
                self._placeholders.add(id(target))


def _placeholders(node: ast.Try) -> Iterator[ast.Name]:
    """The names that an `except` sets to a constant because their import failed: `SFTConfig = None`."""
    imports = (one for one in node.body if isinstance(one, ast.Import | ast.ImportFrom))
    imported = {alias.asname or alias.name for one in imports for alias in one.names}
    for handler in node.handlers:
        for statement in handler.body if imported else ():
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
                for target in statement.targets:
                    if isinstance(target, ast.Name) and target.id in imported:
                        yield target


def named_keywords(call: ast.Call) -> dict[str, ast.keyword]:
    """The keywords of a call by name, without those that come from a mapping."""
    return {one.arg: one for one in call.keywords if one.arg is not None}


def _loaded_module(node: ast.AST) -> str | None:
    """The module that a call of `importlib.import_module` gives back; None for anything else."""
    if not isinstance(node, ast.Call) or last_name(node.func) != "import_module":
        return None
    name = node.args[0] if len(node.args) == 1 else None
    text = name.value if isinstance(name, ast.Constant) else None
    return text if isinstance(text, str) and text.replace(".", "").isidentifier() else None


def last_name(node: ast.AST | None) -> str:
    """`Config` of `Config` and of `package.Config`; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def names_of(tree: ast.Module) -> Names:
    """The names and calls of a program."""
    names = Names()
    names.collect(tree)
    return names


def _negated(operator: ast.unaryop, value: Any) -> Any:
    if value is UNKNOWN:
        return UNKNOWN
    if isinstance(operator, ast.Not):
        return not value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return UNKNOWN
    return -value if isinstance(operator, ast.USub) else UNKNOWN


def _computed(operator: ast.operator, left: Any, right: Any) -> Any:
    """The result for two numbers of a usual size, or two texts that are joined; `UNKNOWN` for all else."""
    if isinstance(left, str) and isinstance(right, str) and isinstance(operator, ast.Add):
        return left + right if len(left) + len(right) <= _MAX_TEXT else UNKNOWN
    for one in (left, right):
        if isinstance(one, bool) or not isinstance(one, (int, float)) or abs(one) > _MAX_NUMBER:
            return UNKNOWN
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right
    if isinstance(operator, ast.Div):
        return left / right
    if isinstance(operator, ast.FloorDiv):
        return left // right
    if isinstance(operator, ast.Mod):
        return left % right
    if isinstance(operator, ast.Pow) and abs(right) <= 64 and abs(left) <= 64:
        found = left**right
        return UNKNOWN if isinstance(found, complex) else found
    return UNKNOWN
