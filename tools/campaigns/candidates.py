"""Tries every rule and rewrite on every example: what is not looked up would have found nothing.

    python -m tools.campaigns.candidates [--sample N] [--seed 0]

A file is checked only by the rules that the index (`cfglint.knowledge.rules.index`) finds for it, and
rewritten only by the rewrites that it finds. Here all the others are tried, too, on each example of
the rules of every framework and for several environments. `--sample` draws that many pairs of an
example and an environment; the tests do that. Exit code 1 when something was missed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from cfglint.checks.context import CheckContext
from cfglint.engine.case import Case
from cfglint.engine.checked_document import CheckedDocument
from cfglint.engine.ready_rules import ReadyRules
from cfglint.engine.scope import FileScope
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.surroundings import nowhere
from cfglint.knowledge.rules.derivations import Derivation
from cfglint.knowledge.rules.example_marks import strip_markers
from cfglint.knowledge.rules.index.candidates import numbers
from cfglint.knowledge.rules.knowledge import Knowledge
from cfglint.knowledge.rules.views import Rewritten
from cfglint.roles.framework import Framework, framework_class, frameworks, load_framework
from cfglint.source.document import Document, Path
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText


class Trial(NamedTuple):
    """One example and what it is checked against."""

    #: The rule whose example it is.
    code: str
    framework: Framework
    environment: Environment
    document: Document


def trials() -> list[Trial]:
    """Each example of each rule, for each environment."""
    return [
        Trial(code, framework, environment, document)
        for framework in map(load_framework, frameworks())
        for code, document in documents(framework)
        for environment in environments(framework)
    ]


def documents(framework: Framework) -> Iterator[tuple[str, Document]]:
    """The examples of a framework's rules that can be read."""
    for rule in framework.knowledge.all_rules():
        for example in framework.knowledge.details(rule.code).examples:
            try:
                yield (
                    rule.code,
                    framework.language.read(
                        SourceText(strip_markers(example.get("bad") or example.get("good") or ""))
                    ),
                )
            except SourceError:
                continue


def environments(framework: Framework) -> list[Environment]:
    """The newest release without hardware, one in the middle, and an early one."""
    releases = framework.releases
    name, versions = releases.package, list(releases.versions)
    middle, early = versions[len(versions) * 2 // 3], versions[len(versions) // 3]
    return [
        build_environment(releases),
        build_environment(releases, pins=[f"{name}=={middle}"], gpus=2, gpu="h100"),
        build_environment(releases, pins=[f"{name}=={early}"], gpus=8),
    ]


def missed_rules(trial: Trial) -> list[str]:
    """The codes of rules that find something though they were not looked up."""
    run = CheckedDocument(trial.document, Case.of_text(trial.framework, trial.environment))
    framework = run.framework  # of the kind that the file is
    ready = ReadyRules.of(run.case)
    looked_up = {found.rule.code for found in ready.on(run.scope.found, run.context)}
    missed = []
    for number in numbers(framework.file_kind.rules(framework.knowledge, framework.checks)):
        rule = framework.knowledge.rule(number)
        # Rules on an edge are tried on two files together.
        if rule.when is None or rule.edge is not None or rule.code in looked_up:
            continue
        other = ready.trial(rule)
        if other is not None and run.safely(other):
            missed.append(rule.code)
    return missed


def missed_rewrites(trial: Trial) -> list[str]:
    """The keys whose late values change when all rewrites are tried."""
    usual = _late(trial, trial.framework)
    full = _late(trial, _with_all_rewrites(trial.framework.name))
    return [
        ".".join(map(str, path))
        for path in usual.keys() | full.keys()
        if _told(usual.get(path)) != _told(full.get(path))
    ]


def _late(trial: Trial, framework: Framework) -> Mapping[Path, Rewritten]:
    target = trial.environment
    if target.assumed:
        target = target.at_least(
            framework.keys.earliest_release(trial.document, framework.releases.versions)
        )
    context = CheckContext(trial.document, framework, target, nowhere())
    return FileScope(context)._view("late").rewritten


def _told(rewrite: Rewritten | None) -> str | None:
    # As text, so that NaN equals itself.
    return None if rewrite is None else str(rewrite.value)


class _AllRewrites(Knowledge):
    """Knowledge whose index finds all rewrites for every file."""

    def derivations_for(self, found: int) -> list[Derivation]:
        everything = len(self._module.RULES) + len(self._module.DERIVATIONS)
        rewrites = super().derivations_for((1 << everything) - 1)
        assert len(rewrites) == len(self._module.DERIVATIONS)
        return rewrites


@cache
def _with_all_rewrites(name: str) -> Framework:
    framework = framework_class(name)()
    framework.knowledge = _AllRewrites(name)
    return framework


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    start = time.monotonic()
    tried = trials()
    if options.sample is not None:
        tried = random.Random(options.seed).sample(tried, min(options.sample, len(tried)))
    problems = 0
    for trial in tried:
        for what, missed in (
            ("is not looked up and fires", missed_rules(trial)),
            ("changes with all rewrites", missed_rewrites(trial)),
        ):
            for name in missed:
                problems += 1
                print(f"{name} {what} in an example of {trial.code}:\n{trial.document.text}")
    print(
        f"{len(tried)} pairs of an example and an environment, {problems} problems, "
        f"{time.monotonic() - start:.0f} s"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
