"""What a trainer does in all processes together, where a program lets one of them come there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl_programs.trainers.accelerators import IS_MAIN
from cfglint.source.python_nodes import below
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_PACKAGES: Final = ("transformers.", "trl.")
_TOGETHER: Final = frozenset({"train", "evaluate", "predict"})
_ZERO: Final = frozenset({"is_world_process_zero", "is_local_process_zero"})
_RANKS: Final = frozenset({"local_rank", "rank", "global_rank", "process_index", "get_rank"})
#: Of more branches the others are not looked at.
_MOST_BRANCHES: Final = 100
_LEAVING: Final = (ast.Return, ast.Break, ast.Continue, ast.Raise)


def trainer_in_one_process(ctx: CheckContext) -> Iterator[Hit]:
    """`if trainer.is_world_process_zero(): trainer.evaluate()`."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    trainers = _trainers(program.tree, names)
    if not trainers:
        return
    branches = [
        one for one in ast.walk(program.tree) if isinstance(one, ast.If) and _asks_for_one(one.test)
    ]
    for branch in branches[:_MOST_BRANCHES]:
        if any(_calls_below(branch.orelse, trainers)) or _leaves(branch):
            continue
        for call in _calls_below(branch.body, trainers):
            method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            related = Related(program.span_of(branch.test), "decides which processes come here")
            yield Hit((), program.span_of(call.func), {"method": method}, related=(related,))


def _trainers(tree: ast.Module, names: Names) -> frozenset[str]:
    """The names that are set to a trainer of transformers or TRL, and to nothing else."""
    found: dict[str, bool] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target = node.targets[0]
        if isinstance(target, ast.Name):
            made = node.value
            kind = names.imported(made.func) if isinstance(made, ast.Call) else None
            is_one = (kind or "").startswith(_PACKAGES) and (kind or "").endswith("Trainer")
            found[target.id] = is_one and found.get(target.id, True)
    return frozenset(name for name, is_one in found.items() if is_one)


def _calls_below(body: list[ast.stmt], trainers: frozenset[str]) -> Iterator[ast.Call]:
    """The calls in a block of what trainers do in all processes, without those in functions that it defines."""
    for node in below(body):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            receiver = node.func.value
            if node.func.attr in _TOGETHER and getattr(receiver, "id", None) in trainers:
                yield node


def _leaves(branch: ast.If) -> bool:
    return any(isinstance(node, _LEAVING) for node in below([*branch.body, *branch.orelse]))


def _asks_for_one(test: ast.expr) -> bool:
    """Whether a condition holds in one process alone: `trainer.is_world_process_zero()`, `local_rank == 0`."""
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and not test.args:
        return test.func.attr in _ZERO
    if isinstance(test, ast.Attribute):
        return test.attr in IS_MAIN
    if not isinstance(test, ast.Compare) or [type(one) for one in test.ops] != [ast.Eq]:
        return False
    (right,) = test.comparators
    if not isinstance(right, ast.Constant) or right.value != 0 or isinstance(right.value, bool):
        return False
    left = test.left.func if isinstance(test.left, ast.Call) else test.left
    return (getattr(left, "id", None) or getattr(left, "attr", "")) in _RANKS


CHECKS = {"trainer-in-one-process": trainer_in_one_process}
