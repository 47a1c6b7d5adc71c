"""Fixing one file until nothing is left to fix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cfglint.diagnostic import Diagnostic
from cfglint.fixes.applying import select
from cfglint.fixes.passes import AcceptedFix, Candidate, FixedText, Pass, RejectedFix
from cfglint.source.document import Document, Path
from cfglint.source.languages.yaml import PYYAML
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

if TYPE_CHECKING:
    from cfglint.source.languages.base import Language

#: Real files settle after two or three.
MAX_PASSES = 20
#: How often fixing begins again without a fix whose work a later one would take away.
MAX_RESTARTS = 20

Lint = Callable[[SourceText], Sequence[Diagnostic]]


class FixOutcome(NamedTuple):
    """The result of fixing.

    `source` is the file afterwards (the same object when nothing changed). `passes` counts the
    passes that changed something. `cycle`: fixes undid each other; they are among the rejected.
    `converged` is false when fixes were still left after the last pass.
    """

    source: SourceText
    applied: tuple[AcceptedFix, ...]
    rejected: tuple[RejectedFix, ...]
    passes: int
    cycle: bool
    converged: bool

    def left(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings of a report on the file, without the edits of fixes that were rejected."""
        reasons = {(fix.code, fix.path, fix.title): fix.reason for fix in self.rejected}
        return [_without_edits(found, reasons) for found in findings] if reasons else [*findings]


def _without_edits(found: Diagnostic, reasons: dict[tuple[str, Path, str], str]) -> Diagnostic:
    """A finding whose rejected fixes say why they are not made."""
    fixes = []
    for fix in found.fixes:
        reason = reasons.get((found.code, found.path, fix.title))
        if reason is not None and fix.edits:
            fix = fix.replaced(edits=(), refused=f"{reason[:1].upper()}{reason[1:]}.")
        fixes.append(fix)
    return found.replaced(fixes=tuple(fixes))


def fix_source(
    source: SourceText,
    lint: Lint,
    *,
    unsafe: bool = False,
    language: Language = PYYAML,
    trial: bool = False,
) -> FixOutcome:
    """Apply fixes, pass by pass, until the checks offer none that can be trusted.

    Args:
        source: the file.
        lint: the checks, run again on the result of each pass.
        unsafe: whether unsafe fixes are wanted, too.
        language: what the file is written in.
        trial: nothing is to be written, so that no second reader has to agree.
    """
    try:
        document = language.read(source)
    except SourceError:
        return _mend_first(source, lint, unsafe, language)
    if trial:
        return _Fixing(document, lint, unsafe, pure=document.pure, trial=True).outcome()
    return _to_fix_point(document, lint, unsafe)


def _mend_first(source: SourceText, lint: Lint, unsafe: bool, language: Language) -> FixOutcome:
    """Make a file readable if there is a fix for that, then go on as for any other."""
    from cfglint.fixes.mending import mended

    candidates = [
        Candidate(found, fix, source.position(found.span.start).line)
        for found in lint(source)
        if found.file is None and (fix := found.fix(unsafe=unsafe)) is not None
    ]
    if not candidates or language.structure != "indentation":
        return FixOutcome(source, (), (), 0, False, True)
    mending = candidates[0].applied()
    after, reason = mended(source, candidates[0].fix.edits)
    try:
        document = None if after is None else language.read(after, pure=True)
    except SourceError:
        # PyYAML loads it, but it breaks a limit.
        document, reason = None, "the result cannot be read"
    if after is None or document is None:
        return FixOutcome(source, (), (RejectedFix(*mending, reason),), 0, False, True)
    rest = _to_fix_point(document, lint, unsafe)
    return rest._replace(applied=(mending, *rest.applied), passes=rest.passes + 1)


def _to_fix_point(document: Document, lint: Lint, unsafe: bool) -> FixOutcome:
    """Apply fixes, pass by pass, to a file that can be read.

    The passes use the fast reader. Unless the one that has the last word agrees about the file
    before and after them, they are made again with that one.
    """
    from cfglint.fixes.verification import readers_disagree

    fixing = _Fixing(document, lint, unsafe, pure=document.pure)
    outcome = fixing.outcome()
    if outcome.source is document.source or document.pure:
        return outcome
    if any(readers_disagree(each) for each in (document, fixing.document)):
        pure = document.language.read(document.source, pure=True)
        return _Fixing(pure, lint, unsafe, pure=True).outcome()
    return outcome


class _Barred(NamedTuple):
    """A fix that is left out from the start, and why."""

    candidate: Candidate
    reason: str


class _Fixing:
    """The passes over one file."""

    def __init__(
        self, document: Document, lint: Lint, unsafe: bool, *, pure: bool, trial: bool = False
    ) -> None:
        self.document = self._original = document
        self._trial = trial
        self._lint = lint
        self._unsafe = unsafe
        self._pure = pure
        self._first: Sequence[Diagnostic] = lint(document.source)
        self._barred: dict[tuple[object, ...], _Barred] = {}
        self._begin()

    def _begin(self) -> None:
        self.document = self._original
        self._findings = self._first
        self._applied: list[Candidate] = []
        # By text: a fix that is not trusted now may be once others are made.
        self._rejected: dict[tuple[object, ...], RejectedFix] = {}
        self._passes = 0
        self._cycle = self._converged = False

    def outcome(self) -> FixOutcome:
        """Make the passes; the file after them, if a second reader agrees."""
        for _ in range(MAX_RESTARTS):
            undone = self._run()
            if undone is None:
                break
            self._barred[undone.candidate.identity()] = undone
            self._begin()
        source, original = self.document.source, self._original
        if source.text == original.text:
            source = original.source
        elif self._applied and not self._trial:
            doubt = original.language.doubts(original, source)
            if doubt is not None:
                for candidate in self._applied:
                    self._reject(candidate, doubt)
                source, self._applied = original.source, []
        applied = tuple(candidate.applied() for candidate in self._applied)
        done = {fix[:4] for fix in applied}
        refused = {fix[:4]: fix for fix in self._rejected.values() if fix[:4] not in done}
        return FixOutcome(
            source, applied, tuple(refused.values()), self._passes, self._cycle, self._converged
        )

    def _run(self) -> _Barred | None:
        """Make passes to the fix point; a fix that should not have been made ends them."""
        # How many fixes had been applied when a text was first seen.
        seen: dict[int, int] = {hash(self.document.text): 0}
        for _ in range(MAX_PASSES):
            candidates = self._candidates()
            if not candidates:
                self._converged = True
                return None
            before = self.document
            made, kept = self._pass(candidates)
            if made is None:
                continue
            undone = self._undone(before, made.document, kept)
            if undone is not None:
                return undone
            self.document, self._findings = made
            self._applied += kept
            self._passes += 1
            known = seen.setdefault(hash(self.document.text), len(self._applied))
            if known < len(self._applied):
                self._cycle = True
                for candidate in self._applied[known:]:
                    self._reject(candidate, "it undoes another fix, or another fix undoes it")
                del self._applied[known:]
                return None
        return None

    def _reject(self, candidate: Candidate, reason: str) -> None:
        fix = candidate.applied()
        self._rejected.setdefault((*fix, reason), RejectedFix(*fix, reason))

    def _candidates(self) -> list[Candidate]:
        """The fixes to try, each with the line that its finding has in the original."""
        source, original = self.document.source, self._original
        out = []
        for diagnostic in self._findings:
            fix = diagnostic.fix(unsafe=self._unsafe)
            if fix is None or diagnostic.file is not None:
                continue
            line = source.position(diagnostic.span.start).line
            if original.source is not source and diagnostic.path:
                # Earlier passes may have moved it.
                span = original.span(diagnostic.path)
                line = original.source.position(span.start).line if span is not None else line
            candidate = Candidate(diagnostic, fix, line)
            barred = self._barred.get(candidate.identity())
            if barred is not None:
                self._reject(candidate, barred.reason)
            elif candidate.key(source.text) not in self._rejected:
                out.append(candidate)
        return out

    def _pass(self, candidates: list[Candidate]) -> tuple[FixedText | None, Sequence[Candidate]]:
        """Apply what fits together and is trusted."""
        if not self._unsafe:
            # Those that declare nothing go first, so that the declaration of another one does not
            # cover them.
            quiet = [candidate for candidate in candidates if not candidate.fix.leads_to]
            candidates = quiet or candidates
        by_edits = {candidate.fix.edits: candidate for candidate in reversed(candidates)}
        chosen = [by_edits[fix.edits] for fix in select([each.fix for each in candidates])[0]]
        one = Pass(self.document, self._findings, self._lint, unsafe=self._unsafe, pure=self._pure)
        result = one.trusted(chosen)
        for candidate, reason in one.refused:
            key = candidate.key(self.document.text)
            self._rejected[key] = RejectedFix(*candidate.applied(), reason)
        return result

    def _undone(
        self, before: Document, after: Document, kept: Sequence[Candidate]
    ) -> _Barred | None:
        """The earlier fix whose setting a safe fix takes away that no report has announced."""
        if self._unsafe or not self._applied:
            return None
        announced = {
            Candidate(found, fix).identity() for found in self._first for fix in found.fixes
        }
        for candidate in kept:
            if candidate.identity() in announced:
                continue
            gone = _removed(candidate.fix.paths, before, after)
            for earlier in self._applied:
                if any(path in gone for path in earlier.fix.paths):
                    finding = candidate.diagnostic
                    reason = (
                        f"it would lead to {finding.code} ({finding.name}), whose fix would remove"
                        " the setting"
                    )
                    return _Barred(earlier, reason)
        return None


def _removed(paths: Sequence[Path], before: Document, after: Document) -> list[Path]:
    """The settings that a fix took away; none if it wrote another one instead."""
    if any(after.entry(path) is not None for path in paths):
        return []
    return [path for path in paths if before.entry(path) is not None]
