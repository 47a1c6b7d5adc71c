"""Models that a program trains in FP16, whose values are too large for that."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.trl_programs.class_names import ARGUMENTS
from cfglint.frameworks.trl_programs.models.loads import loads
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.source.python_names import Names

_CLASSES: Final = frozenset(
    {
        "transformers.AutoModelForSeq2SeqLM",
        "transformers.MT5ForConditionalGeneration",
        "transformers.T5ForConditionalGeneration",
        "transformers.UMT5ForConditionalGeneration",
    }
)
#: The small ones of the first T5 and of Flan-T5 are trained in FP16 by many.
_LARGE: Final = lazy_pattern(
    r"(?i)^(?:[\w.-]+/)?(?:t5-(?:large|3b|11b)|flan-t5-(?:large|xl|xxl)|(?:t5-v1_1|u?mt5)-(?:small|base|large|xl|xxl))$"
)


def t5_in_fp16(ctx: CheckContext) -> Iterator[Hit]:
    """`TrainingArguments(…, fp16=True)` beside `T5ForConditionalGeneration.from_pretrained("t5-large")`."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    models = [
        _model(names, load.call) for load in loads(names) if load.of in _CLASSES and load.call.args
    ]
    if not models or any(one is False for one in models):
        return
    for call in names.calls:
        if names.imported(call.func) not in ARGUMENTS:
            continue
        for word in call.keywords:
            if word.arg == "fp16" and names.value(word.value, call) is True:
                yield Hit((), program.name_of(word), {"model": models[0]})


def _model(names: Names, call: ast.Call) -> str | bool:
    """The large model that a call loads; False for another or an unknown one."""
    name = names.value(call.args[0], call)
    return name if isinstance(name, str) and _LARGE.search(name) else False


CHECKS = {"t5-in-fp16": t5_in_fp16}
