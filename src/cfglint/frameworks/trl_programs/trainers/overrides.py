"""Methods of a trainer that a class of the program overrides, and that the release calls with more arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.frameworks.trl_programs.class_names import TRAINERS
from cfglint.frameworks.trl_programs.stated import stated, surely
from cfglint.source.python_names import last_name
from cfglint.source.python_program import program_of
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_PACKAGE: Final = "transformers"
#: Classes whose methods transformers' own loop calls.
_TRAINERS: Final = frozenset(
    {
        *TRAINERS,
        *("trl.SFTTrainer", "trl.RewardTrainer", "trl.DPOTrainer"),
    }
)
#: A class that overrides one of these may do without the call.
_LOOPS: Final = frozenset({"train", "_inner_training_loop"})


class _CalledWith(NamedTuple):
    """How the loop of transformers calls a method."""

    releases: str
    #: The arguments without a name.
    plain: int
    #: The argument that the releases before did not hand over.
    added: str
    #: Whether it is handed over by its name.
    is_named: bool
    #: The methods that make the call.
    callers: tuple[str, ...]


_CALLED: Final = {
    # 4.47.0 leaves it out for most models.
    "compute_loss": _CalledWith(
        ">=4.46.0,!=4.47.0", 2, "num_items_in_batch", True, ("training_step",)
    ),
    "training_step": _CalledWith(">=4.46.0", 3, "num_items_in_batch", False, ()),
    "log": _CalledWith(">=4.47.0", 2, "start_time", False, ("_maybe_log_save_evaluate",)),
    "_get_train_sampler": _CalledWith(
        ">=4.52.0", 1, "train_dataset", False, ("get_train_dataloader",)
    ),
}


def overridden_without_argument(ctx: CheckContext) -> Iterator[Hit]:
    """`def compute_loss(self, model, inputs, return_outputs=False)` in a class below `Trainer`."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    # The loop is another one then.
    if is_patched_program(names.packages, ctx):
        return
    called = {last_name(call.func) for call in names.calls}
    classes = {one.name: one for one in program.tree.body if isinstance(one, ast.ClassDef)}
    for node in classes.values():
        if not _is_trainer(node, names, classes) or node.name not in called:
            continue
        own = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
        if not _LOOPS.isdisjoint(own):
            continue
        for name, call in _CALLED.items():
            method = own.get(name)
            if method is None or _takes(method, call) or not own.keys().isdisjoint(call.callers):
                continue
            if not surely(ctx, _PACKAGE, call.releases):
                continue
            start = program.offset(method.lineno, method.col_offset) + len("def ")
            place = program.place(start)
            params = {
                "method": name,
                "argument": call.added,
                "release": stated(ctx, _PACKAGE),
                "first": call.releases.partition(",")[0].removeprefix(">=").removesuffix(".0"),
                "default": f"{call.added}=None",
            }
            yield Hit((), Span(place, place + len(name)), params)


def _is_trainer(node: ast.ClassDef, names: Names, classes: dict[str, ast.ClassDef]) -> bool:
    """Whether a class is surely one of the trainers, or below one of the program that is."""
    for _ in classes:
        if len(node.bases) != 1 or node.keywords or node.decorator_list:
            return False
        base = node.bases[0]
        above = classes.get(base.id) if isinstance(base, ast.Name) else None
        if above is None:
            return names.imported(base) in _TRAINERS
        node = above
    return False


def _takes(method: ast.FunctionDef, call: _CalledWith) -> bool:
    """Whether a method can be called so, as far as its parameters show."""
    given = method.args
    plain = [one.arg for one in (*given.posonlyargs, *given.args)][1:]
    if method.decorator_list or not (given.posonlyargs or given.args):
        return True
    if call.is_named:
        by_name = {one.arg for one in (*given.args, *given.kwonlyargs)}
        return given.kwarg is not None or call.added in by_name
    return given.vararg is not None or len(plain) >= call.plain


CHECKS = {"overridden-without-argument": overridden_without_argument}
