"""Releases of two packages that cannot be imported together: one imports a name that the other has no longer."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from cfglint.base.type_names import Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.frameworks.trl.call_own_code import has_copy
from cfglint.frameworks.trl.patched import PATCHING
from cfglint.frameworks.trl_programs.stated import stated, surely
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.ranges import within
from cfglint.source.python_names import names_of
from cfglint.source.python_program import program_of
from cfglint.source.text import Span

_PARTNER: Final = "transformers"
#: Runs as a whole, whatever is imported from it.
_WHOLE: Final = {"peft": "LoraConfig"}
#: Trainers of TRL that call the constructor of transformers' with `tokenizer=tokenizer`, up to 0.11.
_HANDING: Final = frozenset(
    f"trl.{one}Trainer" for one in ("SFT", "DPO", "KTO", "ORPO", "CPO", "Reward", "BCO")
)


def package_of_other_time(ctx: CheckContext) -> Iterator[Hit]:
    """`from peft import LoraConfig` with PEFT 0.17.1 and transformers 5."""
    program = program_of(ctx.document.text)
    if program.tree is None or not PATCHING.isdisjoint(names_of(program.tree).packages):
        return
    seen: set[str] = set()
    for node in program.tree.body:
        if not isinstance(node, ast.ImportFrom) or node.level or not node.module:
            continue
        package = node.module.partition(".")[0]
        rows = _rows(ctx, package)
        if rows is None or package in seen:
            continue
        for alias in node.names:
            row = rows.get(_WHOLE.get(package, alias.name))
            if row is None or not surely(ctx, _PARTNER, f">={row[0]}"):
                continue
            seen.add(package)
            start = program.place(program.offset(alias.lineno, alias.col_offset))
            module, _, name = row[1].rpartition(".")
            params = {
                "package": package,
                "release": stated(ctx, package),
                "name": name,
                "module": module,
                "first": row[0],
                "other": stated(ctx, _PARTNER),
            }
            yield Hit((), Span(start, start + len(alias.name)), params)
            break


def _rows(ctx: CheckContext, package: str) -> Mapping[str, tuple[str, str]] | None:
    """What the stated release of a package cannot be imported with, by the names that programs import."""
    partners: Mapping[str, Mapping[str, Mapping[str, tuple[str, str]]]]
    partners = compiled.load("partners").PARTNERS
    table = partners.get(package)
    pin = ctx.target.pins.get(package) if table else None
    if not table or pin is None or pin.version is None or pin.inferred or pin.implied or pin.fork:
        return None
    folder = ctx.around.folder
    if folder is not None and has_copy(package, folder, ctx.around):
        return None
    if pin.version in table:
        return table[pin.version]
    before = [one for one in table if within(one, f"<={pin.version}")]
    after = [one for one in table if within(one, f">={pin.version}")]
    # A release between two that are alike is like them.
    if before and after and table[before[-1]] == table[after[0]]:
        return table[after[0]]
    return None


def tokenizer_of_other_time(ctx: CheckContext) -> Iterator[Hit]:
    """`SFTTrainer(…)` of TRL 0.11, whose constructor hands `tokenizer` to the `Trainer` of transformers 5."""
    program = program_of(ctx.document.text)
    if program.tree is None:
        return
    names = names_of(program.tree)
    if not PATCHING.isdisjoint(names.packages):
        return
    if not surely(ctx, "trl", "<0.12.0") or not surely(ctx, _PARTNER, ">=5.0.0"):
        return
    for call in names.calls:
        if names.imported(call.func) in _HANDING:
            start = program.offset(call.func.lineno, call.func.col_offset)
            end = program.offset(call.func.end_lineno or 1, call.func.end_col_offset or 0)
            yield Hit((), Span(program.place(start), program.place_of_end(end)), {})


CHECKS = {
    "package-of-other-time": package_of_other_time,
    "tokenizer-of-other-time": tokenizer_of_other_time,
}
