"""The compiled knowledge, loaded part by part as a run needs it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from cfglint.base.packing import unpack
from cfglint.base.record import Record, Remembered
from cfglint.base.type_names import TYPE_CHECKING, Any
from cfglint.knowledge import compiled
from cfglint.knowledge.rules.derivations import Derivation, read_derivation
from cfglint.knowledge.rules.evaluate import Test, bind
from cfglint.knowledge.rules.index.candidates import Coerce, Lookup, numbers
from cfglint.knowledge.rules.rule import Details, Rule, Words

if TYPE_CHECKING:
    from cfglint.knowledge.rules.clauses import Clause


class ProjectRules(Record):
    """The compiled rules of a project, in addition to those that come with cfglint."""

    rules: tuple[Rule, ...]
    words: dict[str, Words]
    details: dict[str, Details]
    #: Codes of rules that come with cfglint and that these take the place of.
    codes_replaced: frozenset[str] = frozenset()


class Knowledge:
    """What is known about one framework."""

    def __init__(self, framework: str, project_rules: ProjectRules | None = None) -> None:
        self.framework = framework
        self._project = project_rules or ProjectRules((), {}, {})
        self._project_rules = list(self._project.rules)
        self._module = compiled.load(f"{framework}_rules")
        self._rules: dict[int, Rule] = {}
        self._known_models: Remembered[str, dict[str, Any] | None] = Remembered()
        self._derivations: dict[int, Derivation] = {}
        self._tests: dict[str, Test] = {}
        self._clauses: dict[str, Clause] = {}

    def lookup(self, coerce: Coerce) -> Lookup:
        """Finds what may matter in a file: the numbers of rules, and above them of rewrites."""
        return Lookup(coerce, **self._module.LOOKUP)

    @cached_property
    def every_rule(self) -> int:
        """A bit for each rule that comes with cfglint and is not replaced."""
        every = (1 << len(self._module.RULES)) - 1
        if self.replaced:
            for number in range(len(self._module.RULES)):
                every ^= (self.rule(number).code in self.replaced) << number
        return every

    def rules_of_checks(self, names: Iterable[str]) -> int:
        """A bit for each rule of the named checks in code."""
        checks = self._module.CHECKS
        found = 0
        for name in names:
            found |= checks.get(name, 0)
        return found

    @property
    def check_names(self) -> Iterable[str]:
        """The checks in code that its rules have."""
        found: Iterable[str] = compiled.load(f"{self.framework}_rules").CHECKS
        return found

    def rules_of_family(self, prefix: str) -> int:
        """A bit for each rule whose code begins with a prefix, such as `LLF`."""
        families: dict[str, int] = self._module.FAMILIES
        return families.get(prefix, 0)

    @property
    def edges(self) -> dict[str, int]:
        """Framework of a second file -> a bit for each rule that also reads such a file."""
        found: dict[str, int] = compiled.load(f"{self.framework}_rules").EDGES
        return found

    @property
    def renamed(self) -> dict[str, str]:
        """Codes that rules had -> those that they have now."""
        found: dict[str, str] = compiled.load(f"{self.framework}_rules").RENAMED
        return found

    def rules_on_edge(self, other: str) -> list[Rule]:
        """The rules that also read a file of another framework."""
        return [self.rule(number) for number in numbers(self.edges.get(other, 0))]

    @property
    def project_rules(self) -> list[Rule]:
        """A project's own rules; they are tried on every file."""
        return self._project_rules

    def all_rules(self) -> list[Rule]:
        """Every rule that a check may try on files of this framework."""
        own = [self.rule(number) for number in range(len(self._module.RULES))]
        if self.replaced:
            own = [rule for rule in own if rule.code not in self.replaced]
        return own + self._project_rules

    @property
    def replaced(self) -> frozenset[str]:
        """The codes of the rules that others take the place of."""
        return self._project.codes_replaced

    def named(self, name: str) -> Rule:
        """The rule with a name, of cfglint or in place of one of its rules.

        Raises:
            KeyError: there is none.
        """
        for rule in self._project_rules:
            if rule.name == name:
                return rule
        return self.rule(self._labels[name][0])

    def labels(self) -> Iterator[tuple[str, str]]:
        """Code and name of every rule that a check may try, without unpacking the rules."""
        for name, (_, code) in self._labels.items():
            if code not in self.replaced:
                yield code, name
        for rule in self._project_rules:
            yield rule.code, rule.name

    @cached_property
    def _labels(self) -> dict[str, tuple[int, str]]:
        """Name -> number and code of every rule that comes with cfglint."""
        labels: dict[str, tuple[int, str]] = unpack(self._module.LABELS)
        return labels

    @cached_property
    def migration_rules(self) -> list[Rule]:
        """The rules that are nothing but steps of migrations; a check does not try them."""
        return [Rule.from_row(unpack(row)) for row in self._migrations.RULES]

    @cached_property
    def migration_codes(self) -> frozenset[str]:
        """The codes of the rules whose fixes are steps of migrations, whatever the target is."""
        every = (*self.all_rules(), *self.migration_rules)
        return frozenset(rule.code for rule in every if rule.migration)

    @cached_property
    def codes_of_releases(self) -> frozenset[str]:
        """The codes of the rules that hold for some releases only."""
        return frozenset(rule.code for rule in self.all_rules() if rule.applies)

    @property
    def older_names(self) -> dict[str, tuple[str, str, dict[Any, Any] | None, tuple[str, ...]]]:
        """Key path -> since when it has another name, that name, new values, classes that have it."""
        found: dict[str, tuple[str, str, dict[Any, Any] | None, tuple[str, ...]]] = compiled.load(
            f"{self.framework}_migrations"
        ).OLDER_NAMES
        return found

    @cached_property
    def _migrations(self) -> Any:
        return compiled.load(f"{self.framework}_migrations")

    def rule(self, number: int) -> Rule:
        """The rule with a number."""
        rule = self._rules.get(number)
        if rule is None:
            rule = self._rules[number] = Rule.from_row(unpack(self._module.RULES[number]))
        return rule

    @property
    def has_project_rules(self) -> bool:
        """Whether a project's own rules are among them."""
        return bool(self._project_rules)

    def test(self, rule: Rule) -> Test:
        """What tests a rule's condition."""
        test = self._tests.get(rule.code)
        if test is None:
            assert rule.when is not None
            test = self._tests[rule.code] = bind(rule.when)
        return test

    def clause(self, rule: Rule) -> Clause:
        """A rule's condition, part by part: what a finding of it is about."""
        clause = self._clauses.get(rule.code)
        if clause is None:
            from cfglint.knowledge.rules.clauses import Clause

            assert rule.when is not None
            clause = self._clauses[rule.code] = Clause(rule.when)
        return clause

    def words(self, code: str) -> Words:
        """The texts that are shown when a rule fires."""
        return self._project.words.get(code) or _words(code, self.framework)

    def details(self, code: str) -> Details:
        """Texts that only `explain` shows."""
        return self._project.details.get(code) or _details(code, self.framework)

    def meaning(self, key: str) -> str:
        """What a key does, in a sentence; empty when there is no description."""
        texts: dict[str, str] = compiled.load(f"{self.framework}_meanings").MEANINGS
        return texts.get(key, "")

    def derivations_for(self, found: int) -> list[Derivation]:
        """The rewrites for the view of rules that may matter in a file, as `lookup` found them."""
        known = self._derivations
        out = []
        for number in numbers(found >> len(self._module.RULES)):
            derivation = known.get(number)
            if derivation is None:
                derivation = known[number] = read_derivation(self._module.DERIVATIONS[number])
            out.append(derivation)
        return out

    @cached_property
    def effective_derivations(self) -> list[Derivation]:
        """All of the framework's own rewrites, in its order."""
        rows = compiled.load(f"{self.framework}_effective").DERIVATIONS
        return [read_derivation(row) for row in rows]

    @cached_property
    def aliases(self) -> dict[str, tuple[Any, ...]]:
        """Keys of other frameworks -> (from, to, value, values, advice)."""
        found: dict[str, tuple[Any, ...]] = compiled.load(f"{self.framework}_aliases").ALIASES
        return found

    @cached_property
    def history(self) -> Any:
        """The module with COMMITS (oldest first) and the images of releases."""
        return compiled.load(f"{self.framework}_history")

    @cached_property
    def _models(self) -> tuple[tuple[tuple[str, ...], str, bytes], ...]:
        found: tuple[tuple[tuple[str, ...], str, bytes], ...] = compiled.load("models").MODELS
        return found

    def model(self, name: str) -> dict[str, Any] | None:
        """What is known about a model by its name (without the owner); None when it is not known."""
        if name not in self._known_models:
            return self._known_models.keep(name, self._find_model(name))
        return self._known_models[name]

    def models_of_type(self, model_type: str) -> list[dict[str, Any]]:
        """What is known about all models whose `config.json` has this `model_type`."""
        rows: list[dict[str, Any]] = [unpack(known) for _, _, known in self._models]
        return [known for known in rows if known.get("model_type") == model_type]

    def _find_model(self, name: str) -> dict[str, Any] | None:
        lowered = name.lower()
        for starts, pattern, known in self._models:
            if lowered.startswith(starts) and (
                not pattern or re.search(pattern, lowered, re.IGNORECASE)
            ):
                row: dict[str, Any] = unpack(known)
                return row
        return None


@lru_cache(maxsize=8)
def load_knowledge(framework: str) -> Knowledge:
    """The knowledge about a framework."""
    return Knowledge(framework)


@lru_cache(maxsize=2048)
def _words(code: str, framework: str) -> Words:
    return Words(*unpack(compiled.load(f"{framework}_words").WORDS[code]))


@lru_cache(maxsize=2048)
def _details(code: str, framework: str) -> Details:
    module = compiled.load("details")
    return Details(*unpack(module.OTHERWISE.get(framework, {}).get(code) or module.DETAILS[code]))


def evidence(code: str, framework: str) -> str:
    """The address of the evidence for a rule of cfglint; empty if there is none.

    Of a shared rule, that about the framework itself comes first, and that about another one last.
    """
    try:
        references = _details(code, framework).references
    except KeyError:  # a project's own rule
        return ""
    addresses = [url for _, _, url in references]
    return min(addresses, key=lambda url: _distance(url, framework), default="")


def packages_of(code: str, framework: str) -> tuple[str, ...]:
    """The packages whose releases a rule of cfglint is about; empty if it is about every release."""
    try:
        applies = _details(code, framework).applies
    except KeyError:  # a project's own rule
        return ()
    return tuple(package for package, _ in applies)


def _distance(url: str, framework: str) -> int:
    """How far from a framework is what an address is about: itself, a library or no project, or another framework."""
    from cfglint.knowledge.marks import all_marks

    repository = f"{url.lower()}/".partition("github.com/")[2].split("/")[1:2]
    for marks in all_marks() if repository else ():
        if repository[0] == (marks.repository or marks.package).lower():
            is_own = framework in (marks.framework, f"{marks.framework}_programs")
            return 0 if is_own else 2 if marks.starter is not None else 1
    return 1
