"""Whether a run needs more memory than a GPU has, as far as that is certain."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from cfglint.checks.context import CheckContext, Hit
from cfglint.diagnostic import Related, SeverityName
from cfglint.runs.memory.planning import Alternative, gib, lighter
from cfglint.runs.memory.run import GIB
from cfglint.runs.memory.terms import Bound, Term, bound
from cfglint.source.calls import call_of

#: How many remedies are reported, and how many terms next to the finding.
_MOST = 3
#: Smaller terms are not reported, in bytes.
_LEAST = GIB // 20
#: How the place of a fact is written that a file of the project states.
_IN_FILE = " line "


def does_not_fit(ctx: CheckContext) -> Iterator[Hit]:
    """A run of which more is certain than its GPUs hold."""
    facts = ctx.target.facts
    memory = facts["gpu.memory_gb"].value
    if "gpu.unified" in facts or _spills():
        return
    gpus = _gpus(ctx)
    if gpus is None:
        return
    planner = ctx.framework.readings.planner(ctx.document, ctx.target, ctx.around)
    run = None if planner is None else planner.run(gpus)
    if planner is None or run is None:
        return
    if (gpus == 1 and run.may_move and _may_see_more(ctx)) or (
        _freezes(ctx) and not run.is_adapter
    ):
        return
    needed, capacity = bound(run), memory * GIB
    if needed.total <= capacity:
        return
    fitting = lighter(planner.changes(gpus), capacity)
    path = _place(ctx, needed, fitting) or planner.model_key
    folder = run.shape.by_folder
    params = {
        "need": f"If `{folder}` is the model of that name, {gib(needed.total)}"
        if folder
        else gib(needed.total),
        "each": "each GPU" if gpus > 1 else "the GPU",
        "gpu": facts["gpu"].value,
        "memory": memory,
        "terms": ", ".join(f"{term.title} {gib(term.size)}" for term in _largest(needed)),
        "remedies": _remedies(fitting),
    }
    severity: SeverityName | None = "warning" if run.may_move or folder else None
    span = ctx.span(path)
    yield Hit(path, span, params, _related(ctx, needed, path), severity=severity)


def _gpus(ctx: CheckContext) -> int | None:
    """The number of GPUs, of a script or a program as its own commands state it."""
    fact = ctx.target.facts.get("gpus")
    if fact is not None:
        return int(fact.value)
    if not _of_commands(ctx):
        return None
    from cfglint.environment.project.own_processes import processes_of

    return processes_of(ctx.document, ctx.around)


def _of_commands(ctx: CheckContext) -> bool:
    """Whether it is a command of a script, or a program, which its own commands start."""
    is_command = ctx.document.language.structure == "words"
    return is_command or call_of(ctx.document.root) is not None


def _may_see_more(ctx: CheckContext) -> bool:
    """Whether the one process of a script or a program may have more GPUs, on all of which `device_map` may lay layers."""
    if not _of_commands(ctx):
        return False
    fact = ctx.target.facts.get("gpus")
    if fact is not None and _IN_FILE not in fact.origin:
        return False
    from cfglint.environment.project.own_processes import has_one_gpu

    return not has_one_gpu(ctx.document, ctx.around)


def _freezes(ctx: CheckContext) -> bool:
    """Whether a program may decide itself which weights are trained."""
    return call_of(ctx.document.root) is not None and "requires_grad" in ctx.document.text


def _spills() -> bool:
    """Whether drivers as this machine's lay what does not fit into the machine's memory.

    Those of Windows do, for WSL too; the run becomes slow instead of failing.
    """
    if sys.platform == "win32":
        return True
    return sys.platform == "linux" and "microsoft" in os.uname().release.lower()


def _largest(needed: Bound) -> list[Term]:
    """The terms that matter, the largest first."""
    shown = [term for term in needed.terms if term.size >= _LEAST]
    return sorted(shown, key=lambda term: -term.size)


def _remedies(fitting: list[Alternative]) -> str:
    if not fitting:
        return "No single change that is certain to help is known"
    shown = [f"{change.title}: {gib(change.bound.total)}" for change in fitting[:_MOST]]
    return "At least " + "; ".join(shown)


def _place(ctx: CheckContext, needed: Bound, fitting: list[Alternative]) -> tuple[str, ...] | None:
    """The written key that a reader would change; None when that is the model alone."""
    paths = [change.path for change in fitting]
    largest = _largest(needed)[0]
    if largest.name != "weights":
        # Of weights, the model is what could be smaller; how they are loaded is a remedy.
        paths.append(largest.because.path)
    for path in paths:
        if path and ctx.document.entry(path) is not None:
            return path
    return None


def _related(ctx: CheckContext, needed: Bound, place: tuple[str, ...]) -> tuple[Related, ...]:
    """The keys that decide the terms, each with what it costs."""
    costs: dict[tuple[str, ...], list[str]] = {}
    for term in _largest(needed):
        costs.setdefault(term.because.path, []).append(f"{term.title} {gib(term.size)}")
    found = []
    for path, shown in costs.items():
        entry = ctx.document.entry(path) if path and path != place else None
        if entry is not None:
            found.append(Related(entry.span, ", ".join(shown)))
    return tuple(found[:_MOST])


CHECKS = {"does-not-fit": does_not_fit}
