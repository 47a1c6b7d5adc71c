"""What a trainer is given for a dataset: all splits at once, or rows that have no labels."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.frameworks.trl_programs.class_names import TRAINERS
from cfglint.source.python_names import last_name
from cfglint.source.python_objects import ObjectOrigin, Objects
from cfglint.source.python_program import program_of
from cfglint.source.python_scopes import Scopes
from cfglint.source.text import Span

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_KEYWORD: Final = "train_dataset"
_TRAINERS: Final = frozenset(
    {
        *TRAINERS,
        *("trl.SFTTrainer", "trl.RewardTrainer", "trl.DPOTrainer", "trl.KTOTrainer"),
        *("trl.ORPOTrainer", "trl.CPOTrainer", "trl.GRPOTrainer", "trl.RLOOTrainer"),
    }
)
_LOAD: Final = "datasets.load_dataset"
#: How many arguments stand before the split.
_BEFORE_SPLIT: Final = 4
_DIVIDE: Final = "train_test_split"
#: The methods of a `DatasetDict` that give another one.
_OF_DICTS: Final = frozenset(
    {
        *("map", "filter", "shuffle", "sort", "flatten", "with_format", "with_transform"),
        *("cast", "cast_column", "class_encode_column", "remove_columns", "select_columns"),
        *("rename_column", "rename_columns"),
    }
)
_MAP: Final = "map"
#: Where a loss needs labels that the trainer does not make.
_MODELS: Final = frozenset(
    {
        *("transformers.AutoModelForCausalLM", "transformers.AutoModelForSeq2SeqLM"),
        "transformers.AutoModelForMaskedLM",
    }
)
#: What the trainer may be given that makes labels, or does without, also by its place.
_MAKES_LABELS: Final = frozenset({"data_collator", "compute_loss_func", "model_init"})
_BEFORE_COLLATOR: Final = 2
#: A program with one of these words may make labels in a way of its own.
_OF_LABELS: Final = ("label", "collat", "compute_loss", "importlib", "__import__")
_TOKENIZES: Final = "tokeniz"
#: A module that is none of these may make them as well.
_WITHOUT_LABELS: Final = frozenset(
    {
        *("transformers", "datasets", "torch", "peft", "accelerate", "bitsandbytes", "numpy"),
        *("pandas", "tqdm", "wandb", "huggingface_hub", "dotenv", "evaluate", "sklearn"),
        *("argparse", "collections", "dataclasses", "datetime", "functools", "gc", "glob"),
        *("itertools", "json", "logging", "math", "os", "pathlib", "random", "re", "shutil"),
        *("string", "sys", "time", "typing", "warnings", "yaml", "__future__", "google"),
    }
)


def split_not_chosen(ctx: CheckContext) -> Iterator[Hit]:
    """`Trainer(train_dataset=load_dataset("rows"))`, which is a `DatasetDict` of all splits."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    objects = _objects(program.tree)
    for call in names.calls:
        trainer = names.imported(call.func)
        given = _given(call) if trainer in _TRAINERS else None
        origin = None if given is None else objects.made(given.value)
        if given is None or origin is None or origin.item is not None:
            continue
        made = _gives_all_splits(origin.call, names)
        if not made:
            continue
        params = {"trainer": (trainer or "").rpartition(".")[2], "made": made}
        place = program.place(program.offset(origin.call.lineno, origin.call.col_offset))
        related = Related(Span(place, place + 1), "gives all splits, by their names")
        yield Hit((), program.name_of(given), params, related=(related,))


def rows_without_labels(ctx: CheckContext) -> Iterator[Hit]:
    """`Trainer(model=AutoModelForCausalLM…, train_dataset=rows.map(tokenize))` without what makes labels."""
    program = program_of(ctx.document.text)
    text = ctx.document.text.lower()
    is_open = _TOKENIZES not in text or any(word in text for word in _OF_LABELS)
    if program.tree is None or is_open:
        return
    names = program.names
    if not names.packages <= _WITHOUT_LABELS or is_patched_program(names.packages, ctx):
        return
    if not any(map(_calls_tokenizer, names.calls)):
        return
    objects = _objects(program.tree)
    for call in names.calls:
        given = _given(call) if names.imported(call.func) == "transformers.Trainer" else None
        if given is None or _may_make_labels(call):
            continue
        origin = objects.made(given.value)
        if origin is None or not _is_tokenized(origin, names):
            continue
        model = next((one.value for one in call.keywords if one.arg == "model"), None)
        loaded = _loaded(objects.made(model), names) if model is not None else ""
        if loaded in _MODELS:
            params = {"model": loaded.rpartition(".")[2]}
            yield Hit((), program.name_of(given), params)


def _objects(tree: ast.Module) -> Objects:
    return Objects(Scopes(tree), frozenset({"get_peft_model"}), _OF_DICTS)


def _given(call: ast.Call) -> ast.keyword | None:
    return next((one for one in call.keywords if one.arg == _KEYWORD), None)


def _gives_all_splits(call: ast.Call, names: Names) -> str:
    """What a call is that surely gives a `DatasetDict`; empty for any other one."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == _DIVIDE:
        is_of_dataset = "datasets" in names.packages and names.imported(call.func) is None
        return f"`.{_DIVIDE}()`" if is_of_dataset else ""
    if names.imported(call.func) != _LOAD:
        return ""
    words = [one.arg for one in call.keywords]
    is_split = "split" in words or None in words or len(call.args) > _BEFORE_SPLIT
    is_open = any(isinstance(one, ast.Starred) for one in call.args)
    return "" if is_split or is_open else "`load_dataset()` without a `split`"


def _calls_tokenizer(call: ast.Call) -> bool:
    """`tokenizer(row["text"])`: what else `map` does may keep rows that were tokenized before, with their labels."""
    return isinstance(call.func, ast.Name) and _TOKENIZES in call.func.id.lower()


def _may_make_labels(call: ast.Call) -> bool:
    words = {one.arg for one in call.keywords}
    is_open = None in words or any(isinstance(one, ast.Starred) for one in call.args)
    return is_open or len(call.args) > _BEFORE_COLLATOR or not _MAKES_LABELS.isdisjoint(words)


def _is_tokenized(origin: ObjectOrigin, names: Names) -> bool:
    """Whether rows come from `load_dataset`, and were mapped by the program."""
    call = origin.call
    if isinstance(call.func, ast.Attribute) and call.func.attr == _DIVIDE:
        return False
    return names.imported(call.func) == _LOAD and f".{_MAP}" in origin.used


def _loaded(model: ObjectOrigin | None, names: Names) -> str:
    """The class that loads a model, with its package."""
    method = None if model is None else model.call.func
    if not isinstance(method, ast.Attribute) or last_name(method) != "from_pretrained":
        return ""
    return names.imported(method.value) or ""


CHECKS = {
    "split-not-chosen": split_not_chosen,
    "rows-without-labels": rows_without_labels,
}
