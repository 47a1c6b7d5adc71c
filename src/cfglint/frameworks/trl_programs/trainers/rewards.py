"""Reward functions of a program that the GRPO trainer calls with keywords they do not take."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related, SeverityName
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.source.python_program import PythonProgram, program_of
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_TRAINER: Final = "trl.GRPOTrainer"
_KEYWORD: Final = "reward_funcs"
#: What every call of a reward function has, and since which release.
_GIVEN: Final = {
    "prompts": "",
    "completions": "",
    "completion_ids": ">=0.18.0",
    "trainer_state": ">=0.20.0",
    "log_extra": ">=1.0.0",
    "log_metric": ">=1.0.0",
}
#: Columns that are not handed on, though a dataset has them.
_KEPT_BACK: Final = frozenset({"prompt", "completion"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def reward_without_keywords(ctx: CheckContext) -> Iterator[Hit]:
    """`def reward(prompts, completions)`, which is called with `completion_ids` as well."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    functions = _functions(program.tree)
    seen: set[str] = set()
    for call in names.calls:
        if names.imported(call.func) != _TRAINER:
            continue
        for given in _rewards(call, names):
            function = functions.get(given.id)
            if function is None or given.id in seen:
                continue
            seen.add(given.id)
            hit = _refused(ctx, program, function, call)
            if hit is not None:
                yield hit


def _functions(tree: ast.Module) -> dict[str, _Function]:
    """The functions of a module as they are written, by name; none of what has that name for something else as well."""
    found: dict[str, _Function] = {}
    others: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, _Function):
            others |= {node.name} & found.keys()
            if node in tree.body and not node.decorator_list:
                found.setdefault(node.name, node)
            else:
                others.add(node.name)
        elif isinstance(node, ast.ClassDef):
            others.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            others.add(node.id)
    return {name: node for name, node in found.items() if name not in others}


def _rewards(call: ast.Call, names: Names) -> Iterator[ast.Name]:
    """The names among the reward functions of a trainer."""
    given = next((one.value for one in call.keywords if one.arg == _KEYWORD), None)
    if given is None:
        return
    written = names.expression(given, call) if isinstance(given, ast.Name) else given
    items = written.elts if isinstance(written, (ast.List, ast.Tuple)) else [given]
    yield from (one for one in items if isinstance(one, ast.Name))


def _refused(
    ctx: CheckContext, program: PythonProgram, function: _Function, call: ast.Call
) -> Hit | None:
    """The finding about a function that raises an error when the trainer calls it."""
    own = function.args
    taken = [one.arg for one in (*own.args, *own.kwonlyargs)]
    required = [*own.args[: len(own.args) - len(own.defaults)]]
    required += [
        one for one, value in zip(own.kwonlyargs, own.kw_defaults, strict=True) if value is None
    ]
    unmet = sorted({one.arg for one in required} & _KEPT_BACK)
    missing, severity = _not_taken(ctx, taken) if own.kwarg is None else ([], None)
    if not unmet and not missing:
        return None
    start = program.offset(function.lineno, function.col_offset)
    at = program.place(start + (10 if isinstance(function, ast.AsyncFunctionDef) else 4))
    place = program.place(program.offset(call.lineno, call.col_offset))
    what = (
        f"does not take {_listed(missing)}"
        if missing
        else f"asks for {_listed(unmet)}, which is not handed on"
    )
    return Hit(
        (),
        Span(at, at + len(function.name)),
        {"name": function.name, "what": what},
        related=(Related(Span(place, place + 1), "the trainer that calls it"),),
        severity=None if unmet else severity,
    )


def _not_taken(ctx: CheckContext, taken: list[str]) -> tuple[list[str], SeverityName | None]:
    """The keywords of every call that a function has no parameter for; a warning where only newer releases hand them over."""
    is_stated = ctx.target.pins.get("trl") is not None
    sure = [
        name
        for name, since in _GIVEN.items()
        if name not in taken and (not since or surely(ctx, "trl", since))
    ]
    if sure or is_stated:
        return sure, None
    newer = [name for name in _GIVEN if name not in taken]
    return newer, "warning"


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


CHECKS = {"reward-without-keywords": reward_without_keywords}
