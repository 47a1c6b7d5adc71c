"""Models that a program loads with a keyword that the release of transformers hands to the model's class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.trl_programs.models.loads import loads
from cfglint.source.python_program import program_of

_CLASSES: Final = "transformers.AutoModel"
_KEYWORD: Final = "dtype"
_OLDER: Final = "torch_dtype"
_PACKAGE: Final = "transformers"


def dtype_of_later_release(ctx: CheckContext) -> Iterator[Hit]:
    """`AutoModelForCausalLM.from_pretrained(…, dtype=…)`, in a release that only knows `torch_dtype`."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    for load in loads(program.names):
        word = load.given.get(_KEYWORD)
        if not load.of.startswith(_CLASSES) or word is None or _OLDER in load.given:
            continue
        if isinstance(word.value, ast.Constant) and word.value.value is None:
            continue
        yield Hit((), program.name_of(word), {"release": ctx.target.release}, later=_PACKAGE)


CHECKS = {"dtype-of-later-release": dtype_of_later_release}
