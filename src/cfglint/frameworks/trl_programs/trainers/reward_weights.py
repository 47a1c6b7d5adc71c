"""Weights of rewards in a program, of which the trainer wants one for each reward function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.source.python_names import named_keywords
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

#: Trainer -> the class of its arguments.
_TRAINERS: Final = {"trl.GRPOTrainer": "trl.GRPOConfig", "trl.RLOOTrainer": "trl.RLOOConfig"}
_WEIGHTS: Final = "reward_weights"
_FUNCTIONS: Final = "reward_funcs"


def weights_of_other_number(ctx: CheckContext) -> Iterator[Hit]:
    """`GRPOConfig(reward_weights=[1.0, 0.5])` for a trainer with three reward functions."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    # What Unsloth makes of a trainer is another class.
    if "unsloth" in names.packages or _is_set_later(names):
        return
    for call in names.calls:
        config = _TRAINERS.get(names.imported(call.func) or "")
        given = named_keywords(call)
        arguments = given.get("args")
        if config is None or arguments is None or _FUNCTIONS not in given:
            continue
        made = names.expression(arguments.value, call)
        if not isinstance(made, ast.Call) or names.imported(made.func) != config:
            continue
        weights = named_keywords(made).get(_WEIGHTS)
        if weights is None:
            continue
        numbers = _length(weights.value, made, names)
        functions = _length(given[_FUNCTIONS].value, call, names)
        if None not in (numbers, functions) and numbers != functions:
            related = Related(program.name_of(given[_FUNCTIONS]), "the reward functions")
            words = {"weights": str(numbers), "functions": str(functions)}
            yield Hit((), program.name_of(weights), words, related=(related,))


def _is_set_later(names: Names) -> bool:
    """Whether something sets the weights once the arguments are made."""
    attributes = (node for node in names.nodes if isinstance(node, ast.Attribute))
    return any(one.attr == _WEIGHTS and not isinstance(one.ctx, ast.Load) for one in attributes)


def _length(written: ast.expr, call: ast.Call, names: Names) -> int | None:
    """The length of a list that is written out; None where something else may add to it."""
    items = names.expression(written, call)
    if not isinstance(items, ast.List) or any(isinstance(one, ast.Starred) for one in items.elts):
        return None
    if isinstance(written, ast.Name):
        uses = [one for one in names.nodes if isinstance(one, ast.Name) and one.id == written.id]
        # It is set, and used here.
        if len(uses) != 2:
            return None
    return len(items.elts)


CHECKS = {"weights-of-other-number": weights_of_other_number}
