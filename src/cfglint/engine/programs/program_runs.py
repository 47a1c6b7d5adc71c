"""What the calls of a program show together: a trainer with the config, the model and the adapter that it is given.

A rule that one of the calls shows by itself is reported there. The names of keys are not examined: each class has its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.base.type_names import TYPE_CHECKING
from cfglint.diagnostic import Diagnostic, Fix
from cfglint.engine.checked_document import CheckedDocument
from cfglint.source.calls import call_of
from cfglint.source.document import Document, Mapping, Path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cfglint.fixes.actions import Action

#: The families of rules about single keys and their values.
_OF_KEYS = ("KEY", "TYP", "MIG", "YML")


def of_run(
    run: Document, checked: CheckedDocument, home: tuple[Document, Path]
) -> Iterator[Diagnostic]:
    """The findings in all calls of a run that none of them shows alone.

    Args:
        run: the calls as one document, of which the config of the trainer is a section.
        checked: the call of the trainer.
        home: the program, and where this call is in it.
    """
    document, at = home
    config = _config(checked.document)
    where = (config,) if config else at

    def home_of(_actions: Sequence[Action], _place: Path) -> tuple[Document, Path]:
        return document, where

    node = document.node((config,)) if config else None
    alone = set()
    names: frozenset[str] = frozenset()
    if isinstance(node, Mapping):
        own = CheckedDocument(document.section(node), checked.case, home_of)
        alone = {(one.code, one.span) for one in own.findings()}
        names = node.names
    others = run.root.names - names
    for found in CheckedDocument(run, checked.case, home_of).findings():
        if found.code.startswith(_OF_KEYS) or (found.code, found.span) in alone:
            continue
        is_own = found.path[:1] and found.path[0] in names
        fixes = tuple(fix for fix in found.fixes if _is_within(fix, where, others))
        path = (*where, *found.path) if is_own else (*at, *_inner(found.path, run, checked))
        yield found.replaced(path=path, fixes=fixes)


def _config(trainer: Document) -> str:
    """The section of the config that a trainer is given; empty if it is not known."""
    call = call_of(trainer.root)
    parts = () if call is None else call.parts
    made = next((call_of(one.made) for one in parts if one.parameter == "args"), None)
    return "" if made is None else made.section


def _is_within(fix: Fix, where: Path, others: frozenset[str]) -> bool:
    """Whether a repair changes keywords of the config alone, none of what the other calls are given."""
    size = len(where)
    return bool(fix.edits) and all(
        path[:size] == where and not others.intersection(path[size : size + 1])
        for path in fix.paths
    )


def _inner(path: Path, run: Document, checked: CheckedDocument) -> Path:
    """A path without the part of a run that is the trainer's call itself."""
    node = run.node(path[:1])
    is_call = isinstance(node, Mapping) and node.span == checked.document.root.span
    return path[1:] if is_call else path
