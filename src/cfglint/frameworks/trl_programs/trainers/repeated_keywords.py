"""Keywords that one call has twice, which Python refuses when it compiles the program."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    import ast


def keyword_given_twice(ctx: CheckContext) -> Iterator[Hit]:
    """`SFTConfig(logging_steps=5, bf16=True, logging_steps=10)`."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    for call in program.names.calls:
        first: dict[str, ast.keyword] = {}
        for word in call.keywords:
            if word.arg is None or first.setdefault(word.arg, word) is word:
                continue
            related = Related(program.name_of(first[word.arg]), "given here first")
            yield Hit((), program.name_of(word), {"keyword": word.arg}, related=(related,))


CHECKS = {"keyword-given-twice": keyword_given_twice}
