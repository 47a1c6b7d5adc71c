"""Fixing one file until nothing is left to fix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cfglint.diagnostic import Diagnostic, Edit, Fix
from cfglint.fixes.applying import apply_edits, select
from cfglint.source.document import Document, Path
from cfglint.source.languages.yaml import PYYAML
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

if TYPE_CHECKING:
    from cfglint.source.languages.base import Language

#: Real files settle after two or three.
MAX_PASSES = 20


class AppliedFix(NamedTuple):
    """A fix that is in the result, with the finding it repairs."""

    code: str
    name: str
    title: str
    path: Path


class RejectedFix(NamedTuple):
    """A fix that was not trusted; `reason` is a clause for the user."""

    code: str
    name: str
    title: str
    path: Path
    reason: str


class FixOutcome(NamedTuple):
    """What fixing gave.

    `source` is the file afterwards (the same object when nothing changed). `passes` counts the
    passes that changed something. `cycle`: fixes undid each other; they are among the rejected.
    `converged` is false when fixes were still left after the last pass.
    """

    source: SourceText
    applied: tuple[AppliedFix, ...]
    rejected: tuple[RejectedFix, ...]
    passes: int
    cycle: bool
    converged: bool


class _Candidate(NamedTuple):
    """A fix and the finding it comes from."""

    diagnostic: Diagnostic
    fix: Fix

    def key(self, text: str) -> tuple[object, ...]:
        """What stays the same about a fix while it is tried on a text."""
        return (hash(text), self.diagnostic.code, self.diagnostic.path, self.fix.title)

    def applied(self) -> AppliedFix:
        finding = self.diagnostic
        return AppliedFix(finding.code, finding.name, self.fix.title, finding.path)


def fix_source(
    source: SourceText,
    lint: Callable[[SourceText], Sequence[Diagnostic]],
    *,
    unsafe: bool = False,
    language: Language = PYYAML,
) -> FixOutcome:
    """Apply fixes, pass by pass, until the checks offer none that can be trusted.

    Args:
        source: the file.
        lint: the checks, run again on the result of each pass.
        unsafe: whether unsafe fixes are wanted, too.
        language: what the file is written in.
    """
    try:
        document = language.read(source, pure=True)
    except SourceError:
        return FixOutcome(source, (), (), 0, False, True)
    original = document
    applied: list[AppliedFix] = []
    # By text: a fix that is not trusted now may be once others are made.
    rejected: dict[tuple[object, ...], RejectedFix] = {}
    # How many fixes had been applied when a text was first seen.
    seen: dict[int, int] = {hash(source.text): 0}
    passes = 0
    cycle = False
    converged = False
    for _ in range(MAX_PASSES):
        candidates = _candidates(lint(source), unsafe, source.text, rejected)
        if not candidates:
            converged = True
            break
        after, kept = _one_pass(document, candidates, rejected)
        if after is None:
            continue
        document, source = after, after.source
        applied += [candidate.applied() for candidate in kept]
        passes += 1
        known = seen.setdefault(hash(source.text), len(applied))
        if known < len(applied):
            cycle = True
            reason = "it undoes another fix, or another fix undoes it"
            for fix in applied[known:]:
                rejected.setdefault((*fix, reason), RejectedFix(*fix, reason))
            del applied[known:]
            break
    if source.text == original.text:
        source = original.source
    elif applied:
        doubt = language.doubts(original, source)
        if doubt is not None:
            for fix in applied:
                rejected.setdefault((*fix, doubt), RejectedFix(*fix, doubt))
            source, applied = original.source, []
    made = {fix[:4] for fix in applied}
    refused = {fix[:4]: fix for fix in rejected.values() if fix[:4] not in made}
    return FixOutcome(source, tuple(applied), tuple(refused.values()), passes, cycle, converged)


def _candidates(
    diagnostics: Sequence[Diagnostic],
    unsafe: bool,
    text: str,
    rejected: dict[tuple[object, ...], RejectedFix],
) -> list[_Candidate]:
    out = []
    for diagnostic in diagnostics:
        fix = diagnostic.fix(unsafe=unsafe)
        if fix is not None:
            candidate = _Candidate(diagnostic, fix)
            if candidate.key(text) not in rejected:
                out.append(candidate)
    return out


def _one_pass(
    document: Document,
    candidates: list[_Candidate],
    rejected: dict[tuple[object, ...], RejectedFix],
) -> tuple[Document | None, list[_Candidate]]:
    """Apply what fits together; what is not trusted alone goes to `rejected`."""
    by_edits = {candidate.fix.edits: candidate for candidate in reversed(candidates)}
    chosen = [by_edits[fix.edits] for fix in select([each.fix for each in candidates])[0]]
    reason, after = _try(document, chosen)
    if reason is None:
        return after, chosen
    innocent: list[_Candidate] = []
    for candidate in chosen:
        reason, after = _try(document, [candidate])
        if reason is None:
            innocent.append(candidate)
        else:
            rejected[candidate.key(document.text)] = RejectedFix(*candidate.applied(), reason)
    if not innocent:
        return None, []
    reason, after = _try(document, innocent)
    if reason is not None:
        # Each is right alone but not with the others: one now, the next ones in later passes.
        innocent = innocent[:1]
        reason, after = _try(document, innocent)
    return after, innocent


def _try(
    document: Document, candidates: Sequence[_Candidate]
) -> tuple[str | None, Document | None]:
    """The reason why fixes cannot be trusted together, or the document after them."""
    from cfglint.fixes.verification import examine

    fixes = [candidate.fix for candidate in candidates]
    edits = [edit for fix in fixes for edit in fix.edits]
    dropping: list[Edit] = [edit for fix in fixes if fix.drops_comments for edit in fix.edits]
    paths = [path for fix in fixes for path in fix.paths]
    try:
        text = apply_edits(document.text, edits)
    except ValueError as error:
        return f"its edits do not fit the text: {error}", None
    return examine(document, text, paths, edits, dropping)
