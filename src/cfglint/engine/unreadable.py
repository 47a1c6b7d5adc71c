"""Findings about a text that cannot be read, and about the engine itself."""

from __future__ import annotations

from bisect import bisect_right

from cfglint.diagnostic import Diagnostic, Edit, Fix, Related, as_note
from cfglint.engine.case import Case
from cfglint.engine.findings import filled, finding
from cfglint.environment.environment import Environment
from cfglint.fixes.applying import apply_edits
from cfglint.roles.framework import Framework
from cfglint.source import problems
from cfglint.source.document import Document
from cfglint.source.problems import ProposedEdit, SourceError
from cfglint.source.text import MAX_BYTES, SourceText, Span

#: What is wrong with the name or the value of a key, whatever the rest of the file says.
_ABOUT_KEYS = ("KEY", "TYP")
_MISSING = "missing-required-key"


def too_large(size: int) -> SourceError:
    """The problem of a file that has too many bytes to be read."""
    kind = problems.ProblemKind.TOO_LARGE
    return SourceError(kind, Span(0, 0), size=size, limit=MAX_BYTES, unit="bytes")


def reading_problem(error: SourceError, framework: Framework) -> Diagnostic:
    """The diagnostic of a text that cannot be read as a configuration."""
    rule = framework.knowledge.named(error.kind.value)
    words = framework.knowledge.words(rule.code)
    details = {"framework": framework.title, **error.details}
    found = finding(
        rule,
        filled(words.message, details),
        filled(words.cost, details),
        (),
        error.span,
        related=tuple(Related(span, note) for span, note in error.related),
        fixes=() if error.edit is None else (_mending(error.edit),),
    )
    if error.cause == problems.PLACEHOLDER:
        # A template is filled in by a script; no run starts with the file as it is.
        return as_note(found)
    return found


def problem_with(
    target: Environment, source: SourceText, problem: Diagnostic, case: Case
) -> list[Diagnostic]:
    """The problem of a text that cannot be read, if another release cannot read it either."""
    if problem.name != problems.ProblemKind.UNBUILDABLE.value:
        return [problem]  # the syntax is that of every release
    language_for = case.framework.parsing.language_for
    language = language_for(source.text, target, case.around)
    if language is not language_for(source.text, case.target, case.around):
        try:
            language.read(source)
        except SourceError as error:
            return [reading_problem(error, case.framework)]
        return []
    return [problem]


def _mending(edit: ProposedEdit) -> Fix:
    """The fix that makes a text readable; safe when nothing else can have been meant."""
    return Fix(
        edit.title,
        "safe" if edit.only else "unsafe",
        tuple(Edit(*change) for change in edit.changes),
        # Before it the text has no value at all.
        ((),),
    )


class Mended:
    """A text without the slips that keep it from being read, and the places of the text as it is."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self._mends: list[_Mend] = []
        #: The lines that were changed by guess; slips are mended in their lines.
        self._guessed: set[int] = set()

    def mend(self, fix: Fix, *, is_certain: bool = True) -> None:
        """Make a fix.

        Args:
            is_certain: nothing else can have been meant.
        """
        edits = tuple(sorted(fix.edits))
        self._mends.append(_Mend(edits))
        if not is_certain:
            position = self.source.position
            self._guessed.update(position(edit.start).line for edit in edits)
        self.source = self.source.replaced(apply_edits(self.source.text, edits))

    def holds(self, found: Diagnostic, document: Document) -> bool:
        """Whether a finding in the mended text is certain: after a guess, only one about another key of the file.

        Args:
            document: the mended text.
        """
        if not self._guessed:
            return True
        entry = document.entry(found.path[:1]) if found.path else None
        if entry is None or found.name == _MISSING or not found.code.startswith(_ABOUT_KEYS):
            return False
        position = document.source.position
        first, last = position(entry.key.start).line, position(entry.value.end).line
        return self._guessed.isdisjoint(range(first, last + 2))

    def back(self, found: Diagnostic) -> Diagnostic:
        """A finding at its place in the text as it is, where it cannot be repaired yet."""
        related = tuple(
            one if one.file is not None else one.replaced(span=self._span(one.span))
            for one in found.related
        )
        span = found.span if found.file is not None else self._span(found.span)
        cause = (found.cause[0], self._span(found.cause[1])) if found.cause is not None else None
        return found.replaced(span=span, related=related, fixes=(), cause=cause)

    def _span(self, span: Span) -> Span:
        start = self._offset(span.start)
        return Span(start, max(start, self._offset(span.end)))

    def _offset(self, offset: int) -> int:
        for mend in reversed(self._mends):
            offset = mend.before(offset)
        return offset


class _Mend:
    """A fix that was made, and where the places of the text behind it were before."""

    def __init__(self, edits: tuple[Edit, ...]) -> None:
        self._edits = edits
        #: Where the text of each edit begins behind the fix, and how many characters were added up to there.
        self._starts: list[int] = []
        self._longer = [0]
        for edit in edits:
            self._starts.append(edit.start + self._longer[-1])
            self._longer.append(self._longer[-1] + len(edit.text) - (edit.end - edit.start))

    def before(self, offset: int) -> int:
        """Where an offset was before; what the fix wrote is where it begins."""
        number = bisect_right(self._starts, offset)
        if number and offset < self._starts[number - 1] + len(self._edits[number - 1].text):
            return self._edits[number - 1].start
        return offset - self._longer[number]
