"""Which rules may speak."""

from __future__ import annotations

from cfglint.diagnostic import CONFIDENCES, ConfidenceName, Diagnostic
from cfglint.record import Record


class Selection(Record):
    """Which rules may speak: prefixes of codes, or names. Empty `select` means all."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    #: The least sure finding that is told; None tells all but notes of low confidence.
    confidence: ConfidenceName | None = None

    def has(self, code: str, name: str) -> bool:
        """Whether a rule is switched on; the longer of two matching prefixes decides."""
        if not self.select and not self.ignore:
            return True
        chosen = max((len(p) for p in self.select if _names(p, code, name)), default=-1)
        dropped = max((len(p) for p in self.ignore if _names(p, code, name)), default=-1)
        if self.select and chosen < 0:
            return False
        return dropped < 0 or chosen > dropped

    def tells(self, found: Diagnostic) -> bool:
        """Whether a finding is sure enough; the ones of rules selected by themselves always are."""
        if found.confidence == "high" or self.confidence == "low":
            return True
        if self.confidence is None:
            # The rule's own severity: one that is lowered for want of a fact may still matter.
            enough = found.confidence != "low" or found.rule_severity != "info"
        else:
            wanted = CONFIDENCES.index(self.confidence)
            enough = CONFIDENCES.index(found.confidence) <= wanted
        return enough or found.code in self.select or found.name in self.select


#: Nothing switched off.
EVERY_RULE = Selection(confidence="low")


def _names(selector: str, code: str, name: str) -> bool:
    return selector == "ALL" or code.startswith(selector) or name == selector
