"""How much memory a run needs on each GPU, as text with bars or as JSON."""

from __future__ import annotations

from collections.abc import Mapping

import cfglint
from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.fit.estimate import Estimate, estimate
from cfglint.fit.planning import (
    COUNTS,
    Alternative,
    Largest,
    Planner,
    gib,
    largest,
    lighter,
    smallest,
)
from cfglint.fit.run import GIB
from cfglint.fit.terms import Bound, Term, bound
from cfglint.knowledge import compiled
from cfglint.report.escaping import visible
from cfglint.report.json_text import json_text
from cfglint.source.document import Document, format_path

#: Raised when a member changes its meaning or goes away, not when one is added.
FORMAT_VERSION = 1
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
    memory: int | None
    names: tuple[str, ...]


class Answer(Record):
    """The report on one file."""

    gpus: int
    needed: Bound
    #: What it probably needs with full sequences; None where too little is known.
    expected: Estimate | None
    #: What probably fits; None without a GPU of known memory or an estimate.
    largest: Largest | None
    parameters: int
    partial: bool
    #: The GPU that was named and its memory in GB, where these are known.
    gpu: str | None
    memory: int | None
    sizes: tuple[Smallest, ...]
    changes: tuple[Alternative, ...]

    @property
    def fits(self) -> bool | None:
        """False when it certainly does not fit; None if that is unknown."""
        return False if self.memory is not None and self.needed.total > self.memory * GIB else None


def answer(planner: Planner, facts: Mapping[str, Any]) -> Answer | None:
    """The report; None if nothing is certain about the run."""
    gpus = facts.get("gpus", 1)
    run = planner.run(gpus)
    if run is None:
        return None
    table = compiled.load("hardware").GPUS
    sizes = []
    for number in COUNTS:
        other = planner.run(number)
        need = bound(other).total if other is not None else 0
        found = smallest(need, table)
        memory, names = found if found is not None else (None, [])
        sizes.append(Smallest(number, need, memory, tuple(names)))
    needed = bound(run)
    changes = lighter(planner.changes(gpus), needed.total)
    unified = "gpu.unified" in facts
    memory = None if unified else facts.get("gpu.memory_gb")
    expected = estimate(run)
    shape = run.shape
    return Answer(
        gpus,
        needed,
        expected,
        largest(planner, gpus, memory * GIB) if memory is not None and expected else None,
        shape.parameters,
        shape.partial,
        facts.get("gpu"),
        memory,
        tuple(sizes),
        tuple(changes),
    )


def render_text(found: Answer, document: Document, name: str, release: str) -> str:
    """The report for a terminal; ASCII except for the bars."""
    counted = f"{found.parameters:,} parameters"
    if found.partial:
        counted += " in its language model (only these are counted)"
    on = "the GPU" if found.gpus == 1 else f"each of {found.gpus} GPUs"
    lines = [
        f"{visible(name)}: {counted}; {release}",
        f"At least {gib(found.needed.total)} on {on}, {_MOMENTS[found.needed.moment]}:",
        "",
    ]
    lines += [_row(term, found, document) for term in found.needed.terms]
    lines += ["", *_expected(found), *_verdict(found), "Smallest GPUs that may be sufficient:"]
    lines += [_sizes(one) for one in found.sizes]
    if found.changes:
        lines += ["", "What would need less (at least):"]
        lines += [f"  {gib(one.bound.total):>10}  {one.title}" for one in found.changes]
    if found.expected is None:
        lines += [
            "",
            "Only what is certain is counted; activations, buffers and fragmentation add to it.",
        ]
    return "\n".join(lines) + "\n"


def _row(term: Term, found: Answer, document: Document) -> str:
    share = term.size / max(found.needed.total, 1)
    bar = "█" * max(1, round(share * _BAR))
    line = _line(term.because.path, document)
    where = f" (line {line})" if line is not None else ""
    return f"  {term.title:<17}{gib(term.size):>10}  {bar:<{_BAR}}  {visible(term.because.text)}{where}"


def _expected(found: Answer) -> list[str]:
    if found.expected is None:
        return []
    one = found.expected
    return [
        f"Probably about {gib(one.likely)} with full sequences; most runs like it are between "
        f"{gib(one.low)} and {gib(one.high)}.",
        "",
    ]


def _verdict(found: Answer) -> list[str]:
    if found.memory is None:
        return []
    if found.fits is False:
        return [f"It does not fit: {found.gpu} has {found.memory} GiB.{_largest(found)}", ""]
    memory = f"{found.gpu} has {found.memory} GiB"
    if found.expected is None:
        left = found.memory * GIB - found.needed.total
        return [f"{memory}, which leaves {gib(left)} for everything else.", ""]
    if found.expected.high <= found.memory * GIB:
        likely = "it probably fits"
    elif found.expected.low > found.memory * GIB:
        likely = "it probably does not fit"
    else:
        likely = "it may or may not fit"
    return [f"{memory}: {likely}.{_largest(found)}", ""]


def _largest(found: Answer) -> str:
    most = found.largest
    if most is None or (most.length is None and most.batch is None):
        return ""
    limits = [] if most.length is None else [f"sequences of {most.length:,} tokens"]
    if most.batch is not None:
        limits.append(f"a micro batch of {most.batch:,}")
    return f" The most that probably fits: {', or '.join(limits)}."


def _sizes(one: Smallest) -> str:
    number = f"{one.gpus} GPU{'s' if one.gpus > 1 else ''}"
    if one.memory is None:
        return f"  {number:>7}: {gib(one.need)} each; no known GPU has that much"
    names = ", ".join(one.names[:_MOST_NAMES]) + (", …" if len(one.names) > _MOST_NAMES else "")
    return f"  {number:>7}: {gib(one.need)} each; {one.memory} GB ({names})"


def _line(path: tuple[str, ...], document: Document) -> int | None:
    entry = document.entry(path) if path else None
    return document.source.position(entry.key.start)[0] if entry is not None else None


def render_json(found: Answer, document: Document, release: str) -> str:
    """One JSON object (docs/fit.schema.json); ASCII only, sizes in bytes."""
    report = {
        "version": FORMAT_VERSION,
        "tool": {"name": "cfglint", "version": cfglint.__version__},
        "release": release,
        "gpus": found.gpus,
        "gpu": None if found.gpu is None else {"name": found.gpu, "memory_gb": found.memory},
        "model": {"parameters": found.parameters, "language_model_only": found.partial},
        "certain": {
            "bytes": found.needed.total,
            "moment": found.needed.moment,
            "terms": [
                {
                    "name": term.name,
                    "bytes": term.size,
                    "reason": term.because.text,
                    "key": format_path(term.because.path) if term.because.path else None,
                    "line": _line(term.because.path, document),
                }
                for term in found.needed.terms
            ],
        },
        "expected": None
        if found.expected is None
        else {
            "bytes": found.expected.likely,
            "low": found.expected.low,
            "high": found.expected.high,
        },
        "largest": None
        if found.largest is None
        else {"sequence_length": found.largest.length, "micro_batch": found.largest.batch},
        "fits": found.fits,
        "smallest": [
            {
                "gpus": one.gpus,
                "bytes": one.need,
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
            }
            for one in found.changes
        ],
    }
    return json_text(report) + "\n"
