"""The scopes of a program: what gives each name its meaning, and where the name is used.

`python_names` knows the names of a whole program; here the same name may be something else in each function.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Literal
from cfglint.source.python_names import FUNCTIONS, NAMED
from cfglint.source.python_nodes import children

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_WITH_SCOPES = frozenset({*FUNCTIONS, *_COMPREHENSIONS, ast.ClassDef})
#: What says something about names, besides names themselves.
_TELLING = frozenset(
    {
        *(ast.Call, ast.Attribute, ast.Return, ast.arg, ast.Import, ast.ImportFrom, *NAMED),
        *(ast.Global, ast.Nonlocal),
    }
)
Function = ast.FunctionDef
#: How the methods of a class call its objects.
_SELF = "self"


class Binding(NamedTuple):
    """What gives a name a meaning."""

    #: An assignment, the file of a `with`, a parameter, a function, or anything else.
    kind: Literal["set", "with", "parameter", "function", "other"]
    #: The value, the function (also that of a parameter), or what else it is.
    node: ast.AST
    scope: NameScope


class NameScope:
    """A module, a function, a class, or a comprehension."""

    def __init__(self, node: ast.AST, above: NameScope | None) -> None:
        self.node = node
        self.above = above
        self.bindings: dict[str, list[Binding]] = {}
        self.uses: dict[str, list[ast.Name]] = {}

    def home(self, name: str) -> NameScope | None:
        """The scope that a name is of when it is used in this one; None for a built-in one."""
        scope: NameScope | None = self
        while scope is not None:
            if name in scope.bindings and (
                scope is self or not isinstance(scope.node, ast.ClassDef)
            ):
                return scope
            scope = scope.above
        return None


class Scopes:
    """The scopes of a program, and what each part of it is a part of."""

    def __init__(self, tree: ast.Module) -> None:
        self.calls: list[ast.Call] = []
        #: Name -> where an attribute of that name is set, of whatever.
        self.attribute_sets: dict[str, list[ast.Attribute]] = {}
        self._read_attributes: list[ast.Attribute] = []
        self._returns: dict[int, list[ast.Return]] = {}
        self._parents: dict[int, ast.AST] = {}
        self._scopes: dict[int, NameScope] = {}
        self._inner: dict[int, NameScope] = {}
        self._shared: set[str] = set()
        self._module = NameScope(tree, None)
        self._collect(tree)

    @property
    def set_attributes(self) -> Collection[str]:
        """The attributes that something is assigned to, of whatever."""
        return self.attribute_sets.keys()

    def attributes(self, name: str) -> list[ast.Attribute]:
        """Where an attribute of a name is read, of whatever."""
        return [one for one in self._read_attributes if one.attr == name]

    def is_set(self, attribute: str) -> bool:
        """Whether an attribute of a name is set to something, of whatever but `self`."""
        places = self.attribute_sets.get(attribute, ())
        return any(getattr(one.value, "id", "") != _SELF for one in places)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """What a node is a part of."""
        return self._parents.get(id(node))

    def scope(self, node: ast.AST) -> NameScope | None:
        """The scope of a name or a call."""
        return self._scopes.get(id(node))

    def inner(self, function: ast.AST) -> NameScope | None:
        """The scope that a function is."""
        return self._inner.get(id(function))

    def is_builtin(self, name: ast.Name) -> bool:
        """Whether the program gives a name no meaning of its own."""
        scope = self.scope(name)
        return scope is not None and scope.home(name.id) is None

    def binding(self, name: ast.Name) -> Binding | None:
        """What gives a name its meaning; None if there is nothing, or several things may."""
        found = self.bindings(name)
        return found[0] if len(found) == 1 else self._opened(name, found)

    def _opened(self, name: ast.Name, found: list[Binding]) -> Binding | None:
        """The file of the `with` around a name, where all `with` of the program use the same one."""
        if not found or any(one.kind != "with" for one in found):
            return None
        at: ast.AST | None = name
        while at is not None and not isinstance(at, FUNCTIONS):
            for item in at.items if isinstance(at, ast.With) else ():
                opened = item.context_expr
                one = next((one for one in found if one.node is opened), None)
                if one is not None:
                    # Its own expression is computed before.
                    return None if self._is_within(name, opened) else one
            at = self.parent(at)
        return None

    def _is_within(self, node: ast.AST, outer: ast.AST) -> bool:
        """Whether a node is a part of another one."""
        at: ast.AST | None = node
        while at is not None and at is not outer:
            at = self.parent(at)
        return at is not None

    def bindings(self, name: ast.Name) -> list[Binding]:
        """All that gives a name its meaning; nothing if other functions may, too."""
        scope = self.scope(name)
        home = scope.home(name.id) if scope is not None else None
        return [] if home is None or name.id in self._shared else home.bindings[name.id]

    def uses(self, name: str, scope: NameScope) -> list[ast.Name] | None:
        """Where a name of a scope is read; None if it may have another meaning there."""
        if name in self._shared or len(scope.bindings.get(name, ())) != 1:
            return None
        return scope.uses.get(name, [])

    def function(self, node: ast.expr) -> Function | None:
        """The function of the program that an expression names."""
        held = self.binding(node) if isinstance(node, ast.Name) else None
        if held is None or not isinstance(held.node, Function) or held.kind != "function":
            return None
        return None if held.node.decorator_list else held.node

    def function_named(self, name: str) -> Function | None:
        """The function that other modules get when they import a name."""
        found = self._module.bindings.get(name, [])
        node = found[0].node if len(found) == 1 and name not in self._shared else None
        return node if isinstance(node, Function) and not node.decorator_list else None

    def imported_as(self, name: str) -> tuple[str, str] | None:
        """The module, with its dots, and the name there of what other modules import from this one, which imports it, too."""
        found = self._module.bindings.get(name, [])
        node = found[0].node if len(found) == 1 else None
        if not isinstance(node, ast.ImportFrom):
            return None
        names = {one.asname or one.name: one.name for one in node.names}
        return "." * node.level + (node.module or ""), names[name]

    def returned(self, function: Function) -> ast.expr | None:
        """The value of the only `return` of a function."""
        found = self._returns.get(id(function), ())
        return found[0].value if len(found) == 1 else None

    def only_call(self, function: ast.AST) -> ast.Call | None:
        """The call of a function that is called once and handed on nowhere; of a class, for what makes its objects."""
        scope = self._scopes.get(id(function))
        if not isinstance(function, Function) or scope is None:
            return None
        if isinstance(scope.node, ast.ClassDef):
            return self._only_made(scope.node) if function.name == "__init__" else None
        uses = self.uses(function.name, scope) or []
        parent = self.parent(uses[0]) if len(uses) == 1 else None
        return parent if isinstance(parent, ast.Call) and parent.func is uses[0] else None

    def _only_made(self, cls: ast.ClassDef) -> ast.Call | None:
        """The call that makes an object of a class, if there is one only, and no class derives from it."""
        scope = self._scopes.get(id(cls))
        uses = (self.uses(cls.name, scope) or []) if scope is not None else []
        parents = [(use, self.parent(use)) for use in uses]
        if any(isinstance(parent, ast.ClassDef) for _, parent in parents):
            return None
        calls = [one for use, one in parents if isinstance(one, ast.Call) and one.func is use]
        return calls[0] if len(calls) == 1 else None

    def _collect(self, tree: ast.Module) -> None:
        names: list[ast.Name] = []
        waiting: list[tuple[ast.AST, NameScope]] = [(tree, self._module)]
        while waiting:
            node, scope = waiting.pop()
            if isinstance(node, ast.Name):
                self._scopes[id(node)] = scope
                if isinstance(node.ctx, ast.Load):
                    names.append(node)
                else:
                    self._bind(node.id, self._meaning(node, scope))
                continue
            kind = type(node)
            if kind is ast.Constant:
                continue
            if kind in _TELLING:
                self._look_at(node, scope)
            inner = scope
            if kind in _WITH_SCOPES:
                inner = self._inner[id(node)] = NameScope(node, scope)
            below = children(node)
            self._parents.update(dict.fromkeys(map(id, below), node))
            if kind is ast.arguments and scope.above is not None:
                # Defaults are computed where the function is.
                above = scope.above
                waiting += [(one, inner if type(one) is ast.arg else above) for one in below]
            else:
                waiting += [(one, inner) for one in below]
        for name in names:
            home = self._scopes[id(name)].home(name.id)
            if home is not None:
                home.uses.setdefault(name.id, []).append(name)

    def _look_at(self, node: ast.AST, scope: NameScope) -> None:
        if isinstance(node, ast.Call):
            self.calls.append(node)
            self._scopes[id(node)] = scope
        elif isinstance(node, ast.Attribute):
            if isinstance(node.ctx, ast.Load):
                self._read_attributes.append(node)
            else:
                self.attribute_sets.setdefault(node.attr, []).append(node)
        elif isinstance(node, ast.Return):
            self._scopes[id(node)] = scope
            self._returns.setdefault(id(scope.node), []).append(node)
        elif isinstance(node, ast.arg):
            self._bind(node.arg, Binding("parameter", scope.node, scope))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                self._bind(name, Binding("other", node, scope))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            self._shared.update(node.names)
        elif isinstance(node, NAMED) and node.name is not None:
            kind: Literal["function", "other"] = (
                "function" if isinstance(node, Function) else "other"
            )
            self._scopes[id(node)] = scope
            self._bind(node.name, Binding(kind, node, scope))

    def _meaning(self, name: ast.Name, scope: NameScope) -> Binding:
        """What a name is given where it is not read."""
        parent = self.parent(name)
        if isinstance(parent, ast.Assign) and parent.targets == [name]:
            return Binding("set", parent.value, scope)
        if isinstance(parent, ast.AnnAssign) and parent.value is not None:
            return Binding("set", parent.value, scope)
        if isinstance(parent, ast.withitem):
            return Binding("with", parent.context_expr, scope)
        return Binding("other", name, scope)

    @staticmethod
    def _bind(name: str, binding: Binding) -> None:
        binding.scope.bindings.setdefault(name, []).append(binding)
