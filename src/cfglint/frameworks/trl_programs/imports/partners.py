"""Releases of two packages that cannot be imported together: one imports a name that the other has no longer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.checks.packages_together import stated_releases, together
from cfglint.environment.fitting import is_contradicted
from cfglint.frameworks.trl.patched import is_patched_program
from cfglint.frameworks.trl_programs.stated import surely
from cfglint.knowledge.releases.together import WHOLE, package_of
from cfglint.source.python_program import program_of

_PARTNER: Final = "transformers"
#: Trainers of TRL that call the constructor of transformers' with `tokenizer=tokenizer`, up to 0.11.
_HANDING: Final = frozenset(
    f"trl.{one}Trainer" for one in ("SFT", "DPO", "KTO", "ORPO", "CPO", "Reward", "BCO")
)


def package_of_other_time(ctx: CheckContext) -> Iterator[Hit]:
    """`from peft import LoraConfig` with PEFT 0.17.1 and transformers 5."""
    program = program_of(ctx.document.text)
    if program.tree is None or is_patched_program(program.names.packages, ctx):
        return
    stated = stated_releases(ctx)
    seen: set[tuple[str, str]] = set()
    for node in program.tree.body:
        if not isinstance(node, ast.ImportFrom) or node.level or not node.module:
            continue
        package = package_of(node.module.partition(".")[0])
        if package not in stated:
            continue
        for alias in node.names:
            params = together(ctx, package, {WHOLE, alias.name})
            if params is None or (pair := (params["package"], params["other"])) in seen:
                continue
            if is_contradicted(ctx.target, params["other"]):
                continue  # one of the two is installed over again
            seen.add(pair)
            yield Hit((), program.name_of(alias), params)


def tokenizer_of_other_time(ctx: CheckContext) -> Iterator[Hit]:
    """`SFTTrainer(…)` of TRL 0.11, whose constructor hands `tokenizer` to the `Trainer` of transformers 5."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = program.names
    if is_patched_program(names.packages, ctx):
        return
    if not surely(ctx, "trl", "<0.12.0") or not surely(ctx, _PARTNER, ">=5.0.0"):
        return
    for call in names.calls:
        if names.imported(call.func) in _HANDING:
            yield Hit((), program.span_of(call.func), {})


CHECKS = {
    "package-of-other-time": package_of_other_time,
    "tokenizer-of-other-time": tokenizer_of_other_time,
}
