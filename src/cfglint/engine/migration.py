"""Migrating one text to another release: the fixes of rules that are steps, one by one.

A step is the fix of a finding at the target that is about the release: the target refuses the
file, or the rule says `migration` (see `cfglint.knowledge.compiling.model`). Safe steps come first, and obey
the law of safe fixes; the rest is done by unsafe ones, which a person reviews.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cfglint.base.record import Record
from cfglint.diagnostic import Diagnostic
from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.engine.selection import EVERY_STEP
from cfglint.environment.environment import Environment
from cfglint.fixes.loop import fix_source
from cfglint.framework import Framework
from cfglint.source.document import Path
from cfglint.source.text import SourceText

#: No real file needs more than forty.
MAX_STEPS = 500
_TWICE = "duplicate-key"
#: Steps that only take away come when nothing better is left to do.
_LAST_RESORTS = ("refused-value", "unread-key")


class Step(Record):
    """One change, from the text before it to the text after it."""

    code: str
    name: str
    title: str
    safe: bool
    #: Why: what the target makes of the file without it.
    reason: str
    #: What to look at, for a step that is not safe; may be empty.
    look_at: str
    path: Path
    #: The only places whose value changed.
    changes: tuple[Path, ...]
    before: SourceText
    after: SourceText


class Left(Record):
    """A problem that no step resolves."""

    code: str
    name: str
    message: str
    #: A clause.
    why: str
    #: Whether the target refuses the file for it.
    refused: bool
    path: Path
    #: Offset in the text after all steps.
    start: int


class Migration(Record):
    """What a migration makes of a text."""

    original: SourceText
    #: The steps that were taken, in their order.
    steps: tuple[Step, ...]
    #: Unsafe steps that follow on those but were not asked for.
    proposed: tuple[Step, ...]
    #: What would be left after both.
    left: tuple[Left, ...]

    @property
    def result(self) -> SourceText:
        """The text after the steps that were taken."""
        return self.steps[-1].after if self.steps else self.original

    @property
    def whole(self) -> SourceText:
        """The text after all steps, including those that were not requested."""
        return self.proposed[-1].after if self.proposed else self.result

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return not self.proposed and not self.left


def migrate(
    source: SourceText, framework: Framework, target: Environment, *, unsafe: bool
) -> Migration:
    """Migrate a text to a release.

    Args:
        target: the release, and what is known about the machine.
        unsafe: whether steps are taken that a person should review.
    """
    walk = _Walk(source, Case.of_text(framework, target, EVERY_STEP))
    walk.go(unsafe=False)
    safe = len(walk.steps)
    walk.finish()
    taken = len(walk.steps) if unsafe else safe
    return Migration(
        source, tuple(walk.steps[:taken]), tuple(walk.steps[taken:]), tuple(walk.left())
    )


class _Walk:
    """The way of one text through the steps."""

    def __init__(self, source: SourceText, case: Case) -> None:
        self.steps: list[Step] = []
        self._source = source
        self._case = case
        self._findings = self._lint(source)
        self._seen = {source.text}
        #: Finding -> why its fix is not trusted in the text as it is.
        self._refused: dict[tuple[str, Path], str] = {}
        #: The same for any later text.
        self._barred: dict[tuple[str, Path], str] = {}
        #: The findings before each step.
        self._before: list[list[Diagnostic]] = []

    def _lint(self, source: SourceText) -> list[Diagnostic]:
        return lint_source(source, self._case).diagnostics

    def finish(self) -> None:
        """Take unsafe steps, but none that ends with the release refusing what it accepts now."""
        accepted = not _refusals(self._findings)
        safe = len(self.steps)
        while True:
            self.go(unsafe=True)
            refusals = _refusals(self._findings)
            if not accepted or not refusals or len(self.steps) == safe:
                return
            states = [*self._before[safe + 1 :], self._findings]
            first = safe + next(n for n, state in enumerate(states) if _refusals(state))
            step = self.steps[first]
            why = f"the release would refuse the file then: {refusals[0].code}"
            self._barred[(step.code, step.path)] = why
            self._seen -= {taken.after.text for taken in self.steps[first:]}
            self._source, self._findings = step.before, self._before[first]
            del self.steps[first:], self._before[first:]

    def go(self, *, unsafe: bool) -> None:
        """Take steps until there are none left."""
        self._refused.clear()
        while len(self.steps) < MAX_STEPS:
            found = min(self._candidates(unsafe), key=_order, default=None)
            if found is None:
                return
            # Of two lines the release goes by the last: without the other the run is the same.
            same = found.fix() is not None or found.name == _TWICE
            made = same and self._take(found, unsafe=False)
            if not made and unsafe:
                # A safe fix that leads to another finding is one to look at, too.
                self._take(found, unsafe=True)

    def _candidates(self, unsafe: bool) -> Iterator[Diagnostic]:
        about = {found for found in self._findings if self._concerns(found)}
        # Of a key that is written twice one has to go before anything else can be done to it.
        twice = {found.path for found in about if any(fix.refused for fix in found.fixes)}
        for found in self._findings:
            in_the_way = found.name == _TWICE and found.path in twice
            if found.fix(unsafe=unsafe or in_the_way) is None or self._why_not(found):
                continue
            if found in about or in_the_way:
                yield found

    def _why_not(self, found: Diagnostic) -> str | None:
        """Why the fix of a finding is not made; None when it may be."""
        return self._barred.get(_key(found)) or self._refused.get(_key(found))

    def _concerns(self, found: Diagnostic) -> bool:
        """Whether a finding is about the release."""
        if found.file is not None:
            return False
        return (
            bool(_refusals([found])) or found.code in self._case.framework.knowledge.migration_codes
        )

    def _take(self, found: Diagnostic, *, unsafe: bool) -> bool:
        """Make a finding's fix, if it is trusted.

        Args:
            unsafe: whether it may be an unsafe one, or lead to other findings.
        """
        key = _key(found)

        def lint(source: SourceText) -> Sequence[Diagnostic]:
            every = self._lint(source)
            return [one if _key(one) == key else one.replaced(fixes=()) for one in every]

        any_fix = unsafe or found.name == _TWICE
        outcome = fix_source(
            self._source, lint, unsafe=any_fix, language=self._case.framework.language
        )
        if outcome.source.text in self._seen:
            reasons = [fix.reason for fix in outcome.rejected]
            self._refused[key] = reasons[0] if reasons else "it would change nothing"
            return False
        fix = found.fix(unsafe=any_fix)
        assert fix is not None
        self.steps.append(
            Step(
                code=found.code,
                name=found.name,
                title=fix.title,
                safe=not unsafe,
                reason=found.message,
                look_at=fix.look_at or (self._refused.get(key, "") if unsafe else ""),
                path=found.path,
                changes=fix.paths,
                before=self._source,
                after=outcome.source,
            )
        )
        self._before.append(self._findings)
        self._source = outcome.source
        self._seen.add(outcome.source.text)
        self._findings = self._lint(outcome.source)
        self._refused.clear()
        return True

    def left(self) -> Iterator[Left]:
        """The problems that the steps have not resolved."""
        for found in self._findings:
            refused = found.upstream == "rejects"
            if not self._concerns(found) or (found.severity == "note" and not refused):
                continue
            why = self._why_not(found) or next(
                (fix.refused for fix in found.fixes if fix.refused), "no step can resolve it"
            )
            yield Left(
                found.code, found.name, found.message, why, refused, found.path, found.span.start
            )


def _refusals(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings for which the release certainly refuses the file."""
    return [found for found in findings if found.refuses]


def _key(found: Diagnostic) -> tuple[str, Path]:
    return found.code, found.path


def _order(found: Diagnostic) -> tuple[bool, bool, bool, bool, int, str]:
    """The order: lines in the way, safe fixes, those of rules for migrations only, then by place."""
    twice = found.name == _TWICE
    only = found.code.startswith("MIG")
    last = found.name in _LAST_RESORTS
    return (not twice, found.fix() is None, last, not only, found.span.start, found.code)
