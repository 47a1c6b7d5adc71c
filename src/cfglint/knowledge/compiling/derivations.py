"""Compiles `derivations.yaml`: the rewrites themselves, and which keys make each matter."""

from __future__ import annotations

from typing import Any

from cfglint.knowledge.compiling.derivation_model import DerivationModel
from cfglint.knowledge.compiling.made_by_rewrites import Makers, needed_by
from cfglint.knowledge.compiling.masks import ReleaseTable, compiled_condition
from cfglint.knowledge.compiling.necessary import KeysBehind
from cfglint.knowledge.rules.conditions import parse_condition, parse_path, parse_subject
from cfglint.knowledge.rules.index.triggers import Tokens


def _taken(value: Any) -> tuple[Any, ...] | None:
    """How a value is computed, when it is not there itself."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    ((kind, text),) = value.items()
    if kind in ("key", "compute"):
        return ("take", parse_subject(text))
    if kind == "fact":
        return ("take", ("fact", text))
    return ("test", parse_condition(text)) if kind == "test" else None


def needed(
    derivations: list[DerivationModel], makers: Makers, behind: KeysBehind
) -> list[list[Tokens]]:
    """What each rewrite for the view of rules needs of a file (see `triggers`)."""
    return [makers.expand(needed_by(part, behind)) for part in _for_view(derivations, "late")]


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
        tuple(
            (package, spec, *releases.masks(package, spec), ())
            for package, spec in part.applies.items()
        ),
        part.stage,
        tuple(parse_path(path) for path in part.each),
        compiled_condition(part.when, releases),
        tuple(steps),
        " ".join(part.reason.split()),
    )
