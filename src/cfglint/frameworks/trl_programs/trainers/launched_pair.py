"""The arguments of a trainer in a program against accelerate's settings of the command that starts it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING, Final
from cfglint.checks.context import CheckContext, Hit
from cfglint.environment.project.program_starts import starts_of
from cfglint.frameworks.accelerate.trainer_pair import COMPARED, compares, differing
from cfglint.frameworks.trl_programs.class_names import ARGUMENTS
from cfglint.knowledge.keys.classes import is_below
from cfglint.source.calls import call_of
from cfglint.source.document import Mapping, Scalar
from cfglint.source.python_program import program_of

if TYPE_CHECKING:
    from cfglint.source.document import Entry
    from cfglint.source.python_names import Names
    from cfglint.source.text import Span

_PACKAGES: Final = frozenset({"transformers", "trl"})


def settings_differ(ctx: CheckContext) -> Iterator[Hit]:
    """Values of a trainer's arguments that the accelerate file of the command which starts the program gives otherwise."""
    text = ctx.document.text
    program = program_of(text)
    if not compares(text) or ".train(" not in text or program.tree is None:
        return
    if not _has_trainer(program.names, program.tree):
        return
    calls = [given for entry in ctx.document.root.entries if (given := _given(entry, ctx))]
    if len(calls) != 1:
        return
    done: set[str] = set()
    for start in starts_of(ctx.around):
        if not start.line.config.end:
            continue
        for hit in differing(ctx, start.line, calls[0]):
            if hit.params["key"] not in done and not _is_assigned(hit.params["key"], text):
                done.add(hit.params["key"])
                yield hit


def _has_trainer(names: Names, tree: ast.Module) -> bool:
    """Whether the program makes a trainer of transformers or TRL, or derives one from it."""
    bases = [base for one in ast.walk(tree) if isinstance(one, ast.ClassDef) for base in one.bases]
    for node in (*(call.func for call in names.calls), *bases):
        package, _, name = (names.imported(node) or "").partition(".")
        if package in _PACKAGES and name.endswith("Trainer"):
            return True
    return False


def _is_assigned(key: str, text: str) -> bool:
    """Whether the program sets an argument anew after its call."""
    return re.search(rf"\.{key}[ \t]*=(?!=)", text) is not None or f'"{key}",' in text


def _given(entry: Entry, ctx: CheckContext) -> dict[str, tuple[object, Span]]:
    """The compared arguments of a call that makes a trainer's arguments, and names no file of DeepSpeed."""
    section = entry.value.target()
    call = call_of(section) if isinstance(section, Mapping) else None
    if call is None or call.unreached or call.open or not isinstance(section, Mapping):
        return {}
    if not (call.name in ARGUMENTS or is_below("trl", call.name)) or "deepspeed" in section.lookup:
        return {}
    found: dict[str, tuple[object, Span]] = {}
    for own in COMPARED:
        written = section.lookup.get(own)
        span = ctx.document.span((entry.label, own))
        if written is not None and span is not None:
            node = written.value.target()
            if isinstance(node, Scalar):
                found[own] = (node.value, span)
    return found


CHECKS = {"program-and-launch-differ": settings_differ}
