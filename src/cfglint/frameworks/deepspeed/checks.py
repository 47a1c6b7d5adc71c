"""Checks of DeepSpeed's files that no condition on keys can say."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cfglint.checks.context import Check, CheckContext, Hit
from cfglint.environment.project_texts import programs_with
from cfglint.environment.python_sources import project_root, python_sources
from cfglint.frameworks.deepspeed.filling import AUTO, WALKED, is_filled_in
from cfglint.knowledge.rules.views import written_value
from cfglint.source.document import Mapping, Scalar, format_path


def walked_section(ctx: CheckContext) -> Iterator[Hit]:
    """A section that is no mapping, in a file whose "auto" transformers fills in."""
    if not is_filled_in(ctx.document):
        return
    for path in WALKED:
        entry = ctx.document.entry(path)
        if entry is None:
            continue
        value = entry.value.target()
        empty = isinstance(value, Scalar) and value.value is None
        if not empty and not isinstance(value, Mapping):
            yield Hit(path, entry.span, {"key": format_path(path)})


#: Sizes that DeepSpeed computes with as soon as it has read them.
_SIZES = ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps")
_STARTS = "deepspeed.initialize("
#: Words of programs that fill in "auto", or have a trainer do so.
_FILLING = (
    *("Trainer", "TrainingArguments", "Accelerator", "HfDeepSpeedConfig", "DeepSpeedPlugin"),
    *('"auto"', "'auto'"),
)


def auto_without_trainer(ctx: CheckContext) -> Iterator[Hit]:
    """A batch size that is "auto", where the programs that name the file hand it to DeepSpeed themselves."""
    sizes = [name for name in _SIZES if written_value(ctx.document, (name,)) == AUTO]
    if not sizes:
        return
    texts = [text for _, text in programs_with(ctx.around.path, ctx.around)]
    filling = (*_FILLING, *_SIZES)
    if not texts or any(_STARTS not in text or any(w in text for w in filling) for text in texts):
        return
    if any(_has_sizes_of_module(text, ctx) for text in texts):
        return
    entry = ctx.document.entry((sizes[0],))
    assert entry is not None
    yield Hit((sizes[0],), entry.span, {"key": sizes[0]})


def _has_sizes_of_module(text: str, ctx: CheckContext) -> bool:
    """Whether a program names a module of the project that knows one of the sizes, and may fill it in."""
    root = project_root(ctx.around, ctx.around.folder or "")
    return any(
        other is None
        or (
            any(size in other for size in _SIZES)
            and os.path.splitext(os.path.basename(path))[0] in text
        )
        for path, other in python_sources(ctx.around, root).items()
    )


CHECKS: dict[str, Check] = {
    "auto-without-trainer": auto_without_trainer,
    "walked-section": walked_section,
}
