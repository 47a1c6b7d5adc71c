"""Models that a program gives an adapter, and hands to a trainer together with another adapter's config.

Only one block of statements is compared: the one that makes the model one with an adapter, and the later one with the trainer,
if nothing between them gives the name another value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl.patched import PATCHING
from cfglint.source.python_names import names_of
from cfglint.source.python_nodes import every
from cfglint.source.python_program import program_of
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.source.python_names import Names
    from cfglint.source.python_program import PythonProgram

_WRAPPING: Final = "peft.get_peft_model"
_KEYWORD: Final = "peft_config"
_MODEL: Final = "model"
#: The trainers whose constructors refuse it since 0.27; that for KTO came to it later.
_TRAINERS: Final = frozenset(
    f"trl.{name}Trainer" for name in ("SFT", "DPO", "GRPO", "RLOO", "Reward")
)


def peft_model_and_config(ctx: CheckContext) -> Iterator[Hit]:
    """`model = get_peft_model(model, config)`, and then `SFTTrainer(model, peft_config=config)`."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = names_of(program.tree)
    if not PATCHING.isdisjoint(names.packages):
        return
    for block in _blocks(program.tree):
        for number, statement in enumerate(block):
            for call in _trainers_in(statement, names):
                word = next((one for one in call.keywords if one.arg == _KEYWORD), None)
                model = _model_of(call)
                if word is None or model is None or not _is_config(word.value, call, names):
                    continue
                wrapped = _wrapped(model, block[:number], names)
                if wrapped is not None:
                    yield _hit(word, wrapped, program, names.imported(call.func) or "")


def _hit(word: ast.keyword, wrapped: ast.Call, program: PythonProgram, trainer: str) -> Hit:
    start = program.place(program.offset(word.lineno, word.col_offset))
    place = program.place(program.offset(wrapped.lineno, wrapped.col_offset))
    last = program.offset(wrapped.func.end_lineno or 0, wrapped.func.end_col_offset or 0)
    related = Related(Span(place, program.place_of_end(last)), "the model has an adapter already")
    params = {"trainer": trainer.rpartition(".")[2]}
    return Hit((), Span(start, start + len(_KEYWORD)), params, (related,))


def _blocks(tree: ast.Module) -> Iterator[Sequence[ast.stmt]]:
    """The statements of the program, and those of each function, branch and loop."""
    yield tree.body
    for node in every(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.If | ast.With | ast.For):
            yield node.body


def _trainers_in(statement: ast.stmt, names: Names) -> Iterator[ast.Call]:
    """The calls of trainers that a plain statement has."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr):
        return
    for node in every(statement):
        if isinstance(node, ast.Call) and names.imported(node.func) in _TRAINERS:
            yield node


def _model_of(call: ast.Call) -> str | None:
    """The name of the model that a trainer is given."""
    given = [one.value for one in call.keywords if one.arg == _MODEL] or call.args[:1]
    return given[0].id if given and isinstance(given[0], ast.Name) else None


def _is_config(value: ast.expr, call: ast.Call, names: Names) -> bool:
    """Whether a value surely is the config of an adapter."""
    meant = names.expression(value, call)
    return isinstance(meant, ast.Call) and (names.imported(meant.func) or "").startswith("peft.")


def _wrapped(name: str, before: Sequence[ast.stmt], names: Names) -> ast.Call | None:
    """What gives a model an adapter, if it is the last of some statements that sets the name."""
    for statement in reversed(before):
        if not any(_sets(node, name) for node in every(statement)):
            continue
        value = statement.value if isinstance(statement, ast.Assign) else None
        is_wrapping = isinstance(value, ast.Call) and names.imported(value.func) == _WRAPPING
        is_plain = isinstance(statement, ast.Assign) and all(
            isinstance(one, ast.Name) for one in statement.targets
        )
        return value if is_wrapping and is_plain and isinstance(value, ast.Call) else None
    return None


def _sets(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)


CHECKS = {"peft-model-and-config": peft_model_and_config}
