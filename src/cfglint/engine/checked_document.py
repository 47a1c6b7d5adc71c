"""One document as it is checked: which rules fire on it, and the diagnostics that they make."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from cfglint.base.logic import Truth
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.checks.context import CheckContext, Hit, Repair
from cfglint.diagnostic import Diagnostic, Fix, Related, as_note, one_lower, one_lowered, unique
from cfglint.engine.case import Case
from cfglint.engine.findings import PLACEHOLDER, REFUSED, finding, finding_of
from cfglint.engine.needs import is_of_builds_that_none_states, needs_of
from cfglint.engine.ready_rules import ReadyRule, ReadyRules
from cfglint.engine.scope import FileScope
from cfglint.frameworks.for_files import for_document
from cfglint.knowledge.rules.evaluate import Test, bind
from cfglint.knowledge.rules.rule import UNLESS_STARTED, Rule
from cfglint.source.calls import call_of
from cfglint.source.document import Document, Path
from cfglint.source.text import Span
from cfglint.source.values import to_python

if TYPE_CHECKING:
    from cfglint.fixes.actions import Action

#: Gives, for actions and the place that they are about, the document that they are planned on, and the path that this one has in it.
HomeOf = Callable[["Sequence[Action]", Path], "tuple[Document, Path]"]
#: The rules about YAML as such, whatever reads it: what a program makes of a value is its own affair.
_OF_YAML = ("YML00", "YML01", "YML020", "YML027", "YML03")
#: The moments that only a run has which trains.
_OF_TRAINING = ("train", "save")


class CheckedDocument:
    """The state of checking one document.

    Args:
        home_of: says where fixes are planned, when it is a part of another document.
    """

    def __init__(self, document: Document, case: Case, home_of: HomeOf | None = None) -> None:
        case = case.where_it_runs(document)
        self.document = document
        self.home_of = home_of
        self.around = case.around
        self.framework = for_document(case.framework, document, case.around)
        self.target = self.framework.parsing.shown(document, case.target)
        #: With the framework and the target of this document.
        self.case = case.replaced(framework=self.framework, target=self.target)
        self.context = CheckContext(document, self.framework, self.target, self.around)
        self.scope = FileScope(self.context)
        #: Fact -> the codes of the rules that it would decide.
        self.open_rules: dict[str, list[str]] = {}

    def findings(self, edge: str | None = None) -> list[Diagnostic]:
        """What the rules find, each finding once, and each problem by the rule that knows best.

        Args:
            edge: the framework of the second file, when the document is of two; its rules only.
        """
        ready = ReadyRules.of(self.case)
        found: list[Diagnostic] = []
        replaced: set[str] = set()
        for trial in ready.on(self.scope.found, self.context, edge):
            own_code = self.framework.own_code
            hits = [
                one_lowered(hit) if own_code.may_differ(hit, self.context) else hit
                for hit in self.safely(trial)
                if not own_code.differs(hit, self.context)
                and not self._is_of_release(trial.rule, hit)
            ]
            if hits:
                found.extend(hits)
                replaced.update(trial.rule.instead_of)
        # What would show while a model is trained or saved does not where none is.
        trains_nothing = self.framework.readings.trains_nothing
        shows = any(hit.bites in _OF_TRAINING for hit in found)
        idle = _OF_TRAINING if shows and trains_nothing(self.document, self.around) else ()
        found = [hit for hit in found if hit.code not in replaced and hit.bites not in idle]
        if found and self.framework.own_code.is_all_that_reads(self.document, self.around):
            found = [hit for hit in found if hit.code.startswith(_OF_YAML)]
        call = call_of(self.document.root)
        if call is not None and call.unreached:
            found = [hit.replaced(severity="note", upstream="silent") for hit in found]
        if call is not None and call.guarded:
            found = [hit for hit in found if hit.upstream == "silent"]
        return unique(found)

    def _is_of_release(self, rule: Rule, hit: Diagnostic) -> bool:
        """Whether a finding rests on a release, and the project runs a fork of an unknown one."""
        own_code = self.framework.own_code
        return own_code.rests_on_release(rule, hit) and own_code.is_in_part(self.context)

    def of_format(self) -> list[Diagnostic]:
        """What the format forbids, though the file could be read."""
        from cfglint.fixes.source_problems import repairs

        found = []
        for problem, fix in repairs(self.document):
            rule = self.framework.knowledge.named(problem.kind.value)
            hit = Hit(
                problem.path,
                problem.span,
                {**problem.details, "effect": REFUSED},
                fixes=() if fix is None else (fix,),
            )
            if rule.upstream == "rejects" and problem.tolerated:
                hit = hit.replaced(
                    params={**problem.details, "effect": "only some programs read the file"},
                    severity="warning",
                    upstream="silent",
                )
            found.append(self.diagnostic(rule, hit))
        return found

    def safely(self, trial: ReadyRule) -> Sequence[Diagnostic]:
        """What a rule finds; a rule that fails is itself a finding, and the run goes on."""
        rule, test = trial.rule, trial.test
        try:
            if test is None:
                assert trial.check is not None
                return [self.diagnostic(rule, hit) for hit in trial.check(self.context)]
            items: Sequence[Path] = [()]
            if rule.each is not None:
                self.scope.use(rule.view, assume=not rule.conditional)
                items = self.scope.view.expand((*rule.each, "[]"))
            tried = [self._evaluate(rule, trial.versions, test, item) for item in items]
            found = [one for one in tried if one is not None]
            return [_doubted(one, trial.doubt) for one in found] if trial.doubt else found
        except Exception as error:  # the contract: no rule may end a run
            return (self._crash(rule, error),)

    def _evaluate(self, rule: Rule, versions: Truth, test: Test, item: Path) -> Diagnostic | None:
        self.scope.use(rule.view, item=item, assume=not rule.conditional)
        truth = test(self.scope)
        if truth is False:
            return None
        unknown = set(self.scope.unknown) if truth is None else set()
        if truth is True and self.scope.guessed and versions is True:
            # More than one GPU is meant, but not stated.
            return self._fired(
                rule, item, needs=needs_of(self.scope.guessed, self.target), undecided=True
            )
        if versions is None:
            unknown.update(self.target.open_packages(rule.applies))
        if not unknown:
            return self._fired(rule, item)
        if rule.of_stated or any(fact.startswith(("model.", "derived ")) for fact in unknown):
            return None  # no option tells these, so there is nothing to say
        if rule.conditional:
            spared = self._spares_newest(rule, test, item)
            found = self._fired(rule, item, needs=needs_of(unknown, self.target), undecided=True)
            if spared or is_of_builds_that_none_states(rule, self.target):
                return self._of_other_releases(rule, found)
            return found
        if unknown == {self.target.releases.package} and self.target.release_before_has(
            rule.applies
        ):
            # Somewhere between two releases the fix came, and the build may be older than it.
            return self._fired(rule, item, needs=needs_of(unknown, self.target), undecided=True)
        for fact in unknown:
            if not fact.startswith("env."):
                name = fact.partition(".")[0] if fact.startswith("gpu") else fact
                self.open_rules.setdefault(name, []).append(rule.code)
        return None

    def _of_other_releases(self, rule: Rule, found: Diagnostic) -> Diagnostic:
        if any(spec.commits for spec in rule.applies.values()):
            # Builds of some weeks between two releases: nothing here suggests one of them.
            found = found.replaced(confidence="low")
        return found.replaced(severity="note", other_releases=True)

    def _spares_newest(self, rule: Rule, test: Test, item: Path) -> bool:
        """Whether no release is stated, and the newest known one is not affected."""
        if not self.target.is_newest_by_default:
            return False
        if self.target.applies(rule.applies, assume=True) is False:
            return True
        self.scope.use(rule.view, item=item)
        spared = test(self.scope) is False
        self.scope.use(rule.view, item=item, assume=False)
        return spared

    def _fired(
        self, rule: Rule, item: Path, *, needs: tuple[str, ...] = (), undecided: bool = False
    ) -> Diagnostic:
        from cfglint.engine import places

        words = self.framework.knowledge.words(rule.code)
        clause = self.framework.knowledge.clause(rule)
        place = self._place(rule, item)
        message = (words.if_undecided if undecided else "") or words.message
        misspelt = places.slip(clause, item, message, self.scope, self.context)
        place = misspelt or place
        span = (self.document.span(place) if place else None) or self._first_line()
        params = places.own_words(self.document, clause, self.scope, place, message)
        message = message.replace("{remedy}", self._remedy(rule))
        found = finding(
            rule,
            self._fill(message, params, item),
            self._fill(words.cost, params, item),
            place,
            span,
            related=self._related(rule, words.notes, item, place, span),
            # The repair of a slip is its right name.
            fixes=() if misspelt else self._fixes(rule, item, place, message, undecided),
        )
        if rule.harmless == UNLESS_STARTED and not (self.around.launches or self.around.is_started):
            found = found.replaced(severity="note", harmless=True)
        if self.scope.weak and not undecided:
            found = self._weakened(found)
        if not undecided:
            return found
        return found.replaced(
            severity=one_lower(rule.severity),
            own_severity=rule.severity,
            undecided=True,
            needs=needs,
        )

    def _weakened(self, found: Diagnostic) -> Diagnostic:
        """A finding that hangs on facts which may be of another run: it names their source."""
        facts = [self.target.facts[name] for name in sorted(self.scope.weak)]
        places = " and ".join(dict.fromkeys(fact.origin for fact in facts))
        message = f"{found.message} This follows from {places}, which does not name the file."
        severity = "warning" if found.severity == "error" else found.severity
        return found.replaced(message=message, severity=severity)

    def _related(
        self, rule: Rule, notes: tuple[str, ...], item: Path, place: Path, span: Span
    ) -> tuple[Related, ...]:
        """The other keys of the file that have part in a finding, each with its note."""
        related: list[Related] = []
        for path, note in zip(rule.related, notes, strict=True):
            found = self._written(path, item)
            if found is None or found == place or not self._has_part(rule, path):
                continue
            other = self.document.span(found)
            if other is not None and other != span:
                one = Related(other, self._fill(note, {}, item))
                # A key of an older name may be the same place once more.
                if one not in related:
                    related.append(one)
        return tuple(related)

    def diagnostic(self, rule: Rule, hit: Hit) -> Diagnostic:
        """The diagnostic of a check's hit."""
        words = self.framework.knowledge.words(rule.code)
        found = finding_of(hit, rule, words, lambda text: self._fill(text, hit.params, ()))
        if not hit.repairs:
            return found
        return found.replaced(fixes=hit.fixes + self._planned(hit.repairs, hit.path))

    def _fixes(
        self, rule: Rule, item: Path, place: Path, message: str, undecided: bool
    ) -> tuple[Fix, ...]:
        if not rule.fixes and "{did you mean}" not in message:
            return ()
        from cfglint.engine.repairs import repairs_of

        repairs = repairs_of(rule, item, place, message, self.context, self.scope)
        if undecided:
            # Whether there is anything to repair is not known yet.
            repairs = [repair.replaced(safety="unsafe", leads_to=()) for repair in repairs]
        return self._planned(repairs, place)

    def _planned(self, repairs: Sequence[Repair], place: Path) -> tuple[Fix, ...]:
        """The repairs on the text, without those that write a key that is not read."""
        if not repairs:
            return ()
        from cfglint.engine.unread_targets import unread_key

        return tuple(
            self._plan(repair, place)
            for repair in repairs
            if unread_key(repair.actions, self.context) is None
        )

    def _plan(self, repair: Repair, place: Path) -> Fix:
        if not self.case.plans:
            return Fix(repair.title, "safe" if repair.safety == "safe" else "unsafe", (), ())
        from cfglint.engine.launches.word_repairs import plan

        if self.home_of is None:
            planned = plan(self.document, repair.actions, after=place or None)
        else:
            from cfglint.fixes.actions import below

            document, at = self.home_of(repair.actions, place)
            actions = tuple(below(action, at) for action in repair.actions)
            planned = plan(document, actions, after=(*at, *place))
        return Fix(
            repair.title,
            "safe" if repair.safety == "safe" else "unsafe",
            planned.edits,
            planned.paths,
            refused=planned.refused,
            leads_to=repair.leads_to,
            look_at=repair.look_at,
        )

    def _place(self, rule: Rule, item: Path) -> Path:
        """The first key of the rule's that is written and has part in what is wrong."""
        written = [
            (path, found)
            for path in rule.at
            if (found := self._part(rule, path) or self._written(path, item)) is not None
        ]
        if len(written) > 1:
            for path, found in written:
                if self._has_part(rule, path):
                    return found
        return written[0][1] if written else item

    def _part(self, rule: Rule, path: tuple[str, ...]) -> Path | None:
        """The first item of a list (or key of a mapping) that is wrong, for `at: plugins[]`."""
        if path[-1] != "[]":
            return None
        held = self._written(path[:-1], ())
        node = self.document.node(held) if held is not None else None
        if held is None or node is None:
            return None
        from cfglint.engine import places

        clause = self.framework.knowledge.clause(rule)
        parts = places.guilty_parts(clause, path[:-1], to_python(node), self.scope)
        return (*held, parts[0]) if parts else None

    def _remedy(self, rule: Rule) -> str:
        """What to do about it in this file, with this release; the last one if nothing decides."""
        remedies = (
            words for when, words in rule.remedies if when is None or bind(when)(self.scope) is True
        )
        return next(remedies, rule.remedies[-1][1] if rule.remedies else "")

    def _has_part(self, rule: Rule, path: tuple[str, ...]) -> bool:
        from cfglint.engine import places

        clause = self.framework.knowledge.clause(rule)
        return places.has_part(clause, path, self.scope)

    def _written(self, path: tuple[str, ...], item: Path) -> Path | None:
        if path[0] == "item":
            return self.scope.view.written_path((*item, *path[1:]))
        if "[]" in path:
            written = (one for one in self.scope.view.expand(path) if self.document.node(one))
            return next(written, None)
        return self.scope.view.written_path(path)

    def _first_line(self) -> Span:
        entries = self.document.root.entries
        return entries[0].key.span if entries else Span(0, 0)

    def _fill(self, text: str, params: dict[str, Any], item: Path) -> str:
        if "{" not in text:
            return self._of_this(text.rstrip())

        def value_of(match: re.Match[str]) -> str:
            name = match.group(1)
            if name in params:
                return str(params[name])
            if name == "framework":
                return self.framework.title
            known = self.scope.placeholder(name, item)
            if known is not None and name.startswith("derived "):
                return known  # a part of the sentence, which may be empty
            return known or _stand_in(name, text[: match.start()])

        return self._of_this(PLACEHOLDER.sub(value_of, text).rstrip())

    def _of_this(self, text: str) -> str:
        """A text of a rule for files, which may be about a call or a command."""
        return text.replace(
            "refuses the file", f"refuses {self.framework.key_policy.refused_whole}"
        )

    def _crash(self, rule: Rule, error: Exception) -> Diagnostic:
        crash = self.framework.knowledge.named("rule-failed")
        params = {"rule": rule.code, "error": f"{type(error).__name__}: {error}"[:200]}
        return self.diagnostic(crash, Hit((), self._first_line(), params))


def _stand_in(name: str, before: str) -> str:
    """What a text has in the place of a value that is not known: in a command, a word for what to write there.

    Args:
        before: the text up to there.
    """
    *_, code = before.split("`")
    is_command = before.count("`") % 2 == 1 and "--" in code
    return name.rpartition(".")[2].upper() if is_command else "not set"


def _doubted(found: Diagnostic, doubt: str) -> Diagnostic:
    """A warning of an assumed release as a note that says so."""
    if found.severity != "warning" or found.undecided:
        return found
    return as_note(found, doubt)
