"""Training loops that a program writes itself around an `Accelerator`: what accelerate does already, and when all processes have to meet."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.logic import UNKNOWN
from cfglint.base.record import NamedTuple
from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.accelerate.launched_fsdp import launched_whole
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.frameworks.trl_programs.trainers.accelerators import (
    IS_MAIN,
    is_accelerator,
    is_method,
    made_in,
)
from cfglint.source.python_names import last_name
from cfglint.source.python_nodes import DEFINITIONS, below, children
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.source.python_names import Names
    from cfglint.source.python_program import PythonProgram

_STEPS: Final = "gradient_accumulation_steps"
_PRECISION: Final = "mixed_precision"
#: What all processes do together, however the model is spread over them.
_TOGETHER: Final = frozenset(
    {"wait_for_everyone", "gather", "gather_for_metrics", "reduce", "pad_across_processes"}
)
#: What they do together where each holds a part of the weights.
_COLLECTS: Final = "get_state_dict"
_OF_PARTS: Final = frozenset({_COLLECTS, "save_state"})
_PARTS: Final = ("FullyShardedDataParallelPlugin", "DeepSpeedPlugin", "fsdp", "deepspeed")
_PLUGIN: Final = "accelerate.FullyShardedDataParallelPlugin"
#: Since then the weights that are trained under FSDP are raised to FP32, with mixed precision.
_NOT_RAISED: Final = "<0.30.0"
#: Of more branches the others are not looked at.
_MOST_BRANCHES: Final = 100
_CLIP: Final = frozenset({"torch.clip_grad_norm_", "torch.clip_grad_value_"})
#: A program with one of these words decides itself, or lets DeepSpeed decide, which batches end in a step.
_DECIDES: Final = (
    *(".accumulate", "no_sync", "sync_gradients", "GradientAccumulationPlugin"),
    *("deepspeed", "DeepSpeed", "set_gradient_accumulation", "megatron", "Megatron"),
)


class _Loop(NamedTuple):
    """A program, and the calls that make its accelerators."""

    program: PythonProgram
    names: Names
    tree: ast.Module
    made: tuple[ast.Call, ...]


def _loop(ctx: CheckContext) -> _Loop | None:
    """The program, if it surely has one `Accelerator`, made without keywords that are not written."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return None
    names = program.names
    made = made_in(names)
    if len(made) != 1 or any(one.arg is None for one in made[0].keywords):
        return None
    return _Loop(program, names, program.tree, made)


def gradients_cleared_too_early(ctx: CheckContext) -> Iterator[Hit]:
    """`optimizer.zero_grad()` before the backward pass in `with accelerator.accumulate(model):`."""
    loop = _loop(ctx)
    if loop is None or "DeepSpeedPlugin" in ctx.document.text:
        return
    steps = _steps(loop)
    if steps in (None, 1):
        return
    for block in ast.walk(loop.tree):
        if not isinstance(block, ast.With) or not is_method(
            block.items[0].context_expr, "accumulate"
        ):
            continue
        calls = sorted(
            (one for one in _calls_below(block.body)), key=lambda one: (one.lineno, one.col_offset)
        )
        passes = [one for one in calls if is_method(one, "backward")]
        cleared = [one for one in calls if _ends_in(one, "zero_grad")]
        if len(cleared) != 1 or not passes or cleared[0].lineno >= passes[0].lineno:
            continue
        if cleared[0] in _in_branches(block.body):
            # The program decides itself in which batch.
            continue
        if any(_ends_in(one, "step") and one.lineno < passes[0].lineno for one in calls):
            # The gradients of the steps before are used, and cleared, here.
            continue
        place = loop.program.span_of(cleared[0].func)
        related = Related(loop.program.span_of(passes[0].func), "adds the gradients of this batch")
        yield Hit((), place, {}, related=(related,))


def loss_divided_twice(ctx: CheckContext) -> Iterator[Hit]:
    """`accelerator.backward(loss / steps)` with `Accelerator(gradient_accumulation_steps=steps)`."""
    loop = _loop(ctx)
    if loop is None:
        return
    steps = _steps(loop)
    if steps in (None, 1):
        return
    written = next(one for one in loop.made[0].keywords if one.arg == _STEPS)
    divided = _divided(loop.tree)
    for call in loop.names.calls:
        if not is_method(call, "backward") or len(call.args) != 1:
            continue
        loss = call.args[0]
        division = loss if _divides(loss) else None
        if division is None and isinstance(loss, ast.Name):
            division = next(
                (one for one in divided.get(loss.id, ()) if 0 < call.lineno - one.lineno <= 12),
                None,
            )
        if division is None:
            continue
        related = Related(loop.program.name_of(written), "the loss is divided by this as well")
        yield Hit((), loop.program.span_of(division), {}, related=(related,))


def waits_for_other_processes(ctx: CheckContext) -> Iterator[Hit]:
    """`accelerator.gather(losses)` below `if accelerator.is_main_process:`."""
    loop = _loop(ctx)
    if loop is None:
        return
    parts = any(word in ctx.document.text for word in _PARTS)
    together = _TOGETHER | _OF_PARTS if parts else _TOGETHER
    if _COLLECTS in together and _COLLECTS in ctx.document.text and launched_whole(ctx.around):
        together -= {_COLLECTS}
    branches = [
        one for one in ast.walk(loop.tree) if isinstance(one, ast.If) and _asks_for_main(one.test)
    ][:_MOST_BRANCHES]
    tests = [one.test for one in branches]
    for branch in branches:
        sides = [_methods(body, together) for body in (branch.body, branch.orelse)]
        if _leaves(branch.body) or _leaves(branch.orelse):
            continue
        is_negated = isinstance(branch.test, ast.UnaryOp)
        for own, other in (sides, sides[::-1]):
            for name in sorted(own.keys() - other.keys()):
                if name == "wait_for_everyone" and any(
                    isinstance(one, ast.UnaryOp) is not is_negated for one in tests
                ):
                    # The others may wait in a branch of their own, before or after.
                    continue
                place = loop.program.span_of(own[name].func)
                related = Related(
                    loop.program.span_of(branch.test), "decides which processes come here"
                )
                yield Hit((), place, {"method": name}, related=(related,))


def backward_past_the_scaler(ctx: CheckContext) -> Iterator[Hit]:
    """`loss.backward()` with `Accelerator(mixed_precision="fp16")` and a prepared optimizer."""
    loop = _loop(ctx)
    if loop is None or not _is_fp16(loop) or "autocast" in ctx.document.text:
        return
    calls = loop.names.calls
    if any(is_method(call, "backward") for call in calls) or "GradScaler" in ctx.document.text:
        return
    if "deepspeed" in ctx.document.text.lower() or not _steps_prepared(loop):
        return
    for call in calls:
        if call.args or call.keywords or not _ends_in(call, "backward"):
            continue
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        if isinstance(receiver, ast.Name) and "loss" in receiver.id.lower():
            yield Hit((), loop.program.span_of(call.func), {})


def scaled_gradients_clipped(ctx: CheckContext) -> Iterator[Hit]:
    """`torch.nn.utils.clip_grad_norm_(…)` on gradients that `accelerator.backward` has scaled."""
    loop = _loop(ctx)
    if loop is None or not _is_fp16(loop) or "unscale_gradients" in ctx.document.text:
        return
    if not any(is_method(call, "backward") for call in loop.names.calls):
        return
    for call in loop.names.calls:
        if (loop.names.imported(call.func) or "") in _CLIP:
            name = (loop.names.imported(call.func) or "").rpartition(".")[2]
            yield Hit((), loop.program.span_of(call.func), {"function": name})


def accumulation_without_block(ctx: CheckContext) -> Iterator[Hit]:
    """`Accelerator(gradient_accumulation_steps=8)` in a program that steps after each batch."""
    loop = _loop(ctx)
    if loop is None or any(word in ctx.document.text for word in _DECIDES):
        return
    steps = _steps(loop)
    if not isinstance(steps, int) or steps < 2 or _counts_batches(loop.tree):
        return
    calls = loop.names.calls
    if not any(is_method(one, "backward") for one in calls):
        return
    if not any(_ends_in(one, "step") for one in calls):
        return
    written = next(one for one in loop.made[0].keywords if one.arg == _STEPS)
    yield Hit((), loop.program.name_of(written), {"steps": str(steps)})


def low_precision_under_fsdp(ctx: CheckContext) -> Iterator[Hit]:
    """A model that is loaded in BF16 and trained under FSDP, before accelerate raised its weights to FP32."""
    loop = _loop(ctx)
    if loop is None or not surely(ctx, "accelerate", _NOT_RAISED) or "peft" in loop.names.packages:
        return
    plugins = [one for one in loop.names.calls if loop.names.imported(one.func) == _PLUGIN]
    if not plugins or ".float(" in ctx.document.text or "float32" in ctx.document.text:
        return
    for call in loop.names.calls:
        if not _ends_in(call, "from_pretrained") or not isinstance(call.func, ast.Attribute):
            continue
        if not (loop.names.imported(call.func.value) or "").startswith("transformers."):
            continue
        word = next((one for one in call.keywords if one.arg == "torch_dtype"), None)
        if word is not None and loop.names.imported(word.value) == "torch.bfloat16":
            related = Related(
                loop.program.span_of(plugins[0].func), "shards the weights as they are"
            )
            yield Hit((), loop.program.name_of(word), {}, related=(related,))


# ---------------------------------------------------------------------- what is written


def _steps(loop: _Loop) -> Any:
    """How many batches make a step: None if nothing says so, `UNKNOWN` if only a run decides."""
    given = {one.arg: one.value for one in loop.made[0].keywords}
    if _STEPS not in given:
        return None
    value = loop.names.value(given[_STEPS], loop.made[0])
    return value if isinstance(value, int) and not isinstance(value, bool) else UNKNOWN


def _is_fp16(loop: _Loop) -> bool:
    given = {one.arg: one.value for one in loop.made[0].keywords}
    return _PRECISION in given and loop.names.value(given[_PRECISION], loop.made[0]) == "fp16"


def _steps_prepared(loop: _Loop) -> bool:
    """Whether an optimizer that is prepared makes steps, as its name says."""
    prepared = {
        node.id
        for call in loop.names.calls
        if is_method(call, "prepare")
        for node in call.args
        if isinstance(node, ast.Name) and "optim" in node.id.lower()
    }
    return any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "step"
        and getattr(call.func.value, "id", None) in prepared
        for call in loop.names.calls
    )


def _ends_in(call: ast.Call, method: str) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == method


def _calls_below(body: list[ast.stmt]) -> Iterator[ast.Call]:
    return (node for node in below(body) if isinstance(node, ast.Call))


def _in_branches(body: list[ast.stmt]) -> set[ast.AST]:
    """The nodes of a block that only some of its rounds come to."""
    found, waiting = set[ast.AST](), list[tuple[ast.AST, bool]]((node, False) for node in body)
    while waiting:
        node, is_inside = waiting.pop()
        if is_inside:
            found.add(node)
        if not isinstance(node, DEFINITIONS):
            is_inside = is_inside or isinstance(node, ast.If)
            waiting += [(one, is_inside) for one in children(node)]
    return found


def _methods(body: list[ast.stmt], together: frozenset[str]) -> dict[str, ast.Call]:
    """The methods of an accelerator for all processes that a block calls -> the first call of each."""
    found: dict[str, ast.Call] = {}
    for call in sorted(_calls_below(body), key=lambda one: (one.lineno, one.col_offset)):
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if method in together and is_method(call, method):
            found.setdefault(method, call)
    return found


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether a block may go on elsewhere, where it may meet the other processes."""
    leaving = (ast.Return, ast.Break, ast.Continue, ast.Raise)
    return any(isinstance(node, leaving) for node in below(body))


def _asks_for_main(test: ast.expr) -> bool:
    """Whether a condition is nothing but whether this is the main process."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    return isinstance(test, ast.Attribute) and test.attr in IS_MAIN and is_accelerator(test.value)


def _divides(node: ast.expr) -> bool:
    """Whether an expression is something divided by a number of accumulated batches."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and _names_steps(node.right)


def _names_steps(node: ast.expr) -> bool:
    return last_name(node) in (
        _STEPS,
        "grad_accum_steps",
        "accumulation_steps",
        "grad_accumulation_steps",
    )


def _divided(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """The names that are set to something divided by a number of accumulated batches -> where."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        target: ast.expr | None = None
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div):
            target = node.target if _names_steps(node.value) else None
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and _divides(node.value):
            target = node.targets[0]
        if isinstance(target, ast.Name) and isinstance(node, (ast.Assign, ast.AugAssign)):
            found.setdefault(target.id, []).append(node.value)
    return found


def _counts_batches(tree: ast.Module) -> bool:
    """Whether something depends on the remainder of a number of batches."""
    return any(
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) for node in ast.walk(tree)
    )


CHECKS = {
    "low-precision-under-fsdp": low_precision_under_fsdp,
    "gradients-cleared-too-early": gradients_cleared_too_early,
    "loss-divided-twice": loss_divided_twice,
    "waits-for-other-processes": waits_for_other_processes,
    "backward-past-the-scaler": backward_past_the_scaler,
    "scaled-gradients-clipped": scaled_gradients_clipped,
    "accumulation-without-block": accumulation_without_block,
}
