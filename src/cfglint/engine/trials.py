"""What is tried on files: the rules that one target and selection leave, ready to be tried."""

from __future__ import annotations

from contextlib import suppress

from cfglint.checks.context import Check, CheckContext
from cfglint.checks.registry import LOOKED_THROUGH, check_for
from cfglint.engine.selection import Selection
from cfglint.record import Record
from cfglint.rules.evaluate import Test
from cfglint.rules.knowledge import Knowledge
from cfglint.rules.logic import Truth
from cfglint.rules.lookup import numbers
from cfglint.rules.rule import Rule
from cfglint.target.target import Target


class Trial(Record):
    """A rule with all that does not depend on the file."""

    rule: Rule
    #: Whether its releases are the target's; None when that is not known.
    versions: Truth
    #: The rule's condition, or else its check in code.
    test: Test | None
    check: Check | None


class Trials:
    """The trials for one target and selection, worked out as files ask for them."""

    def __init__(self, knowledge: Knowledge, target: Target, selection: Selection) -> None:
        self._knowledge = knowledge
        self._target = target
        self._selection = selection
        #: A bit for each rule that is not known to have nothing to say.
        self._left = knowledge.every_rule
        self._known: dict[int, Trial] = {}
        self._of_team: list[Trial] | None = None
        #: What checks look through, with a bit for each of their rules.
        self._looked_through = [
            (look, knowledge.rules_of_checks(names)) for look, names in LOOKED_THROUGH
        ]

    @classmethod
    def of(cls, knowledge: Knowledge, target: Target, selection: Selection) -> Trials:
        """The trials for a target, which remembers them."""
        # Copies of a target for a folder or a command share what is remembered.
        has = (target.project is None, target.folder is None, not target.launches)
        place = (knowledge, selection, has)
        known: Trials | None = target.shared.get(place)
        if known is None:
            known = target.shared[place] = cls(knowledge, target, selection)
        return known

    def on(self, found: int, ctx: CheckContext) -> list[Trial]:
        """What to try on a file, in a fixed order.

        Args:
            found: what may matter in it, as `Lookup` found it.
        """
        for look, bits in self._looked_through:
            with suppress(Exception):  # each of its rules will say so
                if not look(ctx):
                    found &= ~bits
        known = self._known
        trials = []
        for number in numbers(found & self._left):
            trial = known.get(number)
            if trial is None:
                trial = self.trial(self._knowledge.rule(number))
                if trial is None:
                    self._left ^= 1 << number
                    continue
                known[number] = trial
            trials.append(trial)
        if self._knowledge.has_team_rules:
            if self._of_team is None:
                ready = map(self.trial, self._knowledge.team_rules)
                self._of_team = [trial for trial in ready if trial is not None]
            trials += self._of_team
        return trials

    def trial(self, rule: Rule) -> Trial | None:
        """A rule's trial; None when it is switched off or its releases are not the target's."""
        if not self._selection.has(rule.code, rule.name):
            return None
        assume = rule.check is not None or not rule.conditional
        versions = self._target.applies(rule.applies, assume=assume)
        if versions is False:
            return None
        if rule.check is None:
            return Trial(rule, versions, self._knowledge.test(rule), None)
        check = check_for(rule.check, self._target)
        return Trial(rule, versions, None, check) if check is not None else None
