"""Which keys of a config a check had read when it raised: those in the statement that raised.

A statement names a key as `config.a.b`, through a variable of its function, through a parameter that its caller has given, or
as `self.b`, where a section of the config was made an object. The functions are those of the traceback.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import TypeAlias

#: A key that the error itself names, and an argument that a class does not take.
_NAMED = re.compile(r"Missing mandatory value: .*\n\s*full_key: ([\w.]+)")
_SECTION = re.compile(r"Error in call to target .*full_key: ([\w.]+)", re.DOTALL)
_ARGUMENT = re.compile(r"unexpected keyword argument '(\w+)'")
#: How often a variable is replaced by what was assigned to it.
_DEPTH = 4
_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
#: What a name stands for: the keys of sections, "" being the whole config.
_Names: TypeAlias = Mapping[str, list[str]]
_WHOLE: _Names = {"config": [""], "self.config": [""]}


def read_keys(error: BaseException, places: Sequence[Path]) -> list[str]:
    """The keys that the checks in these files and folders have read in the statement that raised."""
    named, section = _NAMED.search(str(error)), _SECTION.search(str(error))
    if named is not None:
        return [named[1]]
    if section is None:
        return _read(error, places, _WHOLE)
    argument = _ARGUMENT.search(str(error))
    if argument is not None:
        return [f"{section[1]}.{argument[1]}"]
    inner = error.__cause__
    names = {"self": [section[1]]}
    return (_read(inner, places, names) if inner is not None else []) or [section[1]]


def _read(error: BaseException, places: Sequence[Path], names: _Names) -> list[str]:
    found: list[str] = []
    for frame, line in _frames(error, places):
        tree = ast.parse(Path(frame.f_code.co_filename).read_text(encoding="utf-8"))
        function = _around(tree, line)
        if function is None:
            continue
        reading = _Reading(function, frame, line, names)
        found = reading.keys()
        names = {**_WHOLE, **reading.given}
    return list(dict.fromkeys(key for key in found if key))


def _frames(error: BaseException, places: Sequence[Path]) -> Iterator[tuple[FrameType, int]]:
    """The frames in these places, with their lines, from the outermost."""
    trace = error.__traceback__
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if path.is_file() and any(path.is_relative_to(one) for one in places):
            yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


class _Reading:
    """A function on the way to an error.

    Attributes:
        given: what the names of the function that it called stand for.
    """

    def __init__(self, function: _Function, frame: FrameType, line: int, names: _Names) -> None:
        self._frame = frame
        parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        # `*` is what was given in their order.
        ordered = {f"*{at}": name for at, name in enumerate(n for n in parameters if n != "self")}
        self._names = {ordered.get(name, name): keys for name, keys in names.items()}
        self._assigned: dict[str, list[ast.expr]] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and node.lineno <= line:
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self._assigned.setdefault(target.id, []).append(node.value)
        self._raising = _raising(function, line)
        self.given = dict(self._given())

    def keys(self) -> list[str]:
        """The keys that the statement reads."""
        return [key for one in self._raising for key in self._of(one, _DEPTH)]

    def _given(self) -> Iterator[tuple[str, list[str]]]:
        calls = [
            node
            for one in self._raising
            for node in ast.walk(one)
            if isinstance(node, ast.Call) and not _is_lookup(node)
        ]
        if not calls:
            return
        call = calls[0]
        for at, value in enumerate(call.args):
            yield f"*{at}", self._of(value, _DEPTH)
        for keyword in call.keywords:
            if keyword.arg is not None:
                yield keyword.arg, self._of(keyword.value, _DEPTH)
        # The object of a method; a class is given what becomes the object.
        owner = self._of(call.func.value, _DEPTH) if isinstance(call.func, ast.Attribute) else []
        first = self._of(call.args[0], _DEPTH) if call.args else []
        yield "self", owner or first

    def _of(self, node: ast.AST, depth: int) -> list[str]:
        path = _path(node)
        if path is None:
            return [key for one in ast.iter_child_nodes(node) for key in self._of(one, depth)]
        parts = path.split(".")
        for count in (2, 1):
            keys = self._names.get(".".join(parts[:count]))
            if keys is not None:
                rest = parts[count:]
                return [".".join([key, *rest]) if key else ".".join(rest) for key in keys]
        if depth == 0:
            return []
        below = "".join(f".{part}" for part in parts[1:])
        values = self._assigned.get(parts[0], [])
        return [
            key + below for one in self._made(parts[0], values) for key in self._of(one, depth - 1)
        ]

    def _made(self, name: str, values: list[ast.expr]) -> list[ast.expr]:
        """Of what may have been assigned to a variable, that which has made its value."""
        if len(values) < 2 or name not in self._frame.f_locals:
            return values
        now = self._frame.f_locals[name]
        return [one for one in values if self._is_now(one, now)] or values

    def _is_now(self, node: ast.expr, now: object) -> bool:
        code = compile(ast.Expression(node), "<assigned>", "eval")
        try:
            return bool(eval(code, self._frame.f_globals, self._frame.f_locals) == now)
        except Exception:  # another branch has other variables
            return False


def _around(tree: ast.Module, line: int) -> _Function | None:
    """The innermost function around a line."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _has(node, line)
    ]
    return max(found, key=lambda node: node.lineno, default=None)


def _has(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _raising(function: _Function, line: int) -> list[ast.expr]:
    """What a line computes; of a `raise`, the conditions that it is under."""
    at = [node for node in ast.walk(function) if isinstance(node, ast.stmt) and _has(node, line)]
    inner = max(at, key=lambda node: (node.lineno, -(node.end_lineno or node.lineno)))
    if isinstance(inner, ast.If | ast.While | ast.Assert):
        return [inner.test]
    if isinstance(inner, ast.Raise):
        return [node.test for node in at if isinstance(node, ast.If)]
    return [child for child in ast.iter_child_nodes(inner) if isinstance(child, ast.expr)]


def _is_lookup(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "get"


def _path(node: ast.AST) -> str | None:
    """`config.a.get("b", 1)` as `config.a.b`; None for what is no path."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        above = _path(node.value)
        return None if above is None else f"{above}.{node.attr}"
    if isinstance(node, ast.Call) and _is_lookup(node) and node.args:
        name = node.args[0]
        above = _path(node.func.value) if isinstance(node.func, ast.Attribute) else None
        if above is not None and isinstance(name, ast.Constant):
            return f"{above}.{name.value!s}"
    return None
