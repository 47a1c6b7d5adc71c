"""The way of one text through the steps of a migration.

Steps that do not touch each other are taken together: what they make of the file is read, checked
and judged once. The fast reader does for that. At the end the reader that has the last word, and a
second one that shares no code with it, read the file before and after; where they object, all steps
are taken again, one by one, under their eyes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from cfglint.diagnostic import Diagnostic, Edit, Fix
from cfglint.engine.case import Case
from cfglint.engine.migration.of_release import concerns, findings_of, key_of, refusals
from cfglint.engine.migration.steps import NO_STEP, Left, Step
from cfglint.fixes.applying import apart, apply_edits
from cfglint.fixes.consequences import undeclared
from cfglint.fixes.loop import fix_source
from cfglint.fixes.passes import Candidate, FixedText, Pass
from cfglint.fixes.verification import readers_disagree
from cfglint.source.document import Document, Path
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

#: No real file needs more than a hundred.
MAX_STEPS = 500
#: After how many of the last resorts the file is examined each time, and how often after those.
_FIRST, _LOOKS = 4, 8
_TWICE = "duplicate-key"
#: Steps that only take away come when nothing better is left to do.
_LAST_RESORTS = ("refused-value", "unread-key")


def walked(source: SourceText, case: Case) -> Walk:
    """The steps from a text to a release: the safe ones, then those that follow on them."""
    walk = Walk(source, case, one_by_one=False)
    walk.go_all()
    if not walk.is_trusted():
        walk = Walk(source, case, one_by_one=True)
        walk.go_all()
    return walk


class Walk:
    """A text, the steps taken so far, and what is found after them.

    Args:
        one_by_one: whether each step is verified by itself, by all readers.
    """

    def __init__(self, source: SourceText, case: Case, *, one_by_one: bool) -> None:
        self.steps: list[Step] = []
        #: How many of the steps are the safe ones that come first.
        self.safe = 0
        self._case = case
        self._language = case.framework.parsing.language_for(source.text, case.target, case.around)
        self._one_by_one = one_by_one
        #: Whether steps are taken that a person should review.
        self._reviewing = False
        self._go_to(source)
        self._seen = {source.text}
        #: Finding -> why its fix is not trusted in the text as it is.
        self._refused: dict[tuple[str, Path], str] = {}
        #: The same for any later text.
        self._barred: dict[tuple[str, Path], str] = {}
        #: The texts that were verified by the fast reader alone.
        self._unconfirmed: list[Document] = []

    def _go_to(self, source: SourceText) -> None:
        self._source = source
        self._findings = self._lint(source)
        self._document = self._read(source)

    def _lint(self, source: SourceText) -> list[Diagnostic]:
        return findings_of(source, self._case)

    def _read(self, source: SourceText) -> Document | None:
        try:
            return self._language.read(source)
        except SourceError:
            return None  # a step may make it readable

    # ------------------------------------------------------------------------ the way

    def go_all(self) -> None:
        """Take all steps: safe ones first, then those that a person should review."""
        self._go(unsafe=False)
        self.safe = len(self.steps)
        self._finish()

    def _finish(self) -> None:
        """Take unsafe steps, but none that ends with the release refusing what it accepts now."""
        accepted = not refusals(self._findings)
        while True:
            self._go(unsafe=True)
            refused = refusals(self._findings)
            if not accepted or not refused or len(self.steps) == self.safe:
                return
            first = next(
                number
                for number in range(self.safe, len(self.steps))
                if refusals(self._lint(self.steps[number].after))
            )
            step = self.steps[first]
            why = f"the release would refuse the file then: {refused[0].code}"
            self._barred[(step.code, step.path)] = why
            self._seen -= {taken.after.text for taken in self.steps[first:]}
            self._go_to(step.before)
            del self.steps[first:]

    def _go(self, *, unsafe: bool) -> None:
        """Take steps until there are none left."""
        self._refused.clear()
        self._reviewing = unsafe
        while len(self.steps) < MAX_STEPS:
            possible = self._possible(self._findings)
            candidates = sorted((one for one in possible if not self._why_not(one)), key=_order)
            if not candidates:
                return
            rank = _rank(candidates[0])
            group = [found for found in candidates if _rank(found) == rank]
            if self._one_by_one or self._document is None:
                group = group[:1]
            # Of two lines the release goes by the last: without the other the run is the same.
            same = [found for found in group if found.fix() is not None or found.name == _TWICE]
            made = bool(same) and self._take(same, unsafe=False)
            if not made and unsafe:
                # A safe fix that leads to another finding is one to look at, too.
                self._take(group, unsafe=True)

    def _possible(self, findings: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
        """The findings whose fixes would be steps, whether or not these are trusted."""
        about = {found for found in findings if concerns(found, self._case)}
        # Of a key that is written twice one has to go before anything else can be done to it.
        twice = {found.path for found in about if any(fix.refused for fix in found.fixes)}
        for found in findings:
            in_the_way = found.name == _TWICE and found.path in twice
            if found.fix(unsafe=self._reviewing or in_the_way) is None:
                continue
            if found in about or in_the_way:
                yield found

    def _why_not(self, found: Diagnostic) -> str | None:
        """Why the fix of a finding is not made; None when it may be."""
        return self._barred.get(key_of(found)) or self._refused.get(key_of(found))

    # ------------------------------------------------------------------------ steps

    def _take(self, group: Sequence[Diagnostic], *, unsafe: bool) -> bool:
        """Make the fixes of some findings, those that are trusted; whether there are any.

        Args:
            group: findings of one rank, in the order of their steps.
            unsafe: whether the fixes may be unsafe ones, or lead to other findings.
        """
        if self._one_by_one or self._document is None:
            return self._take_alone(group[0], unsafe=unsafe)
        any_fix = unsafe or group[0].name == _TWICE
        candidates = [_joined(list(same), any_fix) for _, same in groupby(group, key=key_of)]
        chosen = apart(candidates[: MAX_STEPS - len(self.steps)])
        made, kept = self._try(self._document, chosen, any_fix)
        if made is None:
            return False
        made, kept = self._until_better(self._document, made, kept, any_fix)
        if made.document.text in self._seen:
            self._refused |= {key_of(each.diagnostic): "it would change nothing" for each in kept}
            return False
        if not self._unconfirmed:
            self._unconfirmed.append(self._document)
        led_to = undeclared(self._findings, made.findings, kept)
        for candidate, after in _texts(self._source, kept):
            self._add(candidate, after, led_to, unsafe=unsafe)
        self._document, self._findings = made.document, list(made.findings)
        self._refused.clear()
        return True

    def _try(
        self, document: Document, chosen: Sequence[Candidate], any_fix: bool
    ) -> tuple[FixedText | None, list[Candidate]]:
        """What fixes make of the file, and those of them that are trusted, in their order."""
        one = Pass(
            document,
            self._findings,
            self._lint,
            unsafe=any_fix,
            pure=document.pure,
            max_trials=None,
        )
        made, kept = one.trusted(sorted(chosen, key=lambda each: each.fix.edits[0].start))
        for candidate, reason in one.refused:
            self._refused[key_of(candidate.diagnostic)] = reason
        return made, sorted(kept, key=lambda each: _order(each.diagnostic))

    def _until_better(
        self, document: Document, made: FixedText, kept: list[Candidate], any_fix: bool
    ) -> tuple[FixedText, list[Candidate]]:
        """The first of some steps, up to the one after which there is a step of a lower rank."""
        rank = _rank(kept[0].diagnostic)
        known = self._below(rank, self._findings)
        fewest, most = 1, len(kept)
        # The last resorts may take away what a better step would have changed: see after each of the
        # first ones, and a limited number of times later.
        look_at = 1 if rank.last_resort else most
        stride = max(1, most // _LOOKS)
        while fewest < most:
            if look_at == most and self._below(rank, made.findings) <= known:
                break
            if look_at == most:
                look_at = (fewest + most) // 2
            part, same = self._try(document, kept[:look_at], any_fix)
            if part is None or len(same) < look_at:
                break
            if self._below(rank, part.findings) <= known:
                fewest = look_at + 1
                look_at = min(look_at + (1 if look_at < _FIRST else stride), most)
            else:
                made, most = part, look_at
        return made, kept[:most]

    def _below(self, rank: _Rank, findings: Sequence[Diagnostic]) -> set[tuple[str, Path]]:
        """The steps of a lower rank that are possible."""
        return {key_of(found) for found in self._possible(findings) if _rank(found) < rank}

    def _take_alone(self, found: Diagnostic, *, unsafe: bool) -> bool:
        """Make one finding's fix, if all readers trust it."""
        key = key_of(found)

        def lint(source: SourceText) -> Sequence[Diagnostic]:
            every = self._lint(source)
            return [one if key_of(one) == key else one.replaced(fixes=()) for one in every]

        any_fix = unsafe or found.name == _TWICE
        outcome = fix_source(self._source, lint, unsafe=any_fix, language=self._language)
        if outcome.source.text in self._seen:
            reasons = [fix.reason for fix in outcome.rejected]
            self._refused[key] = reasons[0] if reasons else "it would change nothing"
            return False
        made = _joined([found], any_fix)
        led_to = undeclared(self._findings, self._lint(outcome.source), [made])
        self._add(made, outcome.source, led_to, unsafe=unsafe)
        self._go_to(outcome.source)
        self._refused.clear()
        return True

    def _add(
        self, candidate: Candidate, after: SourceText, led_to: Diagnostic | None, *, unsafe: bool
    ) -> None:
        """Note a step.

        Args:
            led_to: a finding that there is after it, and was not before.
        """
        found, fix = candidate.diagnostic, candidate.fix
        doubted = unsafe and key_of(found) in self._refused
        self.steps.append(
            Step(
                code=found.code,
                name=found.name,
                title=fix.title,
                safe=not unsafe,
                reason=found.message,
                look_at=(fix.look_at or _question(fix, led_to if doubted else None))
                if unsafe
                else "",
                path=found.path,
                changes=fix.paths,
                before=self._source,
                after=after,
            )
        )
        self._source = after
        self._seen.add(after.text)

    # ------------------------------------------------------------------------ the end

    def is_trusted(self) -> bool:
        """Whether all readers agree about the texts that the fast reader has verified."""
        if not self._unconfirmed:
            return True
        before = self._unconfirmed[0]
        if readers_disagree(before):
            return False
        ends = [self.steps[count - 1].after for count in {self.safe, len(self.steps)} if count]
        for source in ends:
            after = self._read(source)
            if after is None or readers_disagree(after):
                return False
            if self._language.doubts(before, source) is not None:
                return False
        return True

    def left(self) -> Iterator[Left]:
        """The problems that the steps have not resolved."""
        for found in self._findings:
            refused = found.upstream == "rejects"
            if not concerns(found, self._case) or (found.severity == "note" and not refused):
                continue
            why = self._why_not(found) or next(
                (fix.refused for fix in found.fixes if fix.refused), NO_STEP
            )
            yield Left(
                found.code, found.name, found.message, why, refused, found.path, found.span.start
            )


def _texts(
    source: SourceText, candidates: Sequence[Candidate]
) -> Iterator[tuple[Candidate, SourceText]]:
    """What fixes that do not touch each other make of a text, one after the other."""
    text = source.text
    #: End of an edit that was made -> by how much what follows has moved.
    moved: list[tuple[int, int]] = []
    for candidate in candidates:
        edits = []
        for edit in candidate.fix.edits:
            shift = sum(growth for end, growth in moved if end <= edit.start)
            edits.append(Edit(edit.start + shift, edit.end + shift, edit.text))
        text = apply_edits(text, edits)
        moved += [
            (edit.end, len(edit.text) - edit.end + edit.start) for edit in candidate.fix.edits
        ]
        yield candidate, source.replaced(text)


def _joined(same: Sequence[Diagnostic], any_fix: bool) -> Candidate:
    """The fix of findings that are one step: of the first, and of the others as far as they fit."""
    found = same[0]
    fixes = [fix for one in same if (fix := one.fix(unsafe=any_fix)) is not None]
    edits = list(fixes[0].edits)
    for fix in fixes[1:]:
        if fix.edits[0].start >= edits[-1].end:
            edits += fix.edits
    return Candidate(found, fixes[0].replaced(edits=tuple(edits)))


def _question(fix: Fix, led_to: Diagnostic | None) -> str:
    """What a person is asked about a step that has no question of its own."""
    if led_to is not None:
        return f"Is the file right then? It would be reported for {led_to.code}: {led_to.message}"
    if not any(edit.text for edit in fix.edits):
        return "May it go, or does the run need it in another form?"
    return "Is this what the file was meant to say?"


def _order(found: Diagnostic) -> tuple[_Rank, int, str]:
    """By rank, then by place."""
    return (_rank(found), found.span.start, found.code)


class _Rank(NamedTuple):
    """Which steps are taken together; those of the lowest rank come first.

    Lines in the way, then safe fixes, then last resorts; of each first those that only migrations
    make.
    """

    not_in_the_way: bool
    unsafe: bool
    last_resort: bool
    general: bool


def _rank(found: Diagnostic) -> _Rank:
    return _Rank(
        found.name != _TWICE,
        found.fix() is None,
        found.name in _LAST_RESORTS,
        not found.code.startswith("MIG"),
    )
