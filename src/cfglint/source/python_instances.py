"""Objects of a program's own classes that hold what it loads: `self.config = config`, `TrainingConfig(**config)`."""

from __future__ import annotations

import ast

from cfglint.source.python_names import last_name
from cfglint.source.python_scopes import Scopes

_MADE_BY = "__init__"
#: A class with one of these may change what it is given.
_CHANGING = ("__post_init__", "model_post_init", "__setattr__", "__getattribute__")
#: What makes a class from its fields: a decorator, or the class that it derives from.
_OF_FIELDS = frozenset({"dataclass", "BaseModel", "BaseSettings"})


class Instances:
    """The classes of one program."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes

    def constructor(self, node: ast.expr) -> ast.FunctionDef | None:
        """What makes the objects of a class of the program that an expression names."""
        cls = self._class(node)
        return None if cls is None or cls.decorator_list else _method(cls, _MADE_BY)

    def attribute(self, node: ast.Attribute) -> ast.expr | None:
        """What an attribute of `self` is set to, if the program sets one of that name only once, as it makes the object."""
        method, cls = self._method_around(node)
        set_at = self._scopes.attribute_sets.get(node.attr, [])
        if method is None or cls is None or len(set_at) != 1:
            return None
        if not _is_self(node.value, method):
            return None
        target = set_at[0]
        home, own = self._method_around(target)
        if home is None or own is not cls or home.name != _MADE_BY:
            return None
        statement = self._scopes.parent(target)
        if isinstance(statement, ast.Assign) and statement.targets != [target]:
            return None
        if not isinstance(statement, (ast.AnnAssign, ast.Assign)):
            return None
        return statement.value if _is_self(target.value, home) else None

    def held(self, target: ast.expr) -> list[ast.Attribute] | None:
        """Where what an attribute of `self` is set to may be read; None for any other target."""
        if not isinstance(target, ast.Attribute):
            return None
        method, cls = self._method_around(target)
        if method is None or not _is_self(target.value, method):
            return None
        places = self._scopes.attributes(target.attr)
        return [one for one in places if self._is_of(one.value, cls)]

    def _is_of(self, node: ast.expr, cls: ast.ClassDef | None) -> bool:
        """Whether an expression may be an object of a class: `self` in it, or a name that is set to one."""
        method, own = self._method_around(node)
        if method is not None and _is_self(node, method):
            return own is cls
        held = self._scopes.binding(node) if isinstance(node, ast.Name) else None
        made = None if held is None else held.node
        return isinstance(made, ast.Call) and self._class(made.func) is cls

    def record(self, node: ast.expr) -> ast.ClassDef | None:
        """The class that an expression names, if its objects are nothing but the fields that they are made with."""
        cls = self._class(node)
        if cls is None:
            return None
        made = [*cls.decorator_list, *cls.bases]
        names = [last_name(one.func if isinstance(one, ast.Call) else one) for one in made]
        if not names or not _OF_FIELDS.issuperset(names):
            return None
        methods = [one for one in cls.body if isinstance(one, ast.FunctionDef)]
        if any(one.name in (*_CHANGING, _MADE_BY) or _validates(one) for one in methods):
            return None
        return cls

    def spread(self, call: ast.Call) -> ast.expr | None:
        """The mapping whose items are the fields of the object that a call makes; None for any other call."""
        keyword = call.keywords[0] if len(call.keywords) == 1 and not call.args else None
        if keyword is None or keyword.arg is not None or self.record(call.func) is None:
            return None
        return keyword.value

    def field(
        self, cls: ast.ClassDef, name: str
    ) -> tuple[ast.expr | None, ast.ClassDef | None] | None:
        """(the default of a field, the class that it is an object of); None if there is no such field."""
        for one in cls.body:
            if isinstance(one, ast.AnnAssign) and getattr(one.target, "id", "") == name:
                default: ast.expr | None = one.value
                if isinstance(default, ast.Call):
                    given = {word.arg: word.value for word in default.keywords}
                    default = given.get("default")
                return default, self.record(one.annotation)
        return None

    def _class(self, node: ast.expr) -> ast.ClassDef | None:
        held = self._scopes.binding(node) if isinstance(node, ast.Name) else None
        return held.node if held is not None and isinstance(held.node, ast.ClassDef) else None

    def _method_around(self, node: ast.AST) -> tuple[ast.FunctionDef | None, ast.ClassDef | None]:
        """The method that a node is in, and its class."""
        at: ast.AST | None = node
        while at is not None and not isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef)):
            at = self._scopes.parent(at)
        cls = None if at is None else self._scopes.parent(at)
        if isinstance(at, ast.FunctionDef) and isinstance(cls, ast.ClassDef):
            return at, cls
        return None, None


def _method(cls: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    found = [one for one in cls.body if isinstance(one, ast.FunctionDef) and one.name == name]
    return found[0] if len(found) == 1 and not found[0].decorator_list else None


def _is_self(node: ast.expr, method: ast.FunctionDef) -> bool:
    """Whether an expression is the object that a method is of."""
    first = [one.arg for one in (*method.args.posonlyargs, *method.args.args)][:1]
    return isinstance(node, ast.Name) and [node.id] == first


def _validates(method: ast.FunctionDef) -> bool:
    """Whether a method of a class looks at its fields as they are set."""
    decorators = (one.func if isinstance(one, ast.Call) else one for one in method.decorator_list)
    return any("validator" in last_name(one) for one in decorators)
