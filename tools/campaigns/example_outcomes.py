"""What an example of a rule shows, for the search for lines that do not matter to it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from cfglint.base.logic import Condition, Truth
from cfglint.checks.context import Check
from cfglint.checks.registry import CHECKS, SOURCES
from cfglint.engine.authoring.selftest import (
    ExampleRun,
    example_failures,
    example_run,
    framework_name,
)
from cfglint.engine.checked_document import CheckedDocument
from cfglint.knowledge.compiling.loading import RuleFile
from cfglint.knowledge.compiling.model import Example, RuleModel
from cfglint.knowledge.rules.evaluate import bind
from cfglint.knowledge.rules.rule import Rule
from cfglint.roles.framework import Framework, frameworks, load_framework
from cfglint.source.problems import SourceError

PACKAGE = Path(__file__).parents[2] / "src" / "cfglint"
#: The modules that a check may read keys in, and the package that plans memory.
_IMPORTED = re.compile(r"cfglint\.((?:checks|frameworks)\.[\w.]+|memory\b)")
#: The parts of a rule that say which keys it is about.
_MENTIONING = frozenset(
    {"when", "at", "each", "related", "message", "remedy", "if_undecided", "fix"}
)


class Outcome(NamedTuple):
    """What an example shows about its rule."""

    problems: tuple[str, ...]
    findings: tuple[Any, ...]
    #: The truth of each test of the condition, for each item that the rule is tried on.
    tests: tuple[tuple[Truth, ...], ...]
    #: The codes of other findings.
    others: frozenset[str]

    def stays(self, after: Outcome | None) -> bool:
        """Whether another outcome is the same, but for findings that are gone."""
        return after is not None and after[:-1] == self[:-1] and after.others <= self.others


def outcome(file: RuleFile, example: Example) -> Outcome | None:
    """What a whole example shows; None when its text cannot be decoded."""
    rule = file.rule
    name = framework_name(rule, example)
    assert name is not None
    framework = load_framework(name)
    problems = tuple(example_failures(file, example, framework))
    try:
        with example_run(rule, example, framework) as run:
            found = run.result.diagnostics
            return Outcome(
                problems,
                _findings(rule, run),
                _truths(rule, run),
                frozenset(one.code for one in found if one.code != rule.code),
            )
    except SourceError:
        return None


def _findings(rule: RuleModel, run: ExampleRun) -> tuple[Any, ...]:
    found = []
    for one in run.result.diagnostics:
        if one.code != rule.code:
            continue
        source = one.file.source if one.file is not None else run.source
        line = source.line(source.position(one.span.start).line)
        fixes = tuple((fix.title, fix.safety, len(fix.edits)) for fix in one.fixes)
        related = tuple(part.note for part in one.related)
        found.append((line, one.severity, one.message, one.upstream, fixes, related))
    return tuple(found)


def _truths(rule: RuleModel, run: ExampleRun) -> tuple[tuple[Truth, ...], ...]:
    """The truth of each test of the rule's condition."""
    document = run.result.document
    if rule.when is None or rule.edge is not None or document is None:
        return ()
    checked = CheckedDocument(document, run.case)
    compiled = _compiled(checked.framework, rule.code)
    assert compiled.when is not None
    tests = [bind(part) for part in _parts(compiled.when)]
    scope = checked.scope
    items: list[Any] = [()]
    if compiled.each is not None:
        scope.use(compiled.view, assume=not compiled.conditional)
        items = list(scope.view.expand((*compiled.each, "[]")))
    truths: list[tuple[Truth, ...]] = [(checked.target.applies(compiled.applies, assume=False),)]
    for item in items:
        scope.use(compiled.view, item=item, assume=not compiled.conditional)
        truths.append(tuple(test(scope) for test in tests))
    return tuple(truths)


def _parts(condition: Condition) -> Iterator[Condition]:
    if condition[0] in ("all", "any"):
        for part in condition[1]:
            yield from _parts(part)
    elif condition[0] == "not":
        yield from _parts(condition[1])
    else:
        yield condition


@cache
def _compiled_rules(name: str) -> dict[str, Rule]:
    knowledge = load_framework(name).knowledge
    return {rule.code: rule for rule in (*knowledge.all_rules(), *knowledge.migration_rules)}


def _compiled(framework: Framework, code: str) -> Rule:
    return _compiled_rules(framework.name)[code]


# -------------------------------------------------------------------------------- mentions


_MENTIONS: dict[tuple[str, str, tuple[str, ...]], frozenset[str]] = {}


def mentioned(rule: RuleModel, keys: tuple[str, ...]) -> frozenset[str]:
    """Those of the keys that a rule mentions, or reads through a derived value or a check."""
    memory = (rule.code, rule.framework, keys)
    if memory not in _MENTIONS:
        text = rule.model_dump_json(include=set(_MENTIONING)) + _source_of_check(rule)
        read = {
            token.place.partition(".")[0]
            for name in ([rule.framework] if rule.framework != "any" else [])
            for derived, value in load_framework(name).readings.derived_values.items()
            if re.search(rf"derived {derived}\b", text)
            for token in value.needs
        }
        read |= {"plugins"} if '"plugin"' in text else set()
        _MENTIONS[memory] = frozenset(
            key for key in keys if key in read or re.search(rf"(?<!\w){re.escape(key)}(?!\w)", text)
        )
    return _MENTIONS[memory]


def _source_of_check(rule: RuleModel) -> str:
    """The modules that a check in code consists of; none for what the engine does itself."""
    if rule.check is None:
        return ""
    checks: list[Check] = []
    for name in frameworks() if rule.framework == "any" else (rule.framework,):
        source = load_framework(name).checks.get(rule.check) or SOURCES.get(rule.check)
        if source is not None:
            checks.append(source.load())
    checks += [CHECKS[rule.check]] if rule.check in CHECKS else []
    paths = {Path(inspect.getfile(inspect.unwrap(check))) for check in checks}
    read = set().union(*map(_with_imported, paths))
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(read))


@cache
def _with_imported(path: Path) -> frozenset[Path]:
    """A module of a check, and what it imports of checks and frameworks."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        one = waiting.pop()
        found.add(one)
        for name in _IMPORTED.findall(one.read_text(encoding="utf-8")):
            if name == "memory":  # how much memory a run takes, each framework's own module says
                waiting += {
                    *PACKAGE.glob("frameworks/*/fit/*.py"),
                    *PACKAGE.glob("runs/memory/*.py"),
                } - found
            module = PACKAGE / f"{name.replace('.', '/')}.py"
            waiting += [module] if module.is_file() and module not in found else []
    return frozenset(found)
