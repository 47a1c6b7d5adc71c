"""Compiles `derivations.yaml`: the rewrites themselves, and which keys make each matter."""

from __future__ import annotations

from typing import Any

from cfglint.rules.conditions import (
    necessary_keys,
    parse_condition,
    parse_path,
    parse_subject,
)
from cfglint.rules.model import DerivationModel
from cfglint.rules.release_masks import ReleaseTable, compiled_condition


def makers(derivations: list[DerivationModel]) -> dict[str, set[str]]:
    """Top-level key -> keys that can give it a value by a derivation, transitively."""
    found: dict[str, set[str]] = {}
    for part in derivations:
        if part.view == "effective":
            continue
        for old, new in part.rename.items():
            for key in _tops(new, part):
                found.setdefault(key, set()).update(_tops(old, part))
        for changed_path in (*part.strip_prefix, *part.convert):
            for key in _tops(changed_path, part):
                found.setdefault(key, set()).add(key)
        if part.set:
            needed = _needed(part)
            for path in part.set:
                for key in _tops(path, part):
                    found.setdefault(key, set()).update(needed)
    changed = True
    while changed:
        changed = False
        for sources in found.values():
            grown = sources.union(*(found.get(source, set()) for source in sources))
            if grown != sources:
                sources |= grown
                changed = True
    return found


def _tops(path: str, part: DerivationModel) -> set[str]:
    """The top-level keys of a path, which may start at an `item` of several lists."""
    top = parse_path(path)[0]
    return {parse_path(each)[0] for each in part.each} if top == "item" else {top}


def _taken(value: Any) -> tuple[Any, ...] | None:
    """How a value is worked out, when it does not stand there itself."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    ((kind, text),) = value.items()
    if kind in ("key", "compute"):
        return ("take", parse_subject(text))
    if kind == "fact":
        return ("take", ("fact", text))
    return ("test", parse_condition(text)) if kind == "test" else None


def index(derivations: list[DerivationModel]) -> dict[str, tuple[int, ...]]:
    """Top-level key -> the derivations for the view of rules that may matter when it is written."""
    known = makers(derivations)
    numbers: dict[str, list[int]] = {}
    for number, part in enumerate(_for_view(derivations, "late")):
        needed = _needed(part)
        for key in sorted(needed.union(*(known.get(key, set()) for key in needed))):
            numbers.setdefault(key, []).append(number)
    return {key: tuple(found) for key, found in numbers.items()}


def _needed(part: DerivationModel) -> frozenset[str]:
    """Top-level keys of which one must have a value for a derivation to change anything."""
    if part.when is not None:
        needed = necessary_keys(parse_condition(part.when))
        if needed is not None:
            return needed
    if part.each:
        return frozenset(parse_path(path)[0] for path in part.each)
    if part.set:
        raise ValueError(f"derivation {part.name}: no key is necessary for it; say view: effective")
    paths = (*part.rename, *part.strip_prefix, *part.convert, *part.delete)
    return frozenset(key for path in paths for key in _tops(path, part))


def _for_view(derivations: list[DerivationModel], view: str) -> list[DerivationModel]:
    return [part for part in derivations if part.view in (view, "both")]


def compiled(
    derivations: list[DerivationModel], view: str, releases: ReleaseTable
) -> tuple[tuple[Any, ...], ...]:
    """The rewrites for the view of rules (`late`) or for `effective`, in their order."""
    return tuple(_compiled(part, releases) for part in _for_view(derivations, view))


def _compiled(part: DerivationModel, releases: ReleaseTable) -> tuple[Any, ...]:
    steps: list[tuple[Any, ...]] = []
    steps += [("rename", parse_path(old), parse_path(new)) for old, new in part.rename.items()]
    kept = tuple(part.strip_except)
    steps += [
        ("strip", parse_path(path), prefix, kept) for path, prefix in part.strip_prefix.items()
    ]
    for path, value in part.set.items():
        kind, source = _taken(value) or ("set", value)
        if kind == "test":
            source = compiled_condition(value["test"], releases)
        steps.append((kind, parse_path(path), source))
    steps += [("convert", parse_path(path), kind) for path, kind in part.convert.items()]
    steps += [("delete", parse_path(path)) for path in part.delete]
    return (
        part.name,
        {
            package: (spec, *releases.masks(package, spec), ())
            for package, spec in part.applies.items()
        },
        part.stage,
        tuple(parse_path(path) for path in part.each),
        compiled_condition(part.when, releases),
        tuple(steps),
        " ".join(part.reason.split()),
    )
