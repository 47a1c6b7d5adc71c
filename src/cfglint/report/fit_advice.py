"""The advice of `fit --advise`: the changes with which a run fits, as text, as a patch, as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from cfglint.base.record import Record
from cfglint.base.type_names import Any
from cfglint.engine.advice import Advice, Advised
from cfglint.report.escaping import visible
from cfglint.report.formats import diff
from cfglint.report.snippet import wrapped
from cfglint.report.style import Style
from cfglint.runs.memory.measures import Measure
from cfglint.runs.memory.planning import gib
from cfglint.runs.memory.run import GIB
from cfglint.source.document import format_path
from cfglint.source.text import SourceText

_WIDTH = 100
_INDENT = "     "
PLAIN = Style(color=False)


class _Changed(Record):
    """A file that advice changes, for a patch."""

    path: str
    original: SourceText
    fixed_source: SourceText


def patch(advice: Advice, name: str, *, for_terminal: bool = False) -> str:
    """The cheapest changes with which the run fits as a patch; empty where there are none.

    Args:
        name: what the file is called.
        for_terminal: escape control characters.
    """
    if advice.enough is None:
        return ""
    changed = _Changed(name, advice.original, advice.enough.after)
    return diff.render([changed], for_terminal=for_terminal)


def render_text(advice: Advice, style: Style = PLAIN) -> str:
    """The advice for a terminal."""
    memory = f"{advice.memory / GIB:.0f} GiB"
    each = "the GPU has" if advice.gpus == 1 else f"each of {advice.gpus} GPUs has"
    now = f"about {gib(advice.expected.likely)} (up to {gib(advice.expected.high)})"
    lines = [style.bold("What would make it fit:")]
    if advice.fits:
        lines += [
            f"It probably fits as it is: {now}, and {each} {memory}. Nothing needs to change."
        ]
    else:
        lines += [f"It needs {now}, and {each} {memory}.", "", *_enough(advice, style)]
    shown = () if advice.enough is None else advice.enough.measures
    single = len(shown) == 1
    others = [one for one in advice.changes if not (single and one.measures == shown)]
    if others:
        lines += ["", style.bold("Each change by itself, the cheapest first:"), ""]
        for number, one in enumerate(others, 1):
            lines += _change(advice, one, number, style)
    if advice.left_out:
        lines += ["", style.bold("Left out:")]
        for left in advice.left_out:
            text = f"{visible(left.measure.title)}: {visible(left.reason)}."
            lines += [f"  {line}" for line in wrapped(text, _WIDTH - 2)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _enough(advice: Advice, style: Style) -> Iterator[str]:
    """The cheapest changes that are enough, or that none are."""
    one = advice.enough
    if one is not None:
        count = len(one.measures)
        what = "this change" if count == 1 else f"these {count} changes together"
        yield f"{style.added('It probably fits')} with {what} ({_need(one)}):"
        yield ""
        yield from _measures(one, style)
        yield ""
        yield from _lines(advice, one, style)
        return
    yield style.severity("Nothing that the file can say makes it probably fit.", "error")
    if advice.least is not None:
        yield f"With all of these it would need the least ({_need(advice.least)}):"
        yield ""
        yield from _measures(advice.least, style)


def _measures(one: Advised, style: Style) -> Iterator[str]:
    """The measures with their costs."""
    for measure in one.measures:
        yield f"  {style.bold(measure.title)}"
        yield from _costs(measure)


def _costs(measure: Measure) -> Iterator[str]:
    words = wrapped(f"costs: {measure.words}.", _WIDTH - len(_INDENT))
    yield from (_INDENT + line for line in words)


def _need(one: Advised) -> str:
    return f"about {gib(one.expected.likely)}, up to {gib(one.expected.high)}"


def _change(advice: Advice, one: Advised, number: int, style: Style) -> Iterator[str]:
    (measure,) = one.measures
    verdict = f"; {style.added('enough by itself')}" if one.fits else ""
    yield f"  {number}. {style.bold(measure.title)}"
    yield f"{_INDENT}saves {gib(one.saves)}: {_need(one)}{verdict}"
    yield from _costs(measure)
    yield from _lines(advice, one, style)


def _lines(advice: Advice, one: Advised, style: Style) -> Iterator[str]:
    """The lines that a change takes out and puts in."""
    before, after = advice.original.text.split("\n"), one.after.text.split("\n")
    for line in list(unified_diff(before, after, n=0, lineterm=""))[2:]:
        if not line.startswith("@@"):
            paint = style.added if line.startswith("+") else style.removed
            yield _INDENT + paint(visible(line))


def advice_data(advice: Advice, name: str) -> dict[str, Any]:
    """The advice for programs (docs/fit.schema.json)."""
    original = advice.original
    return {
        "memory_bytes": advice.memory,
        "fits": advice.fits,
        "changes": [_data(original, one, name) for one in advice.changes],
        "enough": None if advice.enough is None else _data(original, advice.enough, name),
        "least": None if advice.least is None else _data(original, advice.least, name),
        "left_out": [
            {"title": left.measure.title, "reason": left.reason} for left in advice.left_out
        ],
    }


def _data(original: SourceText, one: Advised, name: str) -> dict[str, Any]:
    return {
        "measures": [
            {
                "title": measure.title,
                "key": format_path(measure.path),
                "costs": measure.words,
                "changes_result": measure.cost.quality > 0,
            }
            for measure in one.measures
        ],
        "saves_bytes": one.saves,
        "expected": {
            "bytes": one.expected.likely,
            "low": one.expected.low,
            "high": one.expected.high,
        },
        "fits": one.fits,
        "diff": diff.patch_of([_Changed(name, original, one.after)]),
    }
