"""Where an object of a program comes from: from the trainer that is given a model back to the call that loads it.

What belongs to one run is joined by names alone: a keyword of a call leads to a name, the name to what it is set to, and that to the
call which makes the object. A name that is set several times (`model = load(…)`, `model = wrap(model)`) has the value of the last
assignment before the use, if every assignment in question surely runs, in the order of the text; one in a branch, a loop or another
function makes it unknown. Functions of the program are followed through their only `return`, parameters through the only call.

What happens to the object on the way is collected: the calls that it is passed through, and the names of all that is done with
it. What these mean, frameworks know.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.record import NamedTuple
from cfglint.source.python_names import FUNCTIONS, last_name
from cfglint.source.python_paths import arguments_of
from cfglint.source.python_scopes import Binding, Scopes

#: Longer chains are not followed.
_MAX_DEPTH = 12
#: What a name is used for is looked at this often at most.
_MAX_USES = 200
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_BLOCKS = ("body", "orelse", "finalbody")
#: Something is done with an object that has no name.
ANYTHING = "?"


class ObjectOrigin(NamedTuple):
    """An object, by the call that makes it."""

    call: ast.Call
    #: Which of several results of the call it is; None for the only one.
    item: int | None = None
    #: The calls that it is passed through afterwards, in their order.
    through: tuple[ast.Call, ...] = ()
    #: What else is done with it: `name` for a function that it is handed to, `.name` for an attribute or a method of it.
    used: frozenset[str] = frozenset()


class Objects:
    """Follows the objects of one program.

    Args:
        through: the functions that give back what they are given first, in another state.
        methods: the methods that give back their object.
    """

    def __init__(self, scopes: Scopes, through: frozenset[str], methods: frozenset[str]) -> None:
        self._scopes = scopes
        self._through = through
        self._methods = methods

    def made(self, node: ast.expr) -> ObjectOrigin | None:
        """The object that an expression is; None if that is not certain."""
        return self._made(node, _MAX_DEPTH)

    def value(self, node: ast.expr) -> ast.expr | None:
        """What an expression is, through names alone: a call, a literal; None if that is not certain."""
        for _ in range(_MAX_DEPTH):
            if not isinstance(node, ast.Name):
                return node
            reached = self._reached(node)
            if reached is None or reached[1] is not None:
                return None
            node = reached[0]
        return None

    def _made(self, node: ast.expr, depth: int) -> ObjectOrigin | None:
        if depth == 0:
            return None
        if isinstance(node, ast.Name):
            return self._of_name(node, depth - 1)
        if not isinstance(node, ast.Call):
            return None
        method = node.func
        if isinstance(method, ast.Attribute) and method.attr in self._methods:
            found = self._made(method.value, depth - 1)
            if found is not None:
                return found._replace(used=found.used | {f".{method.attr}"})
        if last_name(method) in self._through:
            given = _first(node)
            found = None if given is None else self._made(given, depth - 1)
            return None if found is None else found._replace(through=(*found.through, node))
        returned = self._returned(node)
        if returned is None:
            return ObjectOrigin(node) if self._scopes.function(node.func) is None else None
        return self._made(returned, depth - 1)

    def _of_name(self, node: ast.Name, depth: int) -> ObjectOrigin | None:
        reached = self._reached(node)
        if reached is None:
            return None
        value, item = reached
        if item is not None and isinstance(value, ast.Call):
            returned = self._returned(value)
            if isinstance(returned, ast.Tuple):
                value, item = returned.elts[min(item, len(returned.elts) - 1)], None
            elif self._scopes.function(value.func) is not None:
                return None
        found = self._made(value, depth)
        if found is None or (item is not None and found.item is not None):
            return None
        used = found.used | self._uses(node)
        return found._replace(item=found.item if item is None else item, used=used)

    def _returned(self, call: ast.Call) -> ast.expr | None:
        """What a function of the program gives back."""
        function = self._scopes.function(call.func)
        return None if function is None else self._scopes.returned(function)

    # ------------------------------------------------------------------ which assignment counts

    def _reached(self, node: ast.Name) -> tuple[ast.expr, int | None] | None:
        """The value of a name where it is used, and which item of it the name has."""
        bindings = self._scopes.bindings(node)
        if len(bindings) == 1 and bindings[0].kind == "parameter":
            call = self._scopes.only_call(bindings[0].node)
            given = None if call is None else arguments_of(call, bindings[0].node)
            value = None if given is None else given.get(node.id)
            return None if value is None else (value, None)
        found = [one for one in map(self._assigned, bindings) if one is not None]
        if len(found) != len(bindings) or not found:
            return None
        scope = self._scopes.scope(node)
        if scope is None or bindings[0].scope is not scope:
            # A function sees what a module has set once, before or after it.
            alone = len(found) == 1 and isinstance(bindings[0].scope.node, ast.Module)
            return found[0].value if alone and self._always_runs(found[0].statement) else None
        before = [one for one in found if _end(one.statement) <= _place(node)]
        last = max(before, key=lambda one: _place(one.statement), default=None)
        if last is None or not self._leads_to(last.statement, node):
            return None
        later = [one.statement for one in found if one not in before]
        return (
            None if any(self._repeats(one, last.statement, node) for one in later) else last.value
        )

    def _assigned(self, binding: Binding) -> _Assigned | None:
        """A plain assignment, of a value or of one of several."""
        parent = self._scopes.parent(binding.node)
        if binding.kind == "set" and isinstance(parent, (ast.Assign, ast.AnnAssign)):
            assert isinstance(binding.node, ast.expr)
            return _Assigned(parent, (binding.node, None))
        name, statement = binding.node, self._scopes.parent(parent) if parent is not None else None
        if (
            binding.kind == "other"
            and isinstance(parent, ast.Tuple)
            and isinstance(statement, ast.Assign)
            and statement.targets == [parent]
            and not any(isinstance(one, ast.Starred) for one in parent.elts)
        ):
            item = next(at for at, one in enumerate(parent.elts) if one is name)
            if isinstance(statement.value, ast.Tuple):
                values = statement.value.elts
                same = len(values) == len(parent.elts)
                return _Assigned(statement, (values[item], None)) if same else None
            return _Assigned(statement, (statement.value, item))
        return None

    def _above(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """What a node is part of, from the inside, within its function; each with the part."""
        parent = self._scopes.parent(node)
        while parent is not None:
            yield parent, node
            if isinstance(parent, FUNCTIONS):
                return
            node, parent = parent, self._scopes.parent(parent)

    def _leads_to(self, statement: ast.stmt, use: ast.AST) -> bool:
        """Whether a statement surely runs before the statement of a use does."""
        home = self._scopes.parent(statement)
        for parent, part in self._above(use):
            if parent is home:
                blocks = (getattr(home, name, None) for name in _BLOCKS)
                return any(
                    isinstance(block, list) and statement in block and part in block
                    for block in blocks
                )
        return False

    def _always_runs(self, statement: ast.stmt) -> bool:
        return isinstance(self._scopes.parent(statement), ast.Module)

    def _repeats(self, later: ast.stmt, last: ast.stmt, use: ast.AST) -> bool:
        """Whether a later assignment may come before the use, in the next round of a loop."""
        loops = {id(one) for one, _ in self._above(use) if isinstance(one, _LOOPS)}
        loops -= {id(one) for one, _ in self._above(last)}
        return any(id(one) in loops for one, _ in self._above(later))

    # ------------------------------------------------------------------ what is done with it

    def _uses(self, node: ast.Name) -> frozenset[str]:
        """What is done with a name up to a use of it."""
        bindings = self._scopes.bindings(node)
        uses = bindings[0].scope.uses.get(node.id, []) if bindings else []
        if len(uses) > _MAX_USES:
            return frozenset({ANYTHING})
        scope = self._scopes.scope(node)
        found = set()
        for use in uses:
            is_later = self._scopes.scope(use) is scope and _place(use) > _place(node)
            if use is not node and (not is_later or self._in_loop(use)):
                found.add(self._use(use))
        return frozenset(found - {""})

    def _in_loop(self, node: ast.AST) -> bool:
        return any(isinstance(one, _LOOPS) for one, _ in self._above(node))

    def _use(self, node: ast.Name) -> str:
        """What a use does with an object; empty for nothing, or for what is followed by itself."""
        parent = self._scopes.parent(node)
        if isinstance(parent, ast.keyword):
            parent = self._scopes.parent(parent)
        if isinstance(parent, ast.Attribute):
            return f".{parent.attr}"
        if isinstance(parent, ast.Call):
            return last_name(parent.func) or ANYTHING
        if isinstance(parent, (ast.Compare, ast.FormattedValue, ast.UnaryOp, ast.If, ast.Return)):
            return ""
        return ANYTHING


class _Assigned(NamedTuple):
    """An assignment of a name."""

    statement: ast.stmt
    #: The value, and which item of it the name has.
    value: tuple[ast.expr, int | None]


def _first(call: ast.Call) -> ast.expr | None:
    """What a function is given first: `wrap(model)`, `wrap(model=model)`."""
    if call.args:
        return None if isinstance(call.args[0], ast.Starred) else call.args[0]
    return next((one.value for one in call.keywords if one.arg == "model"), None)


def _end(node: ast.stmt) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _place(node: ast.AST) -> tuple[int, int]:
    assert isinstance(node, (ast.expr, ast.stmt))
    return node.lineno, node.col_offset
