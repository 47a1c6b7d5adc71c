"""Which rules are switched on."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.base.record import Record
from cfglint.diagnostic import (
    CONFIDENCES,
    ConfidenceName,
    Diagnostic,
    SeverityName,
    at_least,
    one_lower,
)


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
    #: Rules in addition to those of `select`, prefixes of codes or names.
    extend: tuple[str, ...] = ()
    #: Whether the rules speak, too, that are not part of a release yet.
    preview: bool = False
    #: The lowest severity that is reported; None for all.
    least: SeverityName | None = None
    #: The rules whose findings are repaired, prefixes of codes or names; empty means all.
    fixable: tuple[str, ...] = ()
    #: Those whose findings are not.
    unfixable: tuple[str, ...] = ()
    #: Whether comments silence nothing.
    unsilenced: bool = False

    def has(self, code: str, name: str) -> bool:
        """Whether a rule is switched on; the longer of two matching prefixes decides."""
        if self.silenced and any(_names(p, code, name) for p in self.silenced):
            return False
        if not self.select and not self.ignore:
            return True
        chosen = max(
            (len(p) for p in (*self.select, *self.extend) if _names(p, code, name)), default=-1
        )
        dropped = max((len(p) for p in self.ignore if _names(p, code, name)), default=-1)
        if self.select and chosen < 0:
            return False
        return dropped < 0 or chosen > dropped

    def previews(self, code: str, name: str) -> bool:
        """Whether a rule that is not part of a release yet is switched on."""
        return self.preview or self._is_named(code, name)

    def _is_named(self, code: str, name: str) -> bool:
        """Whether a rule is selected by itself, not with its family."""
        return any(one in (code, name) for one in (*self.select, *self.extend))

    def reports(self, found: Diagnostic) -> bool:
        """Whether a finding is worth reporting; those of individually selected rules always are."""
        if self.confidence == "low":
            return True
        if found.harmless:
            return self._is_named(found.code, found.name)
        if found.confidence == "high":
            return True
        if self.confidence is None:
            # The rule's own severity: one that is lowered for want of a fact may still matter,
            # but not what is uncertain even on a release that was not named.
            minor = found.rule_severity == "note" or found.other_releases
            enough = found.confidence != "low" or not minor
        else:
            wanted = CONFIDENCES.index(self.confidence)
            enough = CONFIDENCES.index(found.confidence) <= wanted
        return enough or self._is_named(found.code, found.name)

    def repairs(self, found: Diagnostic) -> bool:
        """Whether a finding may be repaired; the longer of two matching prefixes decides."""
        code, name = found.code, found.name
        chosen, dropped = (
            max((len(one) for one in given if _names(one, code, name)), default=-1)
            for given in (self.fixable, self.unfixable)
        )
        return chosen > dropped if self.fixable else dropped < 0

    def filtered(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The findings that are certain enough, with the severities that the project gives them."""
        kept = [found for found in diagnostics if self.reports(found)]
        if self.fixable or self.unfixable:
            kept = [one if self.repairs(one) else one.replaced(fixes=()) for one in kept]
        if self.severities:
            kept = [self._graded(found) for found in kept]
        least = self.least
        return kept if least is None else [one for one in kept if at_least(one.severity, least)]

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
EVERY_RULE = Selection(confidence="low", preview=True)
#: The same with the steps of migrations.
EVERY_STEP = Selection(confidence="low", migration=True, preview=True)


def _names(selector: str, code: str, name: str) -> bool:
    return selector == "ALL" or code.startswith(selector) or name == selector
