"""Settings of a run that a program assigns after its arguments were made: what reads them has run by then."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.source.python_program import program_of
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_SETTINGS: Final = frozenset({"deepspeed", "fsdp"})
#: A program with one of these words does itself what the constructor did.
_BY_HAND: Final = (
    "__post_init__",
    "deepspeed_plugin",
    "hf_deepspeed_config",
    "USE_FSDP",
    "fsdp_plugin",
)


def assigned_too_late(ctx: CheckContext) -> Iterator[Hit]:
    """`args = TrainingArguments(…)`, and then `args.deepspeed = "ds.json"`."""
    program = program_of(ctx.document.text)
    if program.tree is None or any(word in ctx.document.text for word in _BY_HAND):
        return
    names = program.names
    scopes: list[ast.AST] = [program.tree]
    scopes += [
        one
        for one in ast.walk(program.tree)
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    for scope in scopes:
        made: dict[str, ast.Call] = {}
        for statement in _statements(scope):
            if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
                continue
            target, value = statement.targets[0], statement.value
            if isinstance(target, ast.Name):
                made.pop(target.id, None)
                if isinstance(value, ast.Call) and _is_arguments(value, names):
                    made[target.id] = value
            elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                call = made.get(target.value.id)
                if call is None or target.attr not in _SETTINGS or _is_off(value):
                    continue
                if any(word.arg in (target.attr, None) for word in call.keywords):
                    continue
                start = program.place(program.offset(target.lineno, target.col_offset))
                end = start + len(target.value.id) + 1 + len(target.attr)
                name = ast.unparse(call.func)
                params = {"name": target.value.id, "key": target.attr, "class": name}
                yield Hit((), Span(start, end), params)


def _statements(scope: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a scope in their order, those of blocks in it included."""
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if isinstance(child, ast.stmt):
            yield child
            yield from _statements(child)
        elif isinstance(child, ast.ExceptHandler):
            yield from _statements(child)


def _is_arguments(call: ast.Call, names: Names) -> bool:
    origin = names.imported(call.func) or ""
    if origin.startswith("trl."):
        return origin.endswith("Config")
    return origin.startswith("transformers.") and origin.endswith("TrainingArguments")


def _is_off(value: ast.expr) -> bool:
    """Whether nothing is asked for."""
    return isinstance(value, ast.Constant) and not value.value


CHECKS = {"assigned-too-late": assigned_too_late}
