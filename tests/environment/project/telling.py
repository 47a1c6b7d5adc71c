"""What files of a project state, in a form that can be read."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.environment.project.stated_versions import Hardware, Place, Statement


def told(found: Iterable[Statement], text: str) -> list[str]:
    """Package, version, range, commit and so on, and what stands in the file at its place."""
    return [_statement(one, text) for one in found]


def hardware(found: Iterable[Hardware], text: str) -> list[str]:
    """Fact, value, and what stands in the file at its place."""
    return [f"{one.fact} {one.value} at {_at(one.place, text)}" for one in found]


def _statement(one: Statement, text: str) -> str:
    parts = [one.package]
    parts += [f"=={one.version}"] if one.version is not None else []
    parts += [f"range {one.spec}"] if one.spec is not None else []
    parts += [f"commit {one.commit[:8]}"] if one.commit is not None else []
    parts += [f"day {one.day}"] if one.day is not None else []
    parts += [f"[{','.join(one.extras)}]"] if one.extras else []
    parts += ["conditional"] if one.conditional else []
    parts += ["implied"] if one.implied else []
    parts += [f"written {one.written}"] if one.written else []
    return f"{' '.join(parts)} at {_at(one.place, text)}"


def _at(place: Place, text: str) -> str:
    line = text.splitlines()[place.line - 1]
    end = place.column - 1 + place.length if place.length else len(line)
    return f"{place.line}:{place.column} {line[place.column - 1 : end]}"
