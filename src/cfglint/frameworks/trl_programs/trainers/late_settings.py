"""Settings of a run that a program assigns after its arguments were made: what reads them has run by then."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.environment.project_texts import project_texts
from cfglint.environment.python_sources import project_root
from cfglint.environment.surroundings import Surroundings
from cfglint.source.python_names import last_name
from cfglint.source.python_program import program_of
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_SETTINGS: Final = frozenset({"deepspeed", "fsdp"})
#: Methods of parsers that make the arguments, and how the name of those of a trainer ends.
_PARSERS: Final = frozenset({"parse_args_and_config", "parse_args_into_dataclasses"})
_PARSED: Final = ("train_args", "training_args", "training_arguments")
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
            is_parsed = isinstance(value, ast.Call) and last_name(value.func) in _PARSERS
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Call) and is_parsed:
                made |= {
                    one.id: value
                    for one in target.elts
                    if isinstance(one, ast.Name) and one.id.endswith(_PARSED)
                }
            elif isinstance(target, ast.Name):
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
                of_options = last_name(call.func) in _PARSERS
                if of_options and _is_given(target.attr, ctx.around):
                    continue
                way = (
                    f"Give the program `--{target.attr}`"
                    if of_options
                    else f"Write `{target.attr}=…` in the call"
                )
                params = {
                    "name": target.value.id,
                    "key": target.attr,
                    "class": ast.unparse(call.func),
                    "way": way,
                }
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


def _is_given(key: str, around: Surroundings) -> bool:
    """Whether a text with commands for the program has an option, which a parser reads in time."""
    if around.folder is None:
        return False
    name, option = os.path.basename(around.path), f"--{key}"
    texts = project_texts(around, project_root(around, around.folder))
    return any(text is None or (name in text and option in text) for _, text in texts)


def _is_off(value: ast.expr) -> bool:
    """Whether nothing is asked for."""
    return isinstance(value, ast.Constant) and not value.value


CHECKS = {"assigned-too-late": assigned_too_late}
