"""What a planner says of a run, in lines for a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cfglint.base.record import Record
from cfglint.runs.memory.planning import NotCertainError, Planner
from cfglint.runs.memory.run import Because, MemoryRun, Shards

#: Of the fields of a run, those whose default says nothing.
_EMPTY: tuple[Any, ...] = (0, False, None, (), {}, "", Because(""), Shards())
#: The terms whose reason differs from run to run.
_TOLD = ("weights", "adapter", "states", "layers", "logits")


def lines_of(planners: Iterable[tuple[str, Planner, Iterable[int]]]) -> Iterator[str]:
    """Of each planner what is certain and what is usual on some numbers of GPUs, and what could be changed."""
    said = set[str]()
    for title, planner, counts in planners:
        yield f"--- {title}"
        for gpus in counts:
            for line in _lines(planner, gpus):
                if line.startswith("  ") and line in said:
                    continue  # as of another one
                said.add(line)
                yield line


def effects_of(planner: Planner, gpus: int) -> Iterator[str]:
    """What each change makes of a run, field by field."""
    before, usual = planner.run(gpus), planner.usual(gpus)
    for one in planner.changes(gpus):
        if one.gpus == gpus:
            yield f"{one.title}: {_different(before, one.run)}; usually {_different(usual, one.usual)}"
    for choice in planner.choices(gpus):
        for measure in choice:
            made = planner.changed(measure.changes, gpus)
            yield f"{measure.title} ({measure.words}): {_different(usual, made)}"


def _different(one: MemoryRun | None, other: MemoryRun | None) -> str:
    """The fields of the second run that differ from those of the first."""
    if one is None or other is None:
        return "-"
    return ", ".join(
        f"{name}={_value(getattr(other, name))}"
        for name in MemoryRun.__annotations__
        if name not in ("shape", "because") and getattr(one, name) != getattr(other, name)
    )


def _lines(planner: Planner, gpus: int) -> Iterator[str]:
    run = planner.run(gpus)
    yield f"{gpus} GPU: {planner.obstacle(gpus) if run is None else shown(run)}"
    usual = planner.usual(gpus)
    if usual is not None and usual != run:
        yield f"  usually: {shown(usual)}"
    try:
        changes = [one.title for one in planner.changes(gpus) if one.gpus == gpus]
        choices = [one.title for choice in planner.choices(gpus) for one in choice]
    except NotCertainError as error:
        yield f"  nothing: {error}"
        return
    yield f"  changes: {'; '.join(changes)}"
    yield f"  choices: {'; '.join(choices)}"


def shown(run: MemoryRun) -> str:
    """The fields of a run that a framework decides, and why."""
    fields = [
        f"{name}={_value(value)}"
        for name in MemoryRun.__annotations__
        if name not in ("shape", "because") and (value := getattr(run, name)) not in _EMPTY
    ]
    told = (run.because.get(name) for name in _TOLD)
    return ", ".join([*fields, *(_value(one) for one in told if one is not None and one.path)])


def _value(value: Any) -> str:
    if isinstance(value, Because):
        return f"<{'.'.join(value.path)}: {value.text}>"
    if isinstance(value, Record):
        return "/".join(f"{getattr(value, name):g}" for name in type(value).__annotations__)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_value(one)}" for key, one in value.items()) + "}"
    return f"{value:g}" if isinstance(value, float) else str(value)
