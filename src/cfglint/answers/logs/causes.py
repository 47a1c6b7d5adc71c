"""What failures are symptoms of: rules whose texts a log contains, and ends that no config decides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from cfglint.answers.logs.failures import Failure
from cfglint.answers.logs.guesses import is_open, is_ruled_out
from cfglint.answers.logs.lacked import LackedName, lacked_name
from cfglint.answers.logs.matching import all_of, matched_in, matched_text, plain, shared_with
from cfglint.answers.logs.refused import RefusedKey, refused_keys
from cfglint.base.record import FrozenDict, Record
from cfglint.knowledge import compiled
from cfglint.knowledge.releases.table import releases_of
from cfglint.roles.framework import load_framework

#: What Python and PyTorch say of any program: a rule that has such a text needs more that speaks for its framework.
_OF_ANY_PROGRAM = re.compile(
    r"TypeError: (?:'\w+' object is not|None is not a callable|list indices must|iteration over a 0-d|unsupported operand"
    r"|'[<>=]+' not supported|expected str, bytes|can only concatenate)|UnboundLocalError: "
    r"|KeyError: '(?:chosen|content|file_name|input_ids|instruction|labels|logprobs|messages|prompt|role|text|tool)'$"
    r"|RuntimeError: (?:The size of tensor a|Error\(s\) in loading state_dict)"
    r"|ValueError: (?:not enough|too many) values to unpack|IndexError: \w+ index out of range"
)


class End(Record):
    """A way in which runs end, whatever the config says."""

    name: str
    title: str
    remedy: str
    #: The remedy where `cfglint fit`, which the other one names, cannot count the run.
    uncounted: str
    why: str
    #: (kind, title, address)
    references: tuple[tuple[str, str, str], ...]
    #: Whether its texts say little, as that something else has failed: it is named where nothing else has a cause.
    vague: bool
    symptoms: tuple[tuple[str, ...], ...]


class ProbableCause(Record):
    """A possible cause of a failure."""

    failure: Failure
    #: The codes of the rules with this symptom, the most specific ones; none for an end.
    codes: tuple[str, ...]
    #: The frameworks of these rules, in the same order.
    frameworks: tuple[str, ...]
    end: End | None
    #: How much of the failure's text the symptom has, in characters.
    matched: int
    #: The argument that the failure says is not known; None for what has a symptom.
    key: RefusedKey | None = None
    #: An end whose symptom is as long as that of the rules of the same failure: it is certain, and they are guesses.
    leads: bool = False
    #: The name that an import did not find, where the releases with it are known.
    lacked: LackedName | None = None
    #: Rules that only are the cause in a run of their framework, or of certain releases, which nothing tells.
    is_guess: bool = False

    @property
    def rules(self) -> dict[str, str]:
        """Code -> framework; of a rule that several share the first."""
        found: dict[str, str] = {}
        for code, framework in zip(self.codes, self.frameworks, strict=True):
            found.setdefault(code, framework)
        return found


class Symptoms:
    """The symptoms that are known."""

    @cached_property
    def _rules(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        found: tuple[tuple[str, str, tuple[str, ...]], ...] = compiled.load("symptoms").RULES
        return found

    @cached_property
    def _borrowed(self) -> frozenset[tuple[str, str]]:
        """(framework, code) of the rules whose texts are those of something below that fails later."""
        return frozenset(compiled.load("symptoms").BORROWED)

    @cached_property
    def _ends(self) -> tuple[End, ...]:
        return tuple(End(*row) for row in compiled.load("symptoms").ENDS)

    @cached_property
    def _certain(self) -> tuple[End, ...]:
        return tuple(end for end in self._ends if not end.vague)

    @cached_property
    def _vague(self) -> tuple[End, ...]:
        return tuple(end for end in self._ends if end.vague)

    @cached_property
    def _general(self) -> frozenset[tuple[str, str, int]]:
        """(framework, code, length) of the symptoms of rules that say no more than one of a vague end."""
        texts = [one[0] for end in self._vague for one in end.symptoms if len(one) == 1]
        return frozenset(
            (framework, code, sum(map(len, pieces)))
            for framework, code, pieces in self._rules
            if any(matched_text(text, pieces) for text in texts)
        )

    def _is_general(self, rule: ProbableCause) -> bool:
        """Whether rules only have a text that comes from any program."""
        pairs = zip(rule.frameworks, rule.codes, strict=True)
        return all((*pair, rule.matched) in self._general for pair in pairs)

    def causes(
        self,
        failures: Iterable[Failure],
        is_shown: Callable[[str], bool] = lambda _: True,
        versions: Mapping[str, str] = FrozenDict(),
    ) -> list[ProbableCause]:
        """The possible causes of failures, in the order of the failures, arguments and rules before ends.

        A failure that only passes on another one has none. Where nothing of the log has one, what its first text
        with a vague end suggests is all that there is to say, mostly where to look.

        Args:
            is_shown: whether something shows that the run is one of a framework. A text that an end has, too, is of
                a library below: a rule of a framework that nothing shows is no cause of it.
            versions: of the packages that ran, as far as they are known: a rule about others is no cause.
        """
        found = []
        met = list(failures)
        for failure in met:
            if failure.is_consequence:
                continue
            keys = refused_keys(failure)
            found += [ProbableCause(failure, (), (), None, 0, key) for key in keys]
            lacked = lacked_name(failure)
            if lacked is not None:
                found.append(ProbableCause(failure, (), (), None, 0, lacked=lacked))
            rule = self._of_rules(failure, is_shown, versions)
            if rule is not None and _OF_ANY_PROGRAM.match(failure.text):
                rule = _only(rule, is_shown)
            end, longest = self._of_ends(failure, self._certain)
            if end is None and rule is not None and self._is_general(rule):
                # Where its framework is shown, such a rule still is a guess.
                rule = _only(rule, is_shown)
                if rule is not None:
                    end, longest = self._of_ends(failure, self._vague)
            leads = rule is not None and (
                longest >= rule.matched or (rule.is_guess and end is not None)
            )
            if rule is not None and longest >= rule.matched:
                rule = _only(rule, is_shown)
            if rule is not None:
                found.append(rule)
            if end is not None:
                found.append(ProbableCause(failure, (), (), end, longest, leads=leads))
        return found or self._of_first(met)

    def with_words(self, words: str) -> list[tuple[str, str]]:
        """(code, framework) of the rules with a symptom that has, or is had by, these words of an error.

        The one that has most of them comes first. Of a symptom with gaps the words may be any part, unless they have
        all of an end's symptom, which is more of them.
        """
        wanted = plain(words)
        of_ends = (all_of(wanted, one) for end in self._ends for one in end.symptoms)
        whole = max(of_ends, default=0)
        found: dict[tuple[str, str], int] = {}
        for framework, code, pieces in self._rules:
            shared = shared_with(wanted, pieces)
            if shared and (shared >= whole or all_of(wanted, pieces)):
                key = (code, framework)
                found[key] = max(shared, found.get(key, 0))
        return sorted(found, key=lambda key: -found[key])

    def ends_with_words(self, words: str) -> list[End]:
        """The ends that no config decides with such a symptom, the one that has most of the words first."""
        wanted = plain(words)
        found = [(max(shared_with(wanted, one) for one in end.symptoms), end) for end in self._ends]
        ordered_ = sorted((pair for pair in found if pair[0]), key=lambda pair: -pair[0])
        return [end for _, end in ordered_]

    def _of_first(self, failures: Sequence[Failure]) -> list[ProbableCause]:
        """The vague end of the first failure that has one."""
        for failure in failures:
            end, longest = self._of_ends(failure, self._vague)
            if end is not None:
                return [ProbableCause(failure, (), (), end, longest)]
        return []

    def _of_ends(self, failure: Failure, among: Iterable[End]) -> tuple[End | None, int]:
        """The end with the symptom that has most of a failure's text, and how much of it."""
        best: End | None = None
        most = 0
        for end in among:
            longest = max((matched_in(failure, one) for one in end.symptoms), default=0)
            if longest > most:
                best, most = end, longest
        return best, most

    def _of_rules(
        self, failure: Failure, is_shown: Callable[[str], bool], versions: Mapping[str, str]
    ) -> ProbableCause | None:
        """The rules whose symptom has most of a failure's text, those of the frameworks that are shown first."""
        best = 0
        rows: list[tuple[int, str, str]] = []
        of_rule = Counter[tuple[str, str]]()
        #: Whether the releases are open, and whether nothing shows the framework.
        guesses: dict[tuple[str, str], tuple[bool, bool]] = {}
        for framework, code, pieces in self._rules:
            number = of_rule[framework, code]
            of_rule[framework, code] += 1
            matched = matched_in(failure, pieces)
            if matched and (framework, code) in self._borrowed:
                applies = _applies(code, framework)
                if is_ruled_out(applies, versions):
                    continue
                guesses[framework, code] = is_open(applies, versions), not is_shown(framework)
            if matched > best:
                best, rows = matched, []
            if matched and matched == best:
                rows.append((number, code, framework))
        rows = _of_versions(rows, versions)
        if not rows:
            return None
        own = frozenset(framework for _, _, framework in rows)
        shared = Counter(code for code, _ in {(code, framework) for _, code, framework in rows})

        def is_guess(code: str, framework: str) -> bool:
            # What several frameworks have is of a library below, whichever of them runs.
            open_, unseen = guesses.get((framework, code), (False, False))
            return open_ or (unseen and shared[code] == 1)

        # The first symptom of a rule is its own error; those after it may be of others as well.
        rows.sort(
            key=lambda row: (
                is_guess(row[1], row[2]),
                not is_shown(row[2]),
                _builds_on_others(row[2], own),
                row[0],
            )
        )
        pairs = dict.fromkeys((code, framework) for _, code, framework in rows)
        codes, frameworks = zip(*pairs, strict=True)
        guess = is_guess(codes[0], frameworks[0])
        return ProbableCause(failure, codes, frameworks, None, best, is_guess=guess)


def _of_versions(
    rows: list[tuple[int, str, str]], versions: Mapping[str, str]
) -> list[tuple[int, str, str]]:
    """The rules about the releases that ran, of rows that end with a code and a framework.

    All of them if none is: the message is also that of a release which the rules do not describe.
    """
    if not versions or len(rows) < 2:
        return rows
    kept = [row for row in rows if not is_ruled_out(_applies(*row[1:]), versions)]
    return kept or rows


def _applies(code: str, framework: str) -> tuple[tuple[str, str], ...]:
    """The packages of a rule, with the releases that it is about."""
    return load_framework(home_of(framework)).knowledge.details(code).applies


def home_of(framework: str) -> str:
    """A framework whose knowledge has a rule's texts."""
    from cfglint.knowledge.recognition import usual

    return (usual() or "") if framework == "any" else framework


def _builds_on_others(framework: str, others: frozenset[str]) -> bool:
    """Whether a framework is built on another one, whose error it may be as well."""
    packages = {
        name: row["packages"] for name, row in compiled.load("frameworks").FRAMEWORKS.items()
    }
    if framework not in packages:
        return False
    pins = releases_of(packages[framework][0]).pins.values()
    pinned = {package for release in pins for package in release}
    return any(not pinned.isdisjoint(packages.get(one, ())) for one in others - {framework})


def _only(cause: ProbableCause, is_shown: Callable[[str], bool]) -> ProbableCause | None:
    """A cause with the rules of the frameworks that are shown; None without any."""
    rows = [row for row in zip(cause.codes, cause.frameworks, strict=True) if is_shown(row[1])]
    if not rows:
        return None
    codes, frameworks = zip(*rows, strict=True)
    return cause.replaced(codes=codes, frameworks=frameworks)


def ordered(
    causes: list[ProbableCause], is_in_config: Callable[[str], bool]
) -> list[ProbableCause]:
    """The causes, the most probable first.

    A rule that finds its problem in the config comes first, then options that the program did not get, then the first
    failures of the log, of each what is certain before what may be; a rank that waited in vain is what another failure
    led to.

    Args:
        is_in_config: whether a rule, by its code, finds its problem in the config.
    """
    #: Those whose end comes before their rules.
    led = {cause.failure for cause in causes if cause.leads}
    return sorted(
        causes,
        key=lambda cause: (
            not any(map(is_in_config, cause.codes)),
            not cause.failure.is_cut,
            cause.failure.type == "" and (cause.end is not None or cause.failure in led),
            (cause.end is not None and not cause.leads) or cause.is_guess,
            cause.failure.line,
            cause.end is None and cause.key is None and cause.lacked is None,
        ),
    )
