"""Fixing one file until nothing is left to fix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cfglint.diagnostic import Diagnostic, Fix
from cfglint.fixes.applying import apply_edits, select
from cfglint.source.document import Document, Path
from cfglint.source.languages.yaml import PYYAML
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

if TYPE_CHECKING:
    from cfglint.source.languages.base import Language

#: Real files settle after two or three.
MAX_PASSES = 20
#: So often a pass looks for the guilty among its fixes; what is left then waits as a whole.
MAX_TRIALS = 32


class AppliedFix(NamedTuple):
    """A fix that is in the result, with the finding it repairs and its line before fixing."""

    code: str
    name: str
    title: str
    path: Path
    line: int


class RejectedFix(NamedTuple):
    """A fix that was not trusted; `reason` is a clause for the user."""

    code: str
    name: str
    title: str
    path: Path
    line: int
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
    line: int

    def key(self, text: str) -> tuple[object, ...]:
        """What stays the same about a fix while it is tried on a text."""
        return (hash(text), self.diagnostic.code, self.diagnostic.path, self.fix.title)

    def applied(self) -> AppliedFix:
        finding = self.diagnostic
        return AppliedFix(finding.code, finding.name, self.fix.title, finding.path, self.line)


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
        return _mend_first(source, lint, unsafe, language)
    return _to_fix_point(source, document, lint, unsafe)


def _mend_first(
    source: SourceText,
    lint: Callable[[SourceText], Sequence[Diagnostic]],
    unsafe: bool,
    language: Language,
) -> FixOutcome:
    """Make a file readable if there is a fix for that, then go on as for any other."""
    from cfglint.fixes.mending import mended

    candidates = _candidates(lint(source), unsafe, source, {})
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
    rest = _to_fix_point(after, document, lint, unsafe)
    return rest._replace(applied=(mending, *rest.applied), passes=rest.passes + 1)


def _to_fix_point(
    source: SourceText,
    document: Document,
    lint: Callable[[SourceText], Sequence[Diagnostic]],
    unsafe: bool,
) -> FixOutcome:
    """Apply fixes, pass by pass, to a file that can be read."""
    original = document
    applied: list[AppliedFix] = []
    # By text: a fix that is not trusted now may be once others are made.
    rejected: dict[tuple[object, ...], RejectedFix] = {}
    # How many fixes had been applied when a text was first seen.
    seen: dict[int, int] = {hash(source.text): 0}
    passes = 0
    cycle = False
    converged = False
    findings = lint(source)
    for _ in range(MAX_PASSES):
        candidates = _candidates(findings, unsafe, source, rejected, original)
        if not candidates:
            converged = True
            break
        made, kept = _Pass(document, findings, lint, unsafe, rejected).apply(candidates)
        if made is None:
            continue
        document, findings = made
        source = document.source
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
        doubt = original.language.doubts(original, source)
        if doubt is not None:
            for fix in applied:
                rejected.setdefault((*fix, doubt), RejectedFix(*fix, doubt))
            source, applied = original.source, []
    done = {fix[:4] for fix in applied}
    refused = {fix[:4]: fix for fix in rejected.values() if fix[:4] not in done}
    return FixOutcome(source, tuple(applied), tuple(refused.values()), passes, cycle, converged)


def _candidates(
    diagnostics: Sequence[Diagnostic],
    unsafe: bool,
    source: SourceText,
    rejected: dict[tuple[object, ...], RejectedFix],
    original: Document | None = None,
) -> list[_Candidate]:
    """The fixes to try on a text, each with the line that its finding has in the original."""
    out = []
    for diagnostic in diagnostics:
        fix = diagnostic.fix(unsafe=unsafe)
        if fix is not None:
            line = source.position(diagnostic.span.start).line
            if original is not None and original.source is not source and diagnostic.path:
                # Earlier passes may have moved it.
                span = original.span(diagnostic.path)
                line = original.source.position(span.start).line if span is not None else line
            candidate = _Candidate(diagnostic, fix, line)
            if candidate.key(source.text) not in rejected:
                out.append(candidate)
    return out


class _Made(NamedTuple):
    """A file after fixes, and what is found in it."""

    document: Document
    findings: Sequence[Diagnostic]


class _Pass:
    """One round of fixes on one state of a file; fixes that are not trusted go to `rejected`."""

    def __init__(
        self,
        document: Document,
        findings: Sequence[Diagnostic],
        lint: Callable[[SourceText], Sequence[Diagnostic]],
        unsafe: bool,
        rejected: dict[tuple[object, ...], RejectedFix],
    ) -> None:
        self._document = document
        self._findings = findings
        self._lint = lint
        self._unsafe = unsafe
        self._rejected = rejected
        self._trials = 0

    def apply(self, candidates: list[_Candidate]) -> tuple[_Made | None, list[_Candidate]]:
        """Apply what fits together and is trusted."""
        if not self._unsafe:
            # Those that declare nothing go first, so that nobody else's declaration covers them.
            quiet = [candidate for candidate in candidates if not candidate.fix.leads_to]
            candidates = quiet or candidates
        by_edits = {candidate.fix.edits: candidate for candidate in reversed(candidates)}
        chosen = [by_edits[fix.edits] for fix in select([each.fix for each in candidates])[0]]
        return self._trusted(chosen)

    def _trusted(self, chosen: list[_Candidate]) -> tuple[_Made | None, list[_Candidate]]:
        """Those of some fixes that are trusted together, and what they make of the file."""
        self._trials += 1
        reason, made = self._try(chosen)
        if reason is None:
            return made, chosen
        if len(chosen) == 1 or self._trials > MAX_TRIALS:
            if len(chosen) > 1:
                reason = f"together with other fixes {reason}"
            for candidate in chosen:
                key = candidate.key(self._document.text)
                self._rejected[key] = RejectedFix(*candidate.applied(), reason)
            return None, []
        half = len(chosen) // 2
        first, second = self._trusted(chosen[:half]), self._trusted(chosen[half:])
        if first[0] is None or second[0] is None:
            return second if first[0] is None else first
        both = first[1] + second[1]
        made = self._try(both)[1]
        # Where each half is right alone, but not with the other, that one waits for a later pass.
        return first if made is None else (made, both)

    def _try(self, candidates: Sequence[_Candidate]) -> tuple[str | None, _Made | None]:
        """The reason why fixes cannot be trusted together, or the file after them."""
        from cfglint.fixes.consequences import undeclared
        from cfglint.fixes.verification import examine

        fixes = [candidate.fix for candidate in candidates]
        edits = [edit for fix in fixes for edit in fix.edits]
        dropping = [fix for fix in fixes if fix.drops_comments]
        paths = [path for fix in fixes for path in fix.paths]
        try:
            text = apply_edits(self._document.text, edits)
        except ValueError as error:
            return f"its edits do not fit the text: {error}", None
        reason, after = examine(self._document, text, paths, edits, dropping)
        if after is None:
            return reason, None
        findings = self._lint(after.source)
        if not self._unsafe:
            new = undeclared(self._findings, findings, candidates)
            if new is not None:
                return f"it would lead to {new.code} ({new.name})", None
        return None, _Made(after, findings)
