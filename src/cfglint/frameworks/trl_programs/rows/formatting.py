"""What a `formatting_func` returns, against what the trainer of a release tokenizes: a text for a row, or a list for a batch."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.frameworks.trl_programs.given_calls import GivenCalls, calls_of, keywords_of
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.frameworks.trl_programs.unsloth.replaced import has_replaced_trainers
from cfglint.source.python_nodes import below

if TYPE_CHECKING:
    from cfglint.source.python_scopes import Function

_TRAINERS: Final = frozenset({"trl.SFTTrainer"})
_SHAPE: Final = "formatting_func"
#: Rows of chats, or with a completion, are taken as they are beside what a function makes of them; rows that are
#: tokenized, of pictures, or that the trainer leaves alone, are not formatted at all. A program that asks for a
#: release may have a function for each.
_NOT_FORMATTED: Final = re.compile(
    r"[\"'](?:messages|conversations?|completion|chosen|images?)[\"']"
    r"|input_ids|dataset_kwargs|skip_prepare_dataset|__version__"
)
#: Unsloth does not format rows that are tokenized or have a completion, nor those that a setting, or its collator for
#: pictures, leaves alone.
_TAKEN_AS_IT_IS: Final = re.compile(
    r"[\"'](?:completion|labels)[\"']|input_ids|dataset_kwargs|skip_prepare_dataset|VisionDataCollator"
)
#: Newer releases tokenize the column of that name, and not what the function returns, which goes to `text`.
_OTHER_FIELD: Final = re.compile(
    r"dataset_text_field\b(?![\"']?[ ]{0,9}[=:][ ]{0,9}[\"']text[\"'])"
)
_TEXT, _LIST, _MAPPING = "a text", "a list", "a mapping"
#: Methods of a text that give a text.
_OF_TEXT: Final = frozenset(
    {"format", "join", "strip", "rstrip", "lstrip", "replace", "removesuffix", "removeprefix"}
)
_TOKENS: Final = frozenset({"eos_token", "bos_token", "pad_token"})
_LISTS: Final = (ast.List, ast.ListComp)
_TEMPLATE: Final = "apply_chat_template"
#: Deeper expressions are not looked at.
_DEEPEST: Final = 40
#: What is called once for a batch before this release of TRL, and once for a row since that one.
_BATCHES, _ROWS = "<0.15.0", ">=0.21.0"
#: Unsloth replaces how the trainer prepares its rows since then.
_REPLACED: Final = "<2025.3.19"


def text_for_a_batch(ctx: CheckContext) -> Iterator[Hit]:
    """`SFTTrainer(formatting_func=lambda row: f"{row['question']} {row['answer']}")` where a list is asked for."""
    program = calls_of(ctx)
    if program is None:
        return
    is_patched = is_patched_program(program.names.packages, ctx)
    if not (_is_unsloths(program, ctx) if is_patched else surely(ctx, "trl", _BATCHES)):
        return
    for call, given, function in _shaped(program):
        kind = _returned(function, program)
        is_called = is_patched or _is_unpacked(call, given, program, ctx)
        if kind not in (_TEXT, _MAPPING) or not is_called:
            continue
        yield Hit(
            (),
            program.span(given[_SHAPE]),
            {
                "returned": kind,
                "of": "Unsloth's copy of the trainer" if is_patched else "the trainer",
            },
            related=_made_in(function, program),
            # Unsloth does not call it at all where the rows have the column for the text.
            severity="warning" if is_patched else None,
        )


def _is_unsloths(program: GivenCalls, ctx: CheckContext) -> bool:
    """Whether Unsloth prepares the rows of a program, and formats them."""
    is_older = surely(ctx, "unsloth", _REPLACED) or surely(ctx, "trl", _BATCHES)
    is_formatted = not _TAKEN_AS_IT_IS.search(ctx.document.text)
    return has_replaced_trainers(program.tree) and not is_older and is_formatted


def list_for_a_row(ctx: CheckContext) -> Iterator[Hit]:
    """`SFTTrainer(formatting_func=shape)`, whose list of texts was for a batch of rows."""
    program = calls_of(ctx)
    if program is None or is_patched_program(program.names.packages, ctx):
        return
    for _, given, function in _shaped(program):
        kind = _returned(function, program)
        text = ctx.document.text
        is_formatted = not (_NOT_FORMATTED.search(text) or _OTHER_FIELD.search(text))
        if kind in (_LIST, _MAPPING) and is_formatted:
            yield Hit(
                (),
                program.span(given[_SHAPE]),
                {"returned": kind},
                related=_made_in(function, program),
                severity=None if surely(ctx, "trl", _ROWS) else "warning",
            )


def _shaped(
    program: GivenCalls,
) -> Iterator[tuple[ast.Call, dict[str, ast.expr], Function | ast.Lambda]]:
    """The trainers that are given a function of the program for their rows."""
    for call, given in program.calls(_TRAINERS):
        shape = given.get(_SHAPE)
        if shape is None:
            continue
        function = shape if isinstance(shape, ast.Lambda) else program.scopes.function(shape)
        if function is not None:
            yield call, given, function


def _is_unpacked(
    call: ast.Call, given: dict[str, ast.expr], program: GivenCalls, ctx: CheckContext
) -> bool:
    """Whether rows are surely not packed, for which a function is called row by row."""
    arguments = program.made(given.get("args"))
    config = None if arguments is None else keywords_of(arguments)
    if config is None or arguments is None or _NOT_FORMATTED.search(ctx.document.text):
        return False
    packed = (given.get("packing"), call), (config.get("packing"), arguments)
    is_set_later = ".packing" in ctx.document.text
    return not is_set_later and all(
        node is None or program.value(node, place) is False for node, place in packed
    )


def _made_in(function: Function | ast.Lambda, program: GivenCalls) -> tuple[Related, ...]:
    if isinstance(function, ast.Lambda):
        return ()
    (first, *_) = _returns(function)
    return (Related(program.span(first), "returns it"),)


def _returned(function: Function | ast.Lambda, program: GivenCalls) -> str | None:
    """What kind of thing a function surely returns, whichever way it ends."""
    if isinstance(function, ast.Lambda):
        return _kind(function.body, function, program)
    found = _returns(function)
    kinds = {None if one.value is None else _kind(one.value, function, program) for one in found}
    is_generator = any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in ast.walk(function))
    return None if len(kinds) != 1 or is_generator else next(iter(kinds))


def _returns(function: Function) -> list[ast.Return]:
    """The `return`s of a function, without those of functions in it."""
    found = [one for one in below(function.body) if isinstance(one, ast.Return)]
    return sorted(found, key=lambda one: (one.lineno, one.col_offset))


def _kind(node: ast.expr, function: Function | ast.Lambda, program: GivenCalls) -> str | None:
    """What kind of thing an expression of a function surely is."""
    if isinstance(node, ast.Name) and not isinstance(function, ast.Lambda):
        return _held(node.id, function, program)
    return _kind_of_expression(node, program)


def _kind_of_expression(node: ast.expr, program: GivenCalls) -> str | None:
    is_empty_list = isinstance(node, ast.Call) and _names(node.func, "list") and not node.args
    if isinstance(node, _LISTS) or is_empty_list:
        return _LIST
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return _MAPPING
    return _TEXT if _is_text(node, program) else None


def _is_text(node: ast.expr, program: GivenCalls, depth: int = _DEEPEST) -> bool:
    """Whether an expression surely gives one text."""
    if isinstance(node, ast.Name):
        held = program.scopes.binding(node)
        return held is not None and held.kind == "set" and _is_written(held.node)
    if not isinstance(node, (ast.BinOp, ast.Call)) or depth == 0:
        return _is_written(node)
    if isinstance(node, ast.BinOp):
        # A list has no text added to it, and none is formatted into one.
        sides = {ast.Mod: (node.left,), ast.Add: (node.left, node.right)}.get(type(node.op), ())
        return any(_is_text(one, program, depth - 1) for one in sides)
    if not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in _OF_TEXT:
        return _is_text(node.func.value, program, depth - 1)
    return node.func.attr == _TEMPLATE and _is_one_chat(node)


def _is_written(node: ast.AST) -> bool:
    """Whether something is a text that is written out, or a token of a tokenizer."""
    is_constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
    is_token = isinstance(node, ast.Attribute) and node.attr in _TOKENS
    return is_constant or is_token or isinstance(node, ast.JoinedStr)


def _is_one_chat(call: ast.Call) -> bool:
    """Whether a template makes the text of one chat that is written out, not of a column of them."""
    chat = call.args[0] if call.args else None
    is_chat = isinstance(chat, ast.List) and all(isinstance(one, ast.Dict) for one in chat.elts)
    plain = {one.arg: one.value for one in call.keywords}.get("tokenize")
    return is_chat and isinstance(plain, ast.Constant) and plain.value is False


def _held(name: str, function: Function, program: GivenCalls) -> str | None:
    """What kind of thing a name of a function surely holds: all that is assigned to it is of one kind."""
    kinds: set[str | None] = set()
    arguments = function.args
    if name in {
        one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    }:
        return None
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and any(
            isinstance(one, ast.Name) and one.id == name for one in node.targets
        ):
            if not _adds_to(node.value, name):
                kinds.add(_kind_of_expression(node.value, program))
        elif isinstance(node, ast.AnnAssign) and _names(node.target, name):
            kinds.add(None if node.value is None else _kind_of_expression(node.value, program))
        elif isinstance(node, ast.AugAssign) and _names(node.target, name):
            if not isinstance(node.op, ast.Add):
                kinds.add(None)
        elif _names(node, name) and not _is_plain(node, program):
            kinds.add(None)
    return next(iter(kinds)) if len(kinds) == 1 else None


def _adds_to(node: ast.expr, name: str) -> bool:
    """Whether an expression is a name and more, and so of the same kind."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _names(node.left, name)


def _names(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_plain(node: ast.AST, program: GivenCalls) -> bool:
    """Whether a name is read, or assigned to by itself: not as a part of something, by a loop, or by `with`."""
    is_read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    parent = program.scopes.parent(node)
    return is_read or isinstance(parent, (ast.Assign, ast.AnnAssign, ast.AugAssign))


CHECKS = {"text-for-a-batch": text_for_a_batch, "list-for-a-row": list_for_a_row}
