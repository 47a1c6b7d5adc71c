"""The columns that a trainer of TRL reads, against a file of the project that a program loads and hands to it as it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Any, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.frameworks.trl_programs.unsloth.replaced import has_replaced_trainers
from cfglint.source.files.data import Sample, sample
from cfglint.source.files.nearby import search
from cfglint.source.python_objects import Objects
from cfglint.source.python_program import program_of
from cfglint.source.python_scopes import Scopes

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_KEYWORDS: Final = ("train_dataset", "eval_dataset")
_LOAD: Final = "datasets.load_dataset"
_KINDS: Final = frozenset({"json", "csv"})
_PAIRS: Final = ("chosen", "rejected")
#: Trainer -> the sets of columns of which it needs one.
_NEEDED: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "trl.DPOTrainer": (_PAIRS,),
    "trl.ORPOTrainer": (_PAIRS,),
    "trl.CPOTrainer": (_PAIRS,),
    "trl.RewardTrainer": (_PAIRS, ("input_ids_chosen",), ("chosen_input_ids",), ("chosen_ids",)),
    "trl.KTOTrainer": (("prompt", "completion", "label"), _PAIRS),
    "trl.GRPOTrainer": (("prompt",),),
}
_SUPERVISED: Final = "trl.SFTTrainer"
_CONFIG: Final = "trl.SFTConfig"
_FIELD: Final = "dataset_text_field"
_COMPLETED: Final = ("prompt", "completion")
#: What a trainer of single texts reads by default.
_OF_SUPERVISED: Final[tuple[tuple[str, ...], ...]] = (
    *(("messages",), ("conversations",), ("input_ids",), _COMPLETED),
)
#: What Unsloth's way of preparing rows takes in any release: completions since unsloth_zoo 2026.3.5, chats since 2026.10.
#: Unsloth asks for unsloth_zoo without an upper bound, so that its own release does not say which one is there.
_OF_UNSLOTH: Final[tuple[tuple[str, ...], ...]] = (
    *(("messages",), ("labels",), ("input_ids",), _COMPLETED),
)
#: With one of these, rows are made into others.
_MAKES_ROWS: Final = frozenset({"formatting_func", "data_collator", "preprocess_func"})
#: What leaves the columns of rows as they are.
_HARMLESS: Final = frozenset(
    {".shuffle", ".select", ".filter", ".sort", ".column_names", ".features", ".num_rows"}
    | {"len", "print", ".take", ".skip"}
)


def columns_not_there(ctx: CheckContext) -> Iterator[Hit]:
    """`DPOTrainer(train_dataset=load_dataset("json", data_files="qa.jsonl", split="train"))`, whose rows are no pairs."""
    program = program_of(ctx.document.text)
    folder = ctx.around.folder
    if program.tree is None or folder is None:
        return
    names = program.names
    objects = Objects(Scopes(program.tree), frozenset(), frozenset())
    for call in names.calls:
        trainer = names.imported(call.func) or ""
        if trainer not in _NEEDED and trainer != _SUPERVISED:
            continue
        given = {one.arg: one for one in call.keywords}
        if None in given or not _MAKES_ROWS.isdisjoint(given):
            continue
        needed = _NEEDED.get(trainer)
        if needed is None:
            needed = _of_supervised(given, call, names, _beside_text(program.tree, names, ctx))
        if needed is None:
            continue
        for word in _KEYWORDS:
            found = _file(given[word].value, objects, names, folder, ctx) if word in given else None
            if found is None:
                continue
            load, rows = found
            if any(all(rows.has(name) for name in one) for one in needed):
                continue
            related = Related(program.span_of(load.func), "loads the file")
            params = {
                "trainer": trainer.rpartition(".")[2],
                "file": rows.path.replace("\\", "/").rpartition("/")[2],
                "columns": _listed(rows.columns[:8]),
                "needed": " or ".join(
                    _listed(one) for one in needed if one[0] != "labels" and "ids" not in one[0]
                ),
            }
            yield Hit((), program.name_of(given[word]), params, related=(related,))


def _listed(names: tuple[str, ...]) -> str:
    quoted = [f"`{one}`" for one in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _beside_text(
    tree: ast.Module, names: Names, ctx: CheckContext
) -> tuple[tuple[str, ...], ...] | None:
    """What an `SFTTrainer` reads beside a text; None if that is not certain.

    Unsloth replaces how it prepares its rows, and takes no `conversations`.
    """
    if not is_patched_program(names.packages, ctx):
        return _OF_SUPERVISED
    is_older = surely(ctx, "unsloth", "<2025.3.19") or surely(ctx, "trl", "<0.15.0")
    if is_older or not has_replaced_trainers(tree):
        return None
    return _OF_UNSLOTH


def _of_supervised(
    given: dict[str | None, ast.keyword],
    call: ast.Call,
    names: Names,
    beside_text: tuple[tuple[str, ...], ...] | None,
) -> tuple[tuple[str, ...], ...] | None:
    """What an `SFTTrainer` needs; None if it is not certain which column it takes for the text."""
    if beside_text is None:
        return None
    config = names.expression(given["args"].value, call) if "args" in given else None
    words = {_FIELD: given[_FIELD]} if _FIELD in given else {}
    if isinstance(config, ast.Call):
        if names.imported(config.func) != _CONFIG or any(
            one.arg is None for one in config.keywords
        ):
            return None
        inner = {one.arg: one for one in config.keywords if one.arg is not None}
        if "dataset_kwargs" in inner:
            return None
        words = {**({_FIELD: inner[_FIELD]} if _FIELD in inner else {}), **words}
        call = config if _FIELD in inner and _FIELD not in given else call
    else:
        return None
    field: Any = names.value(words[_FIELD].value, call) if _FIELD in words else "text"
    if not isinstance(field, str) or not field:
        return None
    return ((field,), *beside_text)


def _file(
    node: ast.expr, objects: Objects, names: Names, folder: str, ctx: CheckContext
) -> tuple[ast.Call, Sample] | None:
    """The call that loads rows from one file of the project, which nothing changes, and the first of them."""
    if isinstance(node, ast.Subscript):
        node = node.value
    origin = objects.made(node)
    if origin is None or origin.through or origin.item is not None:
        return None
    if not origin.used <= _HARMLESS or names.imported(origin.call.func) != _LOAD:
        return None
    load = origin.call
    words = {one.arg: one.value for one in load.keywords}
    kind = names.value(load.args[0], load) if load.args else None
    if None in words or kind not in _KINDS or "field" in words or "column_names" in words:
        return None
    if "data_files" not in words:
        return None
    written: Any = names.value(words["data_files"], load)
    if isinstance(written, dict) and len(written) == 1:
        written = next(iter(written.values()))
    if isinstance(written, list) and len(written) == 1:
        written = written[0]
    if not isinstance(written, str) or "*" in written:
        return None
    places = search(written, folder, ctx.around.files).found
    rows = sample(places[0], str(kind), ctx.around.files) if len(places) == 1 else None
    return (load, rows) if rows is not None and rows.rows and rows.broken is None else None


CHECKS = {"columns-not-there": columns_not_there}
