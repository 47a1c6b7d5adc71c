"""From a log and the configs of its run to the causes of its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain, islice

from cfglint.answers.logs.causes import ProbableCause, Symptoms, home_of, ordered
from cfglint.answers.logs.failures import Failure, failures
from cfglint.answers.logs.found import (
    ConfigFinding,
    RunConfigs,
    findings,
    named_in,
    places_of,
)
from cfglint.answers.logs.launched import FirstFailed, LaunchTables
from cfglint.answers.logs.left import releases_left, spec_of
from cfglint.answers.logs.lines import lines
from cfglint.answers.logs.parts import parts
from cfglint.answers.logs.refused import RefusedKey, refused_keys
from cfglint.answers.logs.shown import ShownFrameworks, frames_of, shown_in
from cfglint.answers.logs.stated import MAX_LINES, LogFacts, stated
from cfglint.base.record import FrozenDict, Record
from cfglint.base.type_names import IO
from cfglint.engine.file_report import FileReport
from cfglint.roles.framework import load_framework

#: Causes that are worth reading.
_MAX_CAUSES = 5
#: The rules about keys that a release does not have.
_KEY_RULES = "KEY"


class Mention(Record):
    """A place of a config that has the name of an argument."""

    path: str
    #: From 1.
    line: int
    #: Whether the file is checked.
    checked: bool


class RunDiagnosis(Record):
    """What is known about the end of a run."""

    failures: tuple[Failure, ...]
    #: The most probable first.
    causes: tuple[ProbableCause, ...]
    #: Code -> where the config has the problem.
    places: dict[str, ConfigFinding]
    #: An argument that was not known -> where the config has it.
    keys: dict[str, ConfigFinding]
    #: Such an argument that nothing is found about -> where a config mentions it.
    mentions: dict[str, Mention]
    #: Errors of the config that no failure of the log is a symptom of, or names.
    other_errors: tuple[ConfigFinding, ...]
    #: Failures that nothing else is known about, each with the errors of the config whose key or value they name.
    named: dict[Failure, tuple[ConfigFinding, ...]]
    #: Whether a config was checked.
    has_config: bool
    stated: LogFacts
    #: Package -> its version in the run, as options, the log, or the project of the configs state it.
    versions: Mapping[str, str] = FrozenDict()
    #: Package -> the releases that it may be, where the log rules out others.
    left: Mapping[str, tuple[str, ...]] = FrozenDict()
    #: An argument that was not known -> the frameworks that may have refused it.
    readers: Mapping[RefusedKey, tuple[str, ...]] = FrozenDict()
    #: The process that torchrun saw fail first.
    first_failed: FirstFailed | None = None
    #: The Python that the launcher has started the processes with; empty where the log does not name it.
    python: str = ""

    @property
    def accounted(self) -> frozenset[Failure]:
        """The failures with a cause, or with an error of the config that they name."""
        return frozenset((*(cause.failure for cause in self.causes), *self.named))


def diagnose(
    stream: IO[bytes],
    check: Callable[[LogFacts], RunConfigs],
    given: Mapping[str, str | None] = FrozenDict(),
) -> RunDiagnosis:
    """What a log says about the end of its run.

    Args:
        check: the configs of the run, checked with what the log states; with findings of low confidence, which
            count only where the log names their key.
        given: the packages whose versions are given, with them where they are releases.
    """
    read = (line for line in lines(parts(stream)) if line.text)
    head = list(islice(read, MAX_LINES))
    known = stated(head)
    tables = LaunchTables()
    met = failures(tables.passing(chain(head, read)))
    refused = {key: shown_in(failure) for failure in met for key in refused_keys(failure)}
    left = releases_left(chain(head, frames_of(met)), refused.items(), {*known.versions, *given})
    known = known.replaced(
        ranges=FrozenDict({package: spec_of(package, own) for package, own in left.items()})
    )
    configs = check(known)
    every = findings(configs.reports)
    found = [one for one in every if one.diagnostic.confidence != "low"]
    places = places_of(found, met, configs.reports)
    frameworks = {one.framework for one in configs.reports if one.framework is not None}
    shown = ShownFrameworks(head, met, {*known.versions, *given}, frameworks)
    versions = _versions(known, given, configs.reports)
    possible = Symptoms().causes(met, shown.__contains__, versions)
    keys = _keys(possible, every)
    causes = ordered(_decided(possible, places, keys, bool(found)), places.__contains__)
    causes = causes[:_MAX_CAUSES]
    errors = _unnamed_errors(found, causes, places, keys.values())
    names = {cause.key.name for cause in causes if cause.key is not None} - keys.keys()
    of_failures = _named(met, causes, errors, configs.reports)
    of_failures |= _of_same_keys(causes, errors, configs.reports)
    shown_with = [one for rows in of_failures.values() for one in rows]
    return RunDiagnosis(
        failures=tuple(met),
        causes=_left(causes, of_failures, keys, places),
        places=places,
        keys=keys,
        mentions={name: place for name in names if (place := _mention(name, configs))},
        other_errors=tuple(one for one in errors if one not in shown_with),
        named=of_failures,
        has_config=bool(configs.reports or configs.unchecked),
        stated=known,
        versions=FrozenDict(versions),
        left=FrozenDict(left),
        readers=FrozenDict({key: own or tuple(sorted(frameworks)) for key, own in refused.items()}),
        first_failed=tables.first,
        python=tables.python,
    )


def _left(
    causes: list[ProbableCause],
    of_failures: Collection[Failure],
    keys: Collection[str],
    places: Collection[str],
) -> tuple[ProbableCause, ...]:
    """The causes without those that are known better: what the log names in the config says more.

    Args:
        of_failures: the failures with errors of the config.
        keys: the arguments that the config has.
        places: the rules that find their problem in the config.
    """
    located = {cause.failure for cause in causes if cause.key and cause.key.name in keys}
    found = {cause.failure for cause in causes if any(code in places for code in cause.codes)}
    return tuple(
        one
        for one in causes
        if one.failure not in of_failures
        and (one.end is None or one.failure not in located)
        and (one.lacked is None or one.lacked.by or one.failure not in found)
    )


def _versions(
    known: LogFacts, given: Mapping[str, str | None], reports: Sequence[FileReport]
) -> dict[str, str]:
    """Package -> its version in the run: as it is given, or as the log states it, or the project of the configs."""
    found = {
        package: pin.version
        for report in reports
        for package, pin in report.target.pins.items()
        if pin.version is not None and not (pin.weak or pin.implied or pin.inferred)
    }
    found |= {package: version for package, (version, _) in known.versions.items()}
    for package, version in given.items():
        found.pop(package, None)
        if version is not None:
            found[package] = version
    return found


def _unnamed_errors(
    found: list[ConfigFinding],
    causes: list[ProbableCause],
    places: Mapping[str, ConfigFinding],
    of_keys: Collection[ConfigFinding],
) -> list[ConfigFinding]:
    """The errors of the config that are not shown with a cause."""
    named = {code for cause in causes if cause.key is None for code in cause.codes}
    shown = [place for code, place in places.items() if code in named]
    return [
        one
        for one in found
        if one.diagnostic.severity == "error" and one not in shown and one not in of_keys
    ]


def _named(
    met: list[Failure],
    causes: list[ProbableCause],
    errors: list[ConfigFinding],
    reports: Sequence[FileReport],
) -> dict[Failure, tuple[ConfigFinding, ...]]:
    """The unexplained failures whose text names errors, with these."""
    explained = {cause.failure for cause in causes if cause.end is None}
    unexplained = [one for one in met if one not in explained and not one.is_consequence]
    found = {failure: tuple(named_in(failure, errors, reports)) for failure in unexplained}
    return {failure: rows for failure, rows in found.items() if rows}


def _of_same_keys(
    causes: list[ProbableCause], errors: list[ConfigFinding], reports: Sequence[FileReport]
) -> dict[Failure, tuple[ConfigFinding, ...]]:
    """The failures whose rules are those of a framework that the config's own one is built on.

    Where the config has an error about the same key, that is the cause, in the words of its own framework.
    """
    own = {report.framework for report in reports}
    found = {}
    for cause in causes:
        if (
            not cause.codes
            or cause.key is not None
            or not own.isdisjoint({*cause.frameworks, "any"})
        ):
            continue
        names = {
            name for code, framework in cause.rules.items() for name in _keys_of(code, framework)
        }
        rows = [one for one in errors if one.diagnostic.path and one.diagnostic.path[-1] in names]
        if rows:
            found[cause.failure] = tuple(rows)
    return found


def _keys_of(code: str, framework: str) -> set[str]:
    """The names of the keys that a rule reports at."""
    rules = load_framework(home_of(framework)).knowledge.all_rules()
    return {path[-1] for rule in rules if rule.code == code for path in rule.at}


def _mention(name: str, configs: RunConfigs) -> Mention | None:
    """Where one of the files has a name as a word of its own."""
    pattern = re.compile(rf"(?<![\w.]){re.escape(name).replace('_', '[_-]')}(?!\w)")
    texts = [(report.path, report.source, True) for report in configs.reports]
    texts += [(path, source, False) for path, source in configs.unchecked.items()]
    for path, source, checked in texts:
        match = pattern.search(source.text)
        if match is not None:
            return Mention(path, source.position(match.start()).line, checked)
    return None


def _keys(causes: list[ProbableCause], found: list[ConfigFinding]) -> dict[str, ConfigFinding]:
    """The findings about the arguments that were not known: those of the keys themselves, if any."""
    keys: dict[str, ConfigFinding] = {}
    about = sorted(found, key=lambda one: not one.diagnostic.code.startswith(_KEY_RULES))
    for cause in causes:
        if cause.key is None:
            continue
        name = cause.key.name
        same = (one for one in about if one.diagnostic.path and _is(one.diagnostic.path[-1], name))
        place = next(same, None)
        if place is not None:
            keys.setdefault(name, place)
    return keys


def _is(label: str | int, name: str) -> bool:
    """Whether a label of a path is a key, however its parts are joined."""
    return isinstance(label, str) and label.replace("-", "_") == name


def _decided(
    causes: list[ProbableCause],
    places: dict[str, ConfigFinding],
    keys: dict[str, ConfigFinding],
    has_config: bool,
) -> list[ProbableCause]:
    """Each cause with the rules that the config has the problem of, if it has that of any."""
    out = []
    for cause in causes:
        place = keys.get(cause.key.name) if cause.key is not None else None
        if place is not None:
            cause = cause.replaced(codes=(place.diagnostic.code,), frameworks=("any",))
            out.append(cause)
            continue
        rows = [row for row in zip(cause.codes, cause.frameworks, strict=True) if row[0] in places]
        if rows and has_config:
            codes, frameworks = zip(*rows, strict=True)
            cause = cause.replaced(codes=codes, frameworks=frameworks)
        out.append(cause)
    return out
