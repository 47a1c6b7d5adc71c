"""A model and its optimizer that go to `Accelerator.prepare` one after the other, where FSDP2 wants them together."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.accelerate.launched_fsdp import launched_fsdp
from cfglint.frameworks.trl_programs.trainers.accelerators import is_method, made_in
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_PLUGIN: Final = "accelerate.FullyShardedDataParallelPlugin"
_FSDP2: Final = 2
_PREPARES: Final = "prepare"
_MODEL: Final = "model"
_OPTIMIZER: Final = "optimizer"
_MODEL_NAME: Final = lazy_pattern(r"(?i)(^|_)(model|unet|transformer|net|network)$")


def prepared_apart(ctx: CheckContext) -> Iterator[Hit]:
    """`model = accelerator.prepare(model)`, and then `optimizer = accelerator.prepare(optimizer)`."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    made = made_in(names)
    if len(made) != 1 or any(one.arg is None for one in made[0].keywords):
        return
    if any(
        is_method(call, _PREPARES) and {_MODEL, _OPTIMIZER} <= _kinds(call) for call in names.calls
    ):
        return  # which of its ways the program takes is not known
    for body in _straight(program.tree):
        model, optimizer = _first(body, _MODEL), _first(body, _OPTIMIZER)
        if model is None or optimizer is None:
            continue
        asked = _why(ctx, names, made[0])
        if not asked:
            return
        related = (Related(program.span_of(optimizer.func), "prepares the optimizer"),)
        yield Hit((), program.span_of(model.func), {"asked": asked}, related=related)
        return


def _why(ctx: CheckContext, names: Names, made: ast.Call) -> str:
    """What wants both at once, if anything surely does."""
    given = {one.arg: one.value for one in made.keywords}
    if not {"fsdp_plugin", "deepspeed_plugin"} & set(given):
        return "FSDP2" if launched_fsdp(ctx.around) == _FSDP2 else ""
    plugin = given.get("fsdp_plugin")
    call = None if plugin is None else names.expression(plugin, made)
    if not isinstance(call, ast.Call) or names.imported(call.func) != _PLUGIN:
        return ""  # it may be made in one of several ways, or not at all
    versions = (one.value for one in call.keywords if one.arg == "fsdp_version")
    return "FSDP2" if any(names.value(one, call) == _FSDP2 for one in versions) else ""


def _straight(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The bodies whose statements all run, one after the other."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef)):
            yield node.body


def _first(body: list[ast.stmt], wanted: str) -> ast.Call | None:
    """The first statement of a body that prepares a model, or an optimizer, without the other."""
    for node in body:
        call = node.value if isinstance(node, (ast.Assign, ast.Expr)) else None
        if not isinstance(call, ast.Call) or not is_method(call, _PREPARES):
            continue
        if all(isinstance(one, ast.Name) for one in call.args) and _kinds(call) == {wanted}:
            return call
    return None


def _kinds(call: ast.Call) -> set[str]:
    return {_kind(one.id) for one in call.args if isinstance(one, ast.Name)} - {""}


def _kind(name: str) -> str:
    """What a variable is, as it is called."""
    if "optim" in name.lower():
        return _OPTIMIZER
    return _MODEL if _MODEL_NAME.search(name) is not None else ""


CHECKS = {"prepared-apart": prepared_apart}
