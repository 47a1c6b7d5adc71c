"""The rewrites that a framework makes by itself, applied to a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cfglint.record import Record
from cfglint.rules.evaluate import Scope, evaluate
from cfglint.rules.logic import MISSING, Condition
from cfglint.rules.views import View
from cfglint.source.document import Path, format_path


class Derivation(Record):
    """One rewrite. Exactly one of `sets`, `renames` and `strips` is not empty."""

    name: str
    applies: dict[str, Any]
    when: Condition | None
    #: path -> value, or ("key", path) for another key's value
    sets: tuple[tuple[tuple[str, ...], Any], ...]
    #: old path -> new path; the new one keeps its own value when it has one
    renames: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    #: mapping path -> prefix that is cut off its keys
    strips: tuple[tuple[tuple[str, ...], str], ...]
    reason: str


def apply_derivations(
    derivations: list[Derivation],
    view: View,
    scope: Scope,
    applies: Callable[[dict[str, Any]], bool],
) -> None:
    """Rewrite a view, in order; a rewrite whose condition is not known to hold is left out."""
    for derivation in derivations:
        if derivation.applies and not applies(derivation.applies):
            continue
        if derivation.when is not None and evaluate(derivation.when, scope) is not True:
            continue
        for path, prefix in derivation.strips:
            _strip(view, path, prefix, derivation.reason)
        for old, new in derivation.renames:
            _rename(view, old, new, derivation.reason)
        for path, value in derivation.sets:
            origin: Path | None = None
            if isinstance(value, tuple):
                origin = view.written_path(value[1])
                value = view.value(value[1])
            view.change(path, value, origin=origin, reason=derivation.reason)


def _strip(view: View, path: Path, prefix: str, reason: str) -> None:
    for key in view.keys(path):
        if key.startswith(prefix):
            _rename(view, (*path, key), (*path, key[len(prefix) :]), reason)


def _rename(view: View, old: Path, new: Path, reason: str) -> None:
    value = view.value(old)
    if value is MISSING or value is None:
        return
    if view.value(new) in (MISSING, None):
        reason = reason.replace("{old}", format_path(old))
        view.change(new, value, origin=view.written_path(old), reason=reason)
