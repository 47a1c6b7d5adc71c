"""The values that a program has for a keyword as long as it is not given another one: `args.lr` of an option with a default.

A command, a variable of the environment, or another part of the program may give another value.
"""

from __future__ import annotations

import ast

from cfglint.base.logic import UNKNOWN
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import Any
from cfglint.source.calls import CONVERTING
from cfglint.source.python_mappings import Mappings
from cfglint.source.python_names import last_name
from cfglint.source.python_paths import NO_ARGUMENTS, Paths
from cfglint.source.python_scopes import Scopes

#: Longer chains are not followed.
_MAX_DEPTH = 8
#: A text that is longer is no setting.
_MAX_LENGTH = 200
_SWITCHES = {"store_true": False, "store_false": True}
_NONE = ast.Constant(None)
#: With one of these in it, a program may set the default of any option.
_SETTING = ("set_defaults", "parse_known_args", "setattr(")
#: A program without one of these words has none of these defaults.
WORDS = ("add_argument", "environ", "getenv", "class ", "{")


class Default(NamedTuple):
    """The value of a keyword when no other one is given."""

    value: Any
    #: What gives it another one: an option, a variable, or a field of a class.
    name: str
    #: Where the default is.
    node: ast.expr


class Defaults:
    """Finds the defaults of one program.

    Args:
        code: its text.
    """

    def __init__(self, scopes: Scopes, code: str) -> None:
        self._scopes = scopes
        self._paths = Paths(scopes)
        self._sets = any(word in code for word in _SETTING)

    def of(self, node: ast.expr) -> Default | None:
        """The default of an expression; None if it has none, or that is not certain."""
        return self._default(node, _MAX_DEPTH)

    def _default(self, node: ast.expr, depth: int) -> Default | None:
        if depth == 0:
            return None
        if isinstance(node, ast.Name):
            meaning = self._paths.meaning(node, NO_ARGUMENTS)
            return None if meaning is None else self._default(meaning[0], depth - 1)
        if isinstance(node, ast.Attribute):
            return self._option(node) or self._field(node)
        if isinstance(node, ast.Subscript):
            return self._item(node.value, _text(node.slice))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            found = self._default(node.operand, depth - 1)
            return None if found is None else found._replace(value=not found.value)
        if not isinstance(node, ast.Call) or node.keywords:
            return None
        name = last_name(node.func)
        if isinstance(node.func, ast.Name) and name in CONVERTING and len(node.args) == 1:
            if not self._scopes.is_builtin(node.func):
                return None
            found = self._default(node.args[0], depth - 1)
            return None if found is None else _converted(found, name)
        if isinstance(node.func, ast.Attribute) and name == "get" and 0 < len(node.args) <= 2:
            otherwise = node.args[1] if len(node.args) > 1 else _NONE
            found = self._item(node.func.value, _text(node.args[0]), otherwise)
            if found is not None:
                return found
        return _variable(node, name)

    def _option(self, node: ast.Attribute) -> Default | None:
        call = None if self._sets else self._paths.option(node)
        if call is None:
            return None
        given = {one.arg: one.value for one in call.keywords}
        flag = next((one for one in map(_text, call.args) if one.startswith("--")), "")
        if not flag:
            return None
        action, default = _text(given.get("action")), given.get("default")
        if default is None:
            if "action" in given and action not in _SWITCHES:
                return None
            return Default(_SWITCHES.get(action), flag, call)
        value = self._literal(default)
        if value is UNKNOWN or (action and action not in (*_SWITCHES, "store")):
            return None
        found = Default(value, flag, default)
        # argparse converts a default that is a text, and no other one.
        if not isinstance(value, str) or "type" not in given:
            return found
        of = given["type"]
        known = isinstance(of, ast.Name) and of.id in CONVERTING and self._scopes.is_builtin(of)
        return _converted(found, last_name(of)) if known else None

    def _field(self, node: ast.Attribute) -> Default | None:
        """The field of a class of the program, of an object that is made without it: `Settings().lr`."""
        if node.attr in self._scopes.set_attributes or not isinstance(node.value, ast.Name):
            return None
        name = self._class_of(node.value)
        held = None if name is None else self._scopes.binding(name)
        if held is None or not isinstance(held.node, ast.ClassDef):
            return None
        found = _of_class(held.node, node.attr)
        value = UNKNOWN if found is None else self._literal(found)
        if found is None or value is UNKNOWN:
            return None
        return Default(value, f"{held.node.name}.{node.attr}", found)

    def _item(self, node: ast.expr, key: str, otherwise: ast.expr | None = None) -> Default | None:
        """The value in a mapping that is written out and that the program does nothing but read: `SETTINGS["lr"]`.

        Args:
            otherwise: what there is instead when the mapping does not have the key; None for an error.
        """
        table = Mappings(self._scopes).mapping(node) if isinstance(node, ast.Name) and key else None
        if table is None or None in table.keys or not all(map(_text, table.keys)):
            return None
        found = [
            value for one, value in zip(table.keys, table.values, strict=True) if _text(one) == key
        ]
        if not found and otherwise is not None:
            found = [otherwise]
        value = self._literal(found[0]) if len(found) == 1 else UNKNOWN
        return None if value is UNKNOWN else Default(value, f"{last_name(node)}[{key!r}]", found[0])

    def _class_of(self, node: ast.Name) -> ast.Name | None:
        """The name of the class that an object is made of, without arguments, or that the program says it has."""
        meaning = self._paths.meaning(node, NO_ARGUMENTS)
        made = None if meaning is None else meaning[0]
        if isinstance(made, ast.Call):
            plain = not made.args and not made.keywords
            return made.func if plain and isinstance(made.func, ast.Name) else None
        held = self._scopes.binding(node) if made is None else None
        if held is not None and held.kind == "parameter" and isinstance(held.node, ast.FunctionDef):
            of = held.node.args
            every = (*of.posonlyargs, *of.args, *of.kwonlyargs)
            stated = next((one.annotation for one in every if one.arg == node.id), None)
            return stated if isinstance(stated, ast.Name) else None
        return node if made is None else None

    def _literal(self, node: ast.expr) -> Any:
        """A plain value, maybe by a name that is set once."""
        if isinstance(node, ast.Name):
            held = self._scopes.binding(node)
            if held is None or held.kind != "set" or not isinstance(held.node, ast.expr):
                return UNKNOWN
            node = held.node
        return _literal(node)


def _of_class(of: ast.ClassDef, name: str) -> ast.expr | None:
    """What the body of a class sets a name to, if it does so once, and the class alone decides that."""
    plain = {last_name(one.func if isinstance(one, ast.Call) else one) for one in of.decorator_list}
    if of.bases or of.keywords or not plain <= {"dataclass"}:
        return None
    methods = {one.name for one in of.body if isinstance(one, ast.FunctionDef)}
    if methods & {"__init__", "__post_init__", "__new__", "__getattr__", "__getattribute__"}:
        return None
    values = []
    for statement in of.body:
        target: ast.expr | None = None
        if isinstance(statement, ast.AnnAssign):
            target = statement.target
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
        if isinstance(target, ast.Name) and target.id == name:
            assert isinstance(statement, (ast.Assign, ast.AnnAssign))
            values.append(statement.value)
    node = values[0] if len(values) == 1 else None
    if isinstance(node, ast.Call) and last_name(node.func) == "field" and not node.args:
        node = {one.arg: one.value for one in node.keywords}.get("default")
    return node


def _variable(node: ast.Call, name: str) -> Default | None:
    """`os.environ.get("SIZE", "8")` and `os.getenv("SIZE", "8")`."""
    if len(node.args) != 2 or not isinstance(node.func, ast.Attribute):
        return None
    of = last_name(node.func.value)
    if (of, name) not in (("environ", "get"), ("os", "getenv")):
        return None
    value, variable = _literal(node.args[1]), _text(node.args[0])
    if value is UNKNOWN or not variable:
        return None
    return Default(value, f"${variable}", node.args[1])


def _converted(found: Default, name: str) -> Default | None:
    try:
        return found._replace(value=CONVERTING[name](found.value))
    except (TypeError, ValueError, OverflowError):
        return None


def _literal(node: ast.expr) -> Any:
    """A number, a text, true, false, None, or a short list of these; `UNKNOWN` for anything else."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return UNKNOWN
    items = value if isinstance(value, list) else [value]
    plain = all(one is None or type(one) in (str, bool, int, float) for one in items)
    short = len(items) <= _MAX_LENGTH and all(len(str(one)) <= _MAX_LENGTH for one in items)
    return value if plain and short else UNKNOWN


def _text(node: ast.expr | None) -> str:
    found = node.value if isinstance(node, ast.Constant) else None
    return found if isinstance(found, str) else ""
