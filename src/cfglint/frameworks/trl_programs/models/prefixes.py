"""A prefix for a model that already recomputes its activations, in programs that may have no trainer of transformers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_MAKES_ADAPTER: Final = "peft.get_peft_model"
_PREFIX: Final = "peft.PrefixTuningConfig"
_ON: Final = "gradient_checkpointing_enable"
_OFF: Final = "gradient_checkpointing_disable"


def prefix_on_recomputing_model(ctx: CheckContext) -> Iterator[Hit]:
    """`model.gradient_checkpointing_enable()` before `get_peft_model(model, PrefixTuningConfig(…))`."""
    program = program_of(ctx.document.text)
    if program.tree is None or _OFF in ctx.document.text:
        return
    names = program.names
    if is_patched_program(names.packages, ctx):
        return
    for body in _bodies(program.tree):
        for switch, adapter in _pairs(body, names):
            related = Related(program.span_of(adapter.func), "puts a prefix on it")
            yield Hit((), program.span_of(switch.func), {}, related=(related,))


def _bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The statements of the module and of its functions: those of each are run one after the other."""
    yield tree.body
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.body


def _pairs(body: list[ast.stmt], names: Names) -> Iterator[tuple[ast.Call, ast.Call]]:
    """Where a model begins to recompute, and where it gets a prefix afterwards."""
    recomputing: dict[str, ast.Call] = {}
    for statement in body:
        call = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
        if isinstance(call, ast.Call):
            method = call.func if isinstance(call.func, ast.Attribute) else None
            if method is not None and method.attr == _ON and isinstance(method.value, ast.Name):
                recomputing[method.value.id] = call
            model, config = _adapted(call, names)
            if model in recomputing and names.is_made_by(_PREFIX, config, call):
                yield recomputing[model], call
        # Also in a branch: the name may stand for another model then.
        for node in ast.walk(statement) if recomputing else ():
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                recomputing.pop(node.id, None)


def _adapted(call: ast.Call, names: Names) -> tuple[str, ast.expr | None]:
    """The name of the model that a call gives an adapter, and the config of that."""
    if names.imported(call.func) != _MAKES_ADAPTER:
        return "", None
    given = {one.arg: one.value for one in call.keywords}
    model = given.get("model", call.args[0] if call.args else None)
    config = given.get("peft_config", call.args[1] if len(call.args) > 1 else None)
    return (model.id if isinstance(model, ast.Name) else ""), config


CHECKS = {
    "prefix-on-recomputing-model": prefix_on_recomputing_model,
}
