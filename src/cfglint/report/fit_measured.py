"""The measured runs that are the nearest to a run, beside its estimate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cfglint.base.record import field_values
from cfglint.base.type_names import Any
from cfglint.report.escaping import visible
from cfglint.report.snippet import wrapped
from cfglint.report.style import Style
from cfglint.runs.memory.measured import Near, Traits

_WIDTH = 100
_INDENT = " " * 14


def measured_text(near: Sequence[Near], style: Style) -> str:
    """The runs with what differs; for a terminal."""
    lines = [style.bold("Measured runs, the nearest first:")]
    if not near:
        lines.append("No run like this one was measured.")
    for one in near:
        lines += _run(one, style)
    return "\n".join(lines) + "\n"


def _run(one: Near, style: Style) -> Iterator[str]:
    run = one.measured
    yield f"{style.bold(f'{run.gib:>8.1f} GiB'):>12}  {visible(run.title)}"
    differs = "; ".join(one.differs) or "nothing that the estimate goes by"
    source = f"from {run.source}" if run.source else "measured by cfglint on an H200 (docs/fit.md)"
    for text in (f"differs: {differs}", f"{run.metric}; {source}"):
        yield from (_INDENT + style.dim(visible(line)) for line in wrapped(text, _WIDTH - 14))


def measured_data(near: Sequence[Near]) -> list[dict[str, Any]]:
    """The runs for programs (docs/fit.schema.json)."""
    return [
        {
            "title": one.measured.title,
            "gib": one.measured.gib,
            "metric": one.measured.metric,
            "source": one.measured.source or None,
            "distance": one.distance,
            "differs": list(one.differs),
            **dict(zip(Traits._fields, field_values(one.measured.traits), strict=True)),
        }
        for one in near
    ]
