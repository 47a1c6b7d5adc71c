"""What the launcher hands to the training process: option -> environment variable."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tools.accelerate_release.trees import constant, functions

#: Every option that starts so becomes a variable of its own (`setup_fp8_env`) …
_FP8 = "fp8_"
#: … except for this one, which becomes three.
FP8_SWITCHES = "fp8_override_linear_precision"


@dataclass(frozen=True)
class Variable:
    """An environment variable, and whether it is left out when the option is null."""

    name: str
    optional: bool


def read_variables(*modules: ast.Module) -> dict[str, Variable]:
    """Option -> the variable that carries its value to the training process."""
    found: dict[str, Variable] = {}
    for module in modules:
        for function in functions(module):
            names: dict[str, object] = {}
            _visit(function.body, names, frozenset(), found)
    return found


def _visit(
    body: list[ast.stmt],
    names: dict[str, object],
    guarded: frozenset[str],
    found: dict[str, Variable],
) -> None:
    for node in body:
        if isinstance(node, ast.Assign):
            target = node.targets[0]
            if isinstance(target, ast.Name):
                names[target.id] = constant(node.value, names)
            elif isinstance(target, ast.Subscript):
                _assigned(target, node.value, names, guarded, found)
        elif isinstance(node, ast.If):
            _visit(node.body, names, guarded | _not_null(node.test), found)
            _visit(node.orelse, names, guarded, found)
        elif isinstance(node, (ast.Try, ast.With, ast.For)):
            _visit(node.body, names, guarded, found)


def _assigned(
    target: ast.Subscript,
    value: ast.expr,
    names: dict[str, object],
    guarded: frozenset[str],
    found: dict[str, Variable],
) -> None:
    if not isinstance(target.value, ast.Name) or not target.value.id.endswith("env"):
        return
    variable = constant(target.slice, names)
    options = options_in(value)
    if isinstance(variable, str) and len(options) == 1:
        found.setdefault(options[0], Variable(variable, options[0] in guarded))


def options_in(node: ast.AST) -> list[str]:
    """The options that an expression reads: `args.zero_stage`, `getattr(args, "zero_stage")`."""
    found: list[str] = []
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and _is_args(part.value):
            if isinstance(part.ctx, ast.Load):
                found.append(part.attr)
        elif (
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Name)
            and part.func.id == "getattr"
            and len(part.args) > 1
            and _is_args(part.args[0])
            and isinstance(part.args[1], ast.Constant)
        ):
            found.append(str(part.args[1].value))
    return list(dict.fromkeys(found))


def assigned_options(module: ast.Module) -> set[str]:
    """The attributes of `args` that the launcher makes up itself."""
    return {
        part.attr
        for part in ast.walk(module)
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, ast.Store)
        and _is_args(part.value)
    }


def _is_args(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "args"


def _not_null(test: ast.expr) -> frozenset[str]:
    """The options that are known not to be null when a test holds (`args.x is not None`)."""
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot):
        return frozenset(options_in(test.left))
    return frozenset()


def hands_fp8(*modules: ast.Module) -> bool:
    """Whether all `fp8_…` options become variables."""
    return any(True for module in modules for _ in functions(module, "setup_fp8_env"))


def fp8_variable(option: str) -> Variable | None:
    """The variable of an `fp8_…` option; the three switches of one option have no single one."""
    if not option.startswith(_FP8) or option == FP8_SWITCHES:
        return None
    return Variable(f"ACCELERATE_{option.upper()}", optional=True)
