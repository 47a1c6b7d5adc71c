"""How the training process reads the variables: as a truth value, a number, a name or any text."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from tools.accelerate_release.trees import constant, functions, methods_of, parents

_WORDS = {"str_to_bool": "truth", "strtobool": "truth", "int": "whole", "float": "decimal"}
#: Variable -> the constant with its names, and how many numbers stand for members of torch's enum.
_NAMED = {
    "FSDP_SHARDING_STRATEGY": ("FSDP_SHARDING_STRATEGY", 5),
    "FSDP_BACKWARD_PREFETCH": ("FSDP_BACKWARD_PREFETCH", 2),
    "FSDP_STATE_DICT_TYPE": ("FSDP_STATE_DICT_TYPE", 3),
    "FSDP_AUTO_WRAP_POLICY": ("FSDP_AUTO_WRAP_POLICY", 0),
}


@dataclass(frozen=True)
class Reading:
    """What a variable may hold: a type of the table, its choices, the numbers that stand for them."""

    type: str
    choices: tuple[str, ...] = ()
    numbers: int = 0


def read_readings(modules: list[ast.Module], constants: dict[str, Any]) -> dict[str, Reading]:
    """Variable -> how it is read."""
    found: dict[str, Reading] = {}
    for module in modules:
        for function in functions(module):
            for variable, reading in _readings(function, constants):
                if variable not in found or found[variable].type == "any":
                    found[variable] = reading
    return found


def _readings(function: ast.FunctionDef, constants: dict[str, Any]) -> list[tuple[str, Reading]]:
    above = parents(function)
    names = {
        node.targets[0].id: constant(node.value, constants)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    out: list[tuple[str, Reading]] = []
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        flag = methods_of(node) == "parse_flag_from_env"
        if not flag and ast.unparse(node.func) != "os.environ.get":
            continue
        variable = constant(node.args[0], names)
        if not isinstance(variable, str):
            continue
        reading = Reading("truth") if flag else _reading(node, above, function)
        out.append((variable, _named(variable, reading, function, constants)))
    return out


def _reading(node: ast.Call, above: dict[ast.AST, ast.AST], function: ast.FunctionDef) -> Reading:
    """What is done with the text at once, or later under the name it is given."""
    part: ast.AST = node
    while part in above:
        part = above[part]
        if isinstance(part, ast.Call) and methods_of(part) in _WORDS:
            return Reading(_WORDS[methods_of(part)])
        if isinstance(part, ast.Assign):
            return _later(part.targets[0], node, above, function)
        if isinstance(part, ast.stmt):
            break
    return Reading("any")


def _later(
    target: ast.expr, node: ast.Call, above: dict[ast.AST, ast.AST], function: ast.FunctionDef
) -> Reading:
    text = ast.unparse(target)
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and call.args and ast.unparse(call.args[0]) == text:
            if methods_of(call) == "int" and isinstance(above.get(call), ast.IfExp):
                return Reading("any")  # a number when it is one, else the text
            if methods_of(call) == "float" and isinstance(target, ast.Name):
                default = constant(node.args[1], {}) if len(node.args) > 1 else None
                return Reading("decimal|exact", (str(default),))
    return Reading("any")


def _named(
    variable: str, reading: Reading, function: ast.FunctionDef, constants: dict[str, Any]
) -> Reading:
    """Names of torch's enumerations: exact ones at first, later in any case and by number."""
    if variable not in _NAMED:
        return reading
    names, numbers = _NAMED[variable]
    choices = tuple(constants.get(names, ()))
    if reading.type == "whole":
        return Reading("whole", (), numbers)
    field = variable.removeprefix("FSDP_").lower()
    text = ast.unparse(function)
    if f"{field}.upper()" in text:
        return Reading("word|whole" if numbers else "word", choices, numbers)
    if f"{field}.isdigit()" in text:
        return Reading("exact|whole", choices, numbers)
    if f"{names}.index(" in text:
        return Reading("exact", choices)
    return Reading("any", choices)  # compared; what is none of them is passed over
