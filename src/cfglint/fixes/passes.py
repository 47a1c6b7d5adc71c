"""One pass of fixes: those that fit together are applied at once, and trusted or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cfglint.diagnostic import Diagnostic, Fix
from cfglint.fixes.applying import apply_edits
from cfglint.source.document import Document, Path
from cfglint.source.text import SourceText

#: So often a pass looks for the guilty among its fixes; what is left then waits as a whole.
MAX_TRIALS = 32


class AcceptedFix(NamedTuple):
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


class Candidate(NamedTuple):
    """A fix and the finding it comes from."""

    diagnostic: Diagnostic
    fix: Fix
    line: int = 0

    def key(self, text: str) -> tuple[object, ...]:
        """What stays the same about a fix while it is tried on a text."""
        return (hash(text), *self.identity())

    def identity(self) -> tuple[object, ...]:
        """What stays the same about a fix in any text."""
        return (self.diagnostic.code, self.diagnostic.path, self.fix.title)

    def applied(self) -> AcceptedFix:
        """The fix as one that is in the result."""
        finding = self.diagnostic
        return AcceptedFix(finding.code, finding.name, self.fix.title, finding.path, self.line)


class FixedText(NamedTuple):
    """A file after fixes, and what is found in it."""

    document: Document
    findings: Sequence[Diagnostic]


class Pass:
    """One round of fixes on one state of a file.

    Args:
        document: the file.
        findings: what is found in it.
        lint: the checks.
        unsafe: whether fixes may lead to findings that were not there.
        pure: whether the reader that has the last word judges the results.
        max_trials: how often to look for the guilty; None: until they are found.
    """

    def __init__(
        self,
        document: Document,
        findings: Sequence[Diagnostic],
        lint: Callable[[SourceText], Sequence[Diagnostic]],
        *,
        unsafe: bool,
        pure: bool,
        max_trials: int | None = MAX_TRIALS,
    ) -> None:
        self._document = document
        self._findings = findings
        self._lint = lint
        self._unsafe = unsafe
        self._pure = pure
        self._max_trials = max_trials
        self._trials = 0
        #: The fixes that are not trusted, each with a reason (a clause).
        self.refused: list[tuple[Candidate, str]] = []

    def trusted(self, chosen: Sequence[Candidate]) -> tuple[FixedText | None, Sequence[Candidate]]:
        """Those of some fixes that are trusted together, and what they make of the file.

        Args:
            chosen: fixes that do not overlap, in the order of the text.
        """
        self._trials += 1
        reason, made = self._try(chosen)
        if reason is None:
            return made, chosen
        tired = self._max_trials is not None and self._trials > self._max_trials
        if len(chosen) == 1 or tired:
            if len(chosen) > 1:
                reason = f"together with other fixes {reason}"
            self.refused += [(candidate, reason) for candidate in chosen]
            return None, []
        half = len(chosen) // 2
        first, second = self.trusted(chosen[:half]), self.trusted(chosen[half:])
        if first[0] is None or second[0] is None:
            return second if first[0] is None else first
        both = [*first[1], *second[1]]
        made = self._try(both)[1]
        # Where each half is right alone, but not with the other, that one waits for a later pass.
        return first if made is None else (made, both)

    def _try(self, candidates: Sequence[Candidate]) -> tuple[str | None, FixedText | None]:
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
        reason, after = examine(self._document, text, paths, edits, dropping, pure=self._pure)
        if after is None:
            return reason, None
        findings = self._lint(after.source)
        if not self._unsafe:
            new = undeclared(self._findings, findings, candidates)
            if new is not None:
                return f"it would lead to {new.code} ({new.name})", None
        return None, FixedText(after, findings)
