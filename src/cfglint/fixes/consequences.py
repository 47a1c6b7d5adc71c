"""What a safe fix may not do: lead to a finding that was not there before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cfglint.base.type_names import Protocol
from cfglint.diagnostic import ANY, SEVERITIES, Diagnostic, Fix


class Repaired(Protocol):
    """A fix with the finding that it repairs."""

    @property
    def diagnostic(self) -> Diagnostic: ...

    @property
    def fix(self) -> Fix: ...


def undeclared(
    before: Sequence[Diagnostic], after: Sequence[Diagnostic], made: Sequence[Repaired]
) -> Diagnostic | None:
    """The first finding that fixes lead to without saying so; None when there is none.

    Keys move and are renamed, so findings are counted, not compared by place: after the fixes
    no code may be there more often than before, or as often but more severe. The repaired ones
    do not count; whatever replaces one is new. Whatever fixes declare, the release does not refuse a
    file that it takes now. Of one that is refused already, they may uncover another refusal only if they
    name its code: with any other, the run would still fail once what is refused now is mended.
    """
    declared = {code for each in made for code in each.fix.leads_to}
    reasons = Counter(found.code for found in before if found.refuses)
    # Of a file that is refused anyway, a fix may uncover the reason that it names.
    uncovered = declared if reasons else set()
    for found in after:
        if found.refuses and found.code not in uncovered:
            reasons[found.code] -= 1
            if reasons[found.code] < 0:
                return found
    if ANY in declared:
        return None
    allowed = _counted(before)
    allowed.subtract(_counted(each.diagnostic for each in made))
    new = _counted(found for found in after if found.code not in declared) - allowed
    for found in after:
        if (found.code, found.severity) in new:
            return found
    return None


def _counted(findings: Iterable[Diagnostic]) -> Counter[tuple[str, str]]:
    """How many findings have a code and are at least so severe, for each of both."""
    counts: Counter[tuple[str, str]] = Counter()
    for found in findings:
        for severity in SEVERITIES[SEVERITIES.index(found.severity) :]:
            counts[found.code, severity] += 1
    return counts
