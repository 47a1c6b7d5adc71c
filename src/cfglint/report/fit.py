"""How much memory a run needs on each GPU, as text with bars or as JSON."""

from __future__ import annotations

from collections.abc import Mapping

import cfglint
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.engine.advice import Advice
from cfglint.knowledge import compiled
from cfglint.report.escaping import visible
from cfglint.report.fit_advice import render_text as advice_text
from cfglint.report.json_text import json_text
from cfglint.report.style import Style
from cfglint.runs.memory.estimate import Estimate, estimate
from cfglint.runs.memory.planning import (
    COUNTS,
    Alternative,
    Largest,
    Planner,
    gib,
    largest,
    lighter,
    of_estimate,
    smallest,
)
from cfglint.runs.memory.run import GIB, Because
from cfglint.runs.memory.terms import Bound, Term, bound
from cfglint.source.document import Document, format_path

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 2
PLAIN = Style(color=False)
_BAR = 30
_MOST_NAMES = 4
_MOMENTS = {
    "step": "at the optimizer step",
    "forward": "when a backward pass begins",
    "layer": "when the last layer is recomputed",
    "backward": "at the end of a backward pass",
}


class Smallest(Record):
    """The smallest GPUs for one number of them; `memory` is None when none is large enough."""

    gpus: int
    need: int
    #: What each probably needs; None where there is no estimate, and `need` decides.
    expected: Estimate | None
    memory: int | None
    names: tuple[str, ...]


class Answer(Record):
    """The report on one file."""

    gpus: int
    needed: Bound
    #: How the run is divided for certain, and how the estimate takes it to be.
    divided: Because
    assumed: Because
    #: What it probably needs with full sequences; None where too little is known.
    expected: Estimate | None
    #: What probably fits; None without a GPU of known memory or an estimate.
    largest: Largest | None
    parameters: int
    partial: bool
    #: The name of the folder that the sizes are taken from; empty where the model is certain.
    by_folder: str
    #: The GPU that was named and its memory in GB, where these are known.
    gpu: str | None
    memory: int | None
    sizes: tuple[Smallest, ...]
    changes: tuple[Alternative, ...]

    @property
    def without_weights(self) -> bool:
        """Whether nothing of the model itself is counted, so that no GPU can be recommended."""
        return self.expected is None and all(one.title != "weights" for one in self.needed.terms)

    @property
    def fits(self) -> bool | None:
        """False when it certainly does not fit; None if that is unknown."""
        return False if self.memory is not None and self.needed.total > self.memory * GIB else None


def answer(planner: Planner, facts: Mapping[str, Any]) -> Answer | None:
    """The report; None if nothing is known about the run, for the reason of `planner.obstacle`."""
    gpus = facts.get("gpus", 1)
    run = planner.run(gpus)
    usual = planner.usual(gpus)
    if run is None or usual is None:
        return None
    table = compiled.load("hardware").GPUS
    needed = bound(run)
    memory = None if "gpu.unified" in facts else facts.get("gpu.memory_gb")
    expected = estimate(usual)
    shape = run.shape
    changes = (
        lighter(planner.changes(gpus), needed.total)
        if expected is None
        else lighter(planner.changes(gpus), expected.likely, of_estimate)
    )
    return Answer(
        gpus,
        needed,
        run.divided,
        usual.divided,
        expected,
        largest(planner, gpus, memory * GIB) if memory is not None and expected else None,
        shape.parameters,
        shape.partial,
        shape.by_folder,
        facts.get("gpu"),
        memory,
        tuple(one for number in COUNTS if (one := _smallest(planner, number, table)) is not None),
        tuple(changes),
    )


def _smallest(
    planner: Planner, gpus: int, table: Mapping[str, Mapping[str, Any]]
) -> Smallest | None:
    """The smallest GPUs for a number of them; None where nothing is known about their need."""
    run, usual = planner.run(gpus), planner.usual(gpus)
    need = 0 if run is None else bound(run).total
    expected = None if usual is None else estimate(usual)
    if not need and expected is None:
        return None
    found = smallest(need if expected is None else expected.high, table)
    memory, names = found if found is not None else (None, [])
    return Smallest(gpus, need, expected, memory, tuple(names))


def render_advised(
    found: Answer, advice: Advice, document: Document, name: str, release: str, style: Style = PLAIN
) -> str:
    """The need in short, and the changes of the file with which it fits."""
    lines = [_head(found, name, release, style), *_certain(found, document, style)]
    lines += [*_expected(found, style)]
    return "\n".join(lines) + "\n" + advice_text(advice, style)


def _head(found: Answer, name: str, release: str, style: Style) -> str:
    counted = f"{found.parameters:,} parameters"
    if found.partial:
        counted += " in its language model (only these are counted)"
    if found.by_folder:
        counted += f", if `{visible(found.by_folder)}` is the model of that name"
    return f"{style.bold(visible(name))}: {counted}; {release}"


def render_text(
    found: Answer, document: Document, name: str, release: str, style: Style = PLAIN
) -> str:
    """The report for a terminal; ASCII except for the bars."""
    lines = [
        _head(found, name, release, style),
        *_certain(found, document, style),
        *_expected(found, style),
        *_verdict(found, style),
        *_table(found, style),
    ]
    if not lines[-1]:
        lines.pop()
    if found.changes:
        measure = "at least" if found.expected is None else "probably about"
        lines += ["", style.bold(f"What would need less ({measure}):")]
        lines += [f"  {gib(_size(found, one)):>10}  {one.title}" for one in found.changes]
    if found.expected is None:
        lines += [
            "",
            "There is no estimate, as no run like this one was measured (docs/fit.md). Only what is "
            "certain is counted;",
            "activations, buffers and fragmentation add to it.",
        ]
    return "\n".join(lines) + "\n"


def _size(found: Answer, change: Alternative) -> int:
    return change.bound.total if found.expected is None else of_estimate(change)


def _certain(found: Answer, document: Document, style: Style) -> list[str]:
    """What is certain, by its parts, or why nothing is."""
    if not found.needed.total:
        reason = visible(found.divided.text)
        return [f"Nothing is certain to be on {_on(found.gpus)}: {reason}.", ""]
    size = style.bold(gib(found.needed.total))
    head = f"At least {size} on {_on(found.gpus)}, {_MOMENTS[found.needed.moment]}:"
    rows = [_row(term, found, document, style) for term in found.needed.terms]
    if found.expected is None and (found.gpus > 1 or found.without_weights):
        rows += ["", f"That is with {visible(found.divided.text)}."]
    if found.without_weights:
        rows += ["Weights, gradients and optimizer states may add to it; none of them is certain."]
    return [head, "", *rows, ""]


def _on(gpus: int) -> str:
    return "the GPU" if gpus == 1 else f"each of {gpus} GPUs"


def _row(term: Term, found: Answer, document: Document, style: Style) -> str:
    share = term.size / max(found.needed.total, 1)
    bar = style.code(f"{'█' * round(share * _BAR):<{_BAR}}")
    line = _line(term.because.path, document)
    where = style.dim(f" (line {line})") if line is not None else ""
    return f"  {term.title:<17}{gib(term.size):>10}  {bar}  {visible(term.because.text)}{where}"


def _expected(found: Answer, style: Style) -> list[str]:
    if found.expected is None:
        return []
    one = found.expected
    lines = [
        f"Probably about {style.bold(gib(one.likely))} with full sequences; most runs like it are "
        f"between {gib(one.low)} and {gib(one.high)}."
    ]
    if found.gpus > 1:
        lines.append(f"That is with {visible(found.assumed.text)}.")
    return [*lines, ""]


def _verdict(found: Answer, style: Style) -> list[str]:
    if found.memory is None:
        return []
    memory = f"{found.gpu} has {found.memory} GiB"
    if found.fits is False:
        return [f"{style.severity('It does not fit', 'error')}: {memory}.{_largest(found)}", ""]
    if found.expected is None:
        left = found.memory * GIB - found.needed.total
        spare = f"{memory}, which leaves {gib(left)} for everything else."
        return [spare, ""] if found.needed.total else []
    if found.expected.high <= found.memory * GIB:
        likely = style.added("it probably fits")
    elif found.expected.low > found.memory * GIB:
        likely = style.severity("it probably does not fit", "error")
    else:
        likely = style.severity("it may or may not fit", "warning")
        return [f"{memory}: {likely}.{_largest(found, 'may fit')}", ""]
    return [f"{memory}: {likely}.{_largest(found)}", ""]


def _largest(found: Answer, how: str = "probably fits") -> str:
    most = found.largest
    if most is None or (most.length is None and most.batch is None):
        return ""
    limits = [] if most.length is None else [f"sequences of {most.length:,} tokens"]
    if most.batch is not None:
        limits.append(f"a micro batch of {most.batch:,}")
    return f" The most that {how}: {', or '.join(limits)}."


def _table(found: Answer, style: Style) -> list[str]:
    """The smallest GPUs by their number; numbers with the same answer share a line."""
    grouped: dict[tuple[str, int | None], list[Smallest]] = {}
    for one in found.sizes:
        probable = "" if one.expected is None else gib(one.expected.likely)
        grouped.setdefault((probable or gib(one.need), one.memory), []).append(one)
    if not grouped or found.without_weights:
        return []
    numbers = [_numbers(group) for group in grouped.values()]
    width = max(map(len, numbers))
    has_estimate = any(one.expected is not None for one in found.sizes)
    title = "that probably suffice" if has_estimate else "that are not certainly too small"
    lines = [style.bold(f"Smallest GPUs {title}:")]
    rows = zip(numbers, grouped.values(), strict=True)
    return lines + [f"  {number:>{width}}: {_needed(group)}" for number, group in rows]


def _numbers(group: list[Smallest]) -> str:
    first, last = group[0].gpus, group[-1].gpus
    shown = str(first) if first == last else f"{first} to {last}"
    return f"{shown} GPU{'s' if last > 1 else ''}"


def _needed(group: list[Smallest]) -> str:
    """What each of some numbers of GPUs needs; with more of them, less may be certain."""
    one, needs = group[0], sorted({gib(other.need): other.need for other in group}.values())
    least = gib(needs[0]) if len(needs) == 1 else f"{gib(needs[0])} to {gib(needs[-1])}"
    certain = f"at least {least}" if needs[-1] else "nothing is certain"
    each = " each" if group[-1].gpus > 1 else ""
    if one.expected is None:
        need = f"{certain}{each}" if needs[-1] else certain
    else:
        need = f"about {gib(one.expected.likely)}{each} ({certain})"
    if one.memory is None:
        return f"{need}; no known GPU has enough"
    names = ", ".join(one.names[:_MOST_NAMES]) + (", …" if len(one.names) > _MOST_NAMES else "")
    return f"{need}; {one.memory} GB ({names})"


def _line(path: tuple[str, ...], document: Document) -> int | None:
    entry = document.entry(path) if path else None
    return document.source.position(entry.key.start)[0] if entry is not None else None


def render_json(
    found: Answer, document: Document, release: str, beside: Mapping[str, Any] | None = None
) -> str:
    """One JSON object (docs/fit.schema.json); ASCII only, sizes in bytes.

    Args:
        beside: the members that were asked for in addition.
    """
    expected, most = found.expected, found.largest
    report: dict[str, Any] = {
        "version": FORMAT_VERSION,
        "tool": {"name": "cfglint", "version": cfglint.__version__},
        "release": release,
        "gpus": found.gpus,
        "gpu": None if found.gpu is None else {"name": found.gpu, "memory_gb": found.memory},
        "model": {"parameters": found.parameters, "language_model_only": found.partial},
        "certain": _certain_data(found.needed, document),
        "expected": None
        if expected is None
        else {"bytes": expected.likely, "low": expected.low, "high": expected.high},
        "largest": None
        if most is None
        else {"sequence_length": most.length, "micro_batch": most.batch},
        "divided": {"certain": found.divided.text, "assumed": found.assumed.text},
        "fits": found.fits,
        "smallest": [
            {
                "gpus": one.gpus,
                "bytes": one.need,
                "expected_bytes": None if one.expected is None else one.expected.likely,
                "memory_gb": one.memory,
                "names": list(one.names),
            }
            for one in found.sizes
        ],
        "changes": [
            {
                "title": one.title,
                "key": format_path(one.path) if one.path else None,
                "gpus": one.gpus,
                "bytes": one.bound.total,
                "expected_bytes": of_estimate(one) or None,
            }
            for one in found.changes
        ],
    }
    report.update(beside or {})
    return json_text(report) + "\n"


def _certain_data(needed: Bound, document: Document) -> dict[str, Any]:
    return {
        "bytes": needed.total,
        "moment": needed.moment,
        "terms": [
            {
                "name": term.name,
                "bytes": term.size,
                "reason": term.because.text,
                "key": format_path(term.because.path) if term.because.path else None,
                "line": _line(term.because.path, document),
            }
            for term in needed.terms
        ],
    }
