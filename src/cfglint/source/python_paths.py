"""The file that an expression of a program names, as far as the program alone shows."""

from __future__ import annotations

import ast
from functools import cached_property

from cfglint.base.record import NamedTuple
from cfglint.source.calls import ASKED
from cfglint.source.python_names import last_name
from cfglint.source.python_scopes import Binding, Scopes

#: Longer chains are not followed.
_MAX_DEPTH = 16
#: A path of these is the path that they are given.
_SAME = frozenset({"Path", "PurePath", "str", "fspath", "abspath", "realpath", "normpath"})
_SAME_METHODS = frozenset({"resolve", "absolute", "as_posix", "expanduser"})
_NOTHING = ast.Constant(None)
#: The program itself.
_OWN = "\0"


class FileName(NamedTuple):
    """How a program names a file."""

    text: str
    #: Whether it is relative to the folder of the program, not to the one where that runs.
    beside: bool


class CallArguments(NamedTuple):
    """What the parameters of a function are in the call of it that is followed."""

    function: ast.AST | None
    values: dict[str, ast.expr]


NO_ARGUMENTS = CallArguments(None, {})


class Paths:
    """Follows the paths of one program.

    Args:
        by_commands: whether what only the command says, which starts the program, is a path: its name between two `ASKED`.
    """

    def __init__(self, scopes: Scopes, *, by_commands: bool = False) -> None:
        self._scopes = scopes
        self._by_commands = by_commands

    @cached_property
    def _options(self) -> dict[str, list[ast.Call]]:
        """The options of the program's parsers, by the attribute that each sets."""
        found: dict[str, list[ast.Call]] = {}
        for call in self._scopes.calls:
            if last_name(call.func) == "add_argument":
                found.setdefault(_destination(call), []).append(call)
        return found

    def named(self, node: ast.expr | None, arguments: CallArguments) -> FileName | None:
        """The file that an expression names; None if the program does not show it.

        Args:
            arguments: those of the function that the expression is in, where one call of it counts.
        """
        found = None if node is None else self._path(node, arguments, _MAX_DEPTH)
        return None if found is None or _OWN in found.text or not found.text else found

    def _path(self, node: ast.expr, arguments: CallArguments, depth: int) -> FileName | None:
        if depth == 0:
            return None
        depth -= 1
        if isinstance(node, ast.Constant):
            return FileName(node.value, False) if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            return self._of_name(node, arguments, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return self._joined([node.left, node.right], arguments, depth)
        if isinstance(node, ast.IfExp):
            usual = _without_arguments(node)
            return None if usual is None else self._path(usual, arguments, depth)
        if isinstance(node, ast.Attribute):
            if node.attr == "parent":
                return _above(self._path(node.value, arguments, depth))
            return self._option(node, depth)
        if isinstance(node, ast.Subscript):
            return self._far_above(node, arguments, depth)
        if not isinstance(node, ast.Call):
            return None
        name, given = last_name(node.func), node.args
        if node.keywords or any(isinstance(one, ast.Starred) for one in given):
            return None
        if isinstance(node.func, ast.Attribute) and not given and name in _SAME_METHODS:
            return self._path(node.func.value, arguments, depth)
        if name in _SAME and len(given) == 1:
            return self._path(given[0], arguments, depth)
        if name == "dirname" and len(given) == 1:
            return _above(self._path(given[0], arguments, depth))
        if name in ("join", "Path") and given:
            return self._joined(given, arguments, depth)
        if name == "joinpath" and isinstance(node.func, ast.Attribute):
            return self._joined([node.func.value, *given], arguments, depth)
        return None

    def _of_name(self, node: ast.Name, arguments: CallArguments, depth: int) -> FileName | None:
        if node.id == "__file__":
            return FileName(_OWN, True)
        meaning = self.meaning(node, arguments)
        return None if meaning is None else self._path(*meaning, depth)

    def meaning(
        self, node: ast.Name, arguments: CallArguments
    ) -> tuple[ast.expr, CallArguments] | None:
        """What a name is set to, or given as a parameter, with the arguments that count there; None if unclear."""
        held = self._scopes.binding(node) or self._same(node)
        if held is None:
            return None
        if held.kind == "set" and isinstance(held.node, ast.expr):
            return held.node, arguments
        given = self._given(node, held, arguments) if held.kind == "parameter" else None
        return None if given is None else (given, NO_ARGUMENTS)

    def _same(self, node: ast.Name) -> Binding | None:
        """A parameter that is made another kind of path under its own name: `path = Path(path)`."""
        found = self._scopes.bindings(node)
        parameters = [one for one in found if one.kind == "parameter"]
        made = [one.node for one in found if one.kind == "set"]
        is_same = len(parameters) == 1 and len(found) == 1 + len(made)
        return parameters[0] if is_same and all(_is_path_of(one, node.id) for one in made) else None

    def _given(self, node: ast.Name, held: Binding, arguments: CallArguments) -> ast.expr | None:
        """What a parameter is given: in the call that is followed, or else in the only one."""
        if held.node is arguments.function:
            return arguments.values.get(node.id)
        call = self._scopes.only_call(held.node)
        given = None if call is None else arguments_of(call, held.node)
        return None if given is None else given.get(node.id)

    def _joined(
        self, parts: list[ast.expr], arguments: CallArguments, depth: int
    ) -> FileName | None:
        first = self._path(parts[0], arguments, depth)
        for part in parts[1:]:
            more = self._path(part, arguments, depth)
            if first is None or more is None or more.beside or more.text[:1] == "/":
                return None
            first = FileName(f"{first.text}/{more.text}", first.beside)
        return first

    def _far_above(
        self, node: ast.Subscript, arguments: CallArguments, depth: int
    ) -> FileName | None:
        """`path.parents[2]`."""
        count = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(node.value, ast.Attribute) or node.value.attr != "parents":
            return None
        if not isinstance(count, int) or not 0 <= count < _MAX_DEPTH:
            return None
        found = self._path(node.value.value, arguments, depth)
        for _ in range(count + 1):
            found = _above(found)
        return found

    def _option(self, node: ast.Attribute, depth: int) -> FileName | None:
        """The default of an option: `args.config` of a parser's arguments."""
        found = self.option(node, depth)
        given = {} if found is None else {one.arg: one.value for one in found.keywords}
        default = given.get("default")
        if default is None or "action" in given:
            return self._asked(node, depth) if self._by_commands else None
        return self._path(default, NO_ARGUMENTS, depth)

    def _asked(self, node: ast.Attribute, depth: int) -> FileName | None:
        """An option that has to be given, as the command names it."""
        found = self._options.get(node.attr, [])
        if len(found) != 1 or self._scopes.is_set(node.attr):
            return None
        if not self._is_parsed(node.value, depth):
            return None
        given = {one.arg: one.value for one in found[0].keywords}
        default = given.get("default", _NOTHING)
        is_none = isinstance(default, ast.Constant) and default.value is None
        names = _names(found[0])
        if not is_none or not names or not given.keys().isdisjoint({"action", "nargs", None}):
            return None
        if names[0][:1] == "-":
            return FileName(f"{ASKED}{','.join(names)}{ASKED}", False)
        plain = [call for call in self._scopes.calls if last_name(call.func) == "add_argument"]
        plain = [call for call in plain if (_names(call) or ["-"])[0][:1] != "-"]
        plain.sort(key=lambda call: call.lineno)
        return FileName(f"{ASKED}{plain.index(found[0])}{ASKED}", False)

    def option(self, node: ast.Attribute, depth: int = _MAX_DEPTH) -> ast.Call | None:
        """What adds the option that an attribute of a parser's arguments is, if nothing else sets it and it may be left out."""
        found = self._options.get(node.attr, [])
        if len(found) != 1 or self._scopes.is_set(node.attr):
            return None
        names = {one.arg for one in found[0].keywords}
        if None in names or "required" in names or not self._is_parsed(node.value, depth):
            return None
        return found[0]

    def _is_parsed(self, node: ast.expr, depth: int) -> bool:
        """Whether an expression is what an argument parser gives."""
        while depth > 0:
            depth -= 1
            if isinstance(node, ast.Name):
                meaning = self.meaning(node, NO_ARGUMENTS)
                if meaning is None:
                    return self._is_first_of_parsed(node)
                node = meaning[0]
                continue
            if not isinstance(node, ast.Call):
                return False
            if isinstance(node.func, ast.Attribute) and node.func.attr == "parse_args":
                return True
            function = self._scopes.function(node.func)
            value = None if function is None else self._scopes.returned(function)
            if value is None:
                return False
            node = value
        return False

    def _is_first_of_parsed(self, node: ast.Name) -> bool:
        """Whether a name is `args` of `args, rest = parser.parse_known_args()`."""
        held = self._scopes.binding(node)
        several = None if held is None else self._scopes.parent(held.node)
        if held is None or not isinstance(several, ast.Tuple) or several.elts[0] is not held.node:
            return False
        statement = self._scopes.parent(several)
        value = statement.value if isinstance(statement, ast.Assign) else None
        return isinstance(value, ast.Call) and last_name(value.func) == "parse_known_args"


def arguments_of(call: ast.Call, function: ast.AST) -> dict[str, ast.expr] | None:
    """The arguments of a call by the names of the function's parameters, defaults included; None if unclear."""
    if not isinstance(function, ast.FunctionDef):
        return None
    of = function.args
    names = [one.arg for one in (*of.posonlyargs, *of.args)]
    if function.name == "__init__":
        names = names[1:]  # a call of the class, which gives the object itself
    if any(isinstance(one, ast.Starred) for one in call.args) or len(call.args) > len(names):
        return None
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    found = dict(zip(reversed(names), reversed(of.defaults), strict=False))
    for one, default in zip(of.kwonlyargs, of.kw_defaults, strict=True):
        if default is not None:
            found[one.arg] = default
    found.update(zip(names, call.args, strict=False))
    found.update({str(keyword.arg): keyword.value for keyword in call.keywords})
    return found


def _is_path_of(node: ast.AST, name: str) -> bool:
    """Whether an expression is `Path(name)`, or another path of the same file."""
    if not isinstance(node, ast.Call) or last_name(node.func) not in _SAME | _SAME_METHODS:
        return False
    of = node.args[0] if len(node.args) == 1 else getattr(node.func, "value", None)
    return not node.keywords and isinstance(of, ast.Name) and of.id == name


def _without_arguments(node: ast.IfExp) -> ast.expr | None:
    """What `sys.argv[1] if len(sys.argv) > 1 else path` is when a program is started with nothing more; None if unclear."""
    if not any(
        isinstance(one, ast.Attribute) and one.attr == "argv" for one in ast.walk(node.test)
    ):
        return None
    ways = [node.body, node.orelse]
    left = [
        way
        for way in ways
        if not any(isinstance(one, ast.Attribute) and one.attr == "argv" for one in ast.walk(way))
    ]
    return left[0] if len(left) == 1 else None


def _above(path: FileName | None) -> FileName | None:
    """The folder of a path."""
    if path is None:
        return None
    if path.text == _OWN:
        return FileName(".", path.beside)
    last = path.text.rpartition("/")[2]
    if last in ("", ".", ".."):
        return FileName(f"{path.text}/..", path.beside)
    return FileName(path.text[: -len(last)].rstrip("/") or ".", path.beside)


def _destination(call: ast.Call) -> str:
    """The name of the attribute that an option sets."""
    for keyword in call.keywords:
        if keyword.arg == "dest":
            return str(keyword.value.value) if isinstance(keyword.value, ast.Constant) else ""
    names = _names(call)
    long = [name for name in names if name.startswith("--")] or names
    return long[0].lstrip("-").replace("-", "_") if long else ""


def _names(call: ast.Call) -> list[str]:
    """The spellings of an option, or the name of an argument."""
    values = [one.value for one in call.args if isinstance(one, ast.Constant)]
    return [one for one in values if isinstance(one, str)]
