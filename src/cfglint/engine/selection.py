"""Which rules are switched on."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.record import Record
from cfglint.diagnostic import CONFIDENCES, ConfidenceName, Diagnostic, SeverityName, one_lower


class Selection(Record):
    """Which rules may speak: prefixes of codes, or names. Empty `select` means all."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    #: The lowest confidence that is reported; None leaves out low confidence of notes and of
    #: findings about other releases.
    confidence: ConfidenceName | None = None
    #: What is left out of a file whatever is selected.
    silenced: tuple[str, ...] = ()
    #: The severities that a project gives the findings of some rules.
    severities: tuple[tuple[str, SeverityName], ...] = ()
    #: Whether the rules speak, too, that are nothing but steps of migrations.
    migration: bool = False

    def has(self, code: str, name: str) -> bool:
        """Whether a rule is switched on; the longer of two matching prefixes decides."""
        if self.silenced and any(_names(p, code, name) for p in self.silenced):
            return False
        if not self.select and not self.ignore:
            return True
        chosen = max((len(p) for p in self.select if _names(p, code, name)), default=-1)
        dropped = max((len(p) for p in self.ignore if _names(p, code, name)), default=-1)
        if self.select and chosen < 0:
            return False
        return dropped < 0 or chosen > dropped

    def reports(self, found: Diagnostic) -> bool:
        """Whether a finding is certain enough; those of individually selected rules always are."""
        if found.confidence == "high" or self.confidence == "low":
            return True
        if self.confidence is None:
            # The rule's own severity: one that is lowered for want of a fact may still matter,
            # but not what is uncertain even on a release that was not named.
            minor = found.rule_severity == "note" or found.other_releases
            enough = found.confidence != "low" or not minor
        else:
            wanted = CONFIDENCES.index(self.confidence)
            enough = CONFIDENCES.index(found.confidence) <= wanted
        return enough or found.code in self.select or found.name in self.select

    def filtered(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The findings that are certain enough, with the severities that the project gives them."""
        kept = [found for found in diagnostics if self.reports(found)]
        return [self._graded(found) for found in kept] if self.severities else kept

    def _graded(self, found: Diagnostic) -> Diagnostic:
        """A finding with its severity here; of two matching prefixes the longer one decides."""
        given = [
            (len(selector), severity)
            for selector, severity in self.severities
            if _names(selector, found.code, found.name)
        ]
        if not given or found.other_releases:
            return found
        severity = max(given)[1]
        return found.replaced(severity=one_lower(severity) if found.undecided else severity)


#: Nothing switched off.
EVERY_RULE = Selection(confidence="low")
#: The same with the steps of migrations.
EVERY_STEP = Selection(confidence="low", migration=True)


def _names(selector: str, code: str, name: str) -> bool:
    return selector == "ALL" or code.startswith(selector) or name == selector
