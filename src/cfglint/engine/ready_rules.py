"""The rules that remain for one target and selection, ready to be tried on files."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sized

from cfglint.base.logic import Truth
from cfglint.base.record import Record
from cfglint.checks.context import Check, CheckContext
from cfglint.checks.registry import LOOKED_THROUGH, check_for
from cfglint.engine.case import Case
from cfglint.knowledge.rules.evaluate import Test
from cfglint.knowledge.rules.index.candidates import numbers
from cfglint.knowledge.rules.rule import Rule


class ReadyRule(Record):
    """A rule with all that does not depend on the file."""

    rule: Rule
    #: Whether its releases are the target's; None when that is not known.
    versions: Truth
    #: The rule's condition, or else its check in code.
    test: Test | None
    check: Check | None
    #: A sentence, if it warns of the assumed release alone.
    doubt: str = ""


class _Same:
    """An object as a part of a key: equal to itself alone, and kept alive by the key."""

    __slots__ = ("held",)

    def __init__(self, held: object) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.held is self.held

    def __hash__(self) -> int:
        return id(self.held)


class ReadyRules:
    """The trials for one target and selection, computed as files ask for them."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._selection = case.selection
        knowledge = self._knowledge = case.framework.knowledge
        #: A bit for each rule that is not known to have nothing to say.
        self._left = case.framework.file_kind.rules(knowledge, case.framework.checks)
        #: A bit for each rule that reads a second file, too.
        self._on_edges = functools.reduce(operator.or_, knowledge.edges.values(), 0)
        self._known: dict[int, ReadyRule] = {}
        #: The rules that are tried on every file: a project's own, and the steps of migrations.
        self._others: list[ReadyRule] | None = None
        #: What checks look through, with a bit for each of their rules.
        self._looked_through = [
            (look, knowledge.rules_of_checks(names)) for look, names in LOOKED_THROUGH
        ]

    @classmethod
    def of(cls, case: Case) -> ReadyRules:
        """The rules for a case; the files of a run share what was computed."""
        around = case.around
        has = (
            around.project is None,
            around.folder is None,
            not around.launches,
            not around.schemas,
        )
        # Of the objects themselves: they live as long as the memory that holds them.
        key = (cls, _Same(case.framework), _Same(case.target), case.selection, has)
        return around.memory.once(key, lambda: cls(case))

    def on(self, found: int, ctx: CheckContext, edge: str | None = None) -> list[ReadyRule]:
        """What to try on a file, in a fixed order.

        Args:
            found: what may matter in it, as `Lookup` found it.
            edge: the framework of the other file, when the document is of two; else the rules of
                one file are tried.
        """
        if edge is not None:
            return self._ready(found & self._knowledge.edges.get(edge, 0))
        found &= ~self._on_edges
        for look, bits in self._looked_through:
            if not _may_find(look, ctx):
                found &= ~bits
        trials = self._ready(found)
        if self._knowledge.has_project_rules or self._selection.migration:
            if self._others is None:
                steps = self._knowledge.migration_rules if self._selection.migration else []
                ready = map(self.trial, [*self._knowledge.project_rules, *steps])
                self._others = [trial for trial in ready if trial is not None]
            trials += self._others
        return trials

    def _ready(self, found: int) -> list[ReadyRule]:
        """The rules with these numbers, as far as they apply."""
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
        return trials

    def trial(self, rule: Rule) -> ReadyRule | None:
        """A rule's trial; None when it is switched off or its releases are not the target's."""
        if not self._selection.has(rule.code, rule.name):
            return None
        if rule.preview and not self._selection.previews(rule.code, rule.name):
            return None
        assume = rule.check is not None or not rule.conditional
        versions = self._case.target.applies(rule.applies, assume=assume)
        if versions is False:
            return None
        if rule.check is None:
            doubt = self._doubt(rule)
            if doubt and self._case.target.is_fork():
                return None
            return ReadyRule(rule, versions, self._knowledge.test(rule), None, doubt)
        check = check_for(rule.check, self._case.framework, self._case.around)
        return ReadyRule(rule, versions, None, check) if check is not None else None

    def _doubt(self, rule: Rule) -> str:
        """Why a warning may be none: no release is stated, and an older one is not affected."""
        if rule.severity != "warning" or rule.conditional or not rule.applies:
            return ""
        from cfglint.engine.severity.releases.assumed import doubt_of
        from cfglint.engine.severity.releases.older import old_release

        target = self._case.target
        older = old_release(target)
        if older is None or older.applies(rule.applies, assume=True) is not False:
            return ""
        title = self._case.framework.release_title
        return doubt_of(target, title, older.release, "problem", rule.applies)


def _may_find(look: Callable[[CheckContext], Sized], ctx: CheckContext) -> bool:
    """Whether a rule that looks there may find something."""
    try:
        return bool(look(ctx))
    except Exception:
        return True  # each of the rules will say so
