"""What is not looked up for a file would have found nothing in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cfglint.engine.lint import _Run
from cfglint.engine.ready_rules import ReadyRules
from cfglint.engine.selection import EVERY_RULE
from cfglint.environment.environment import build_environment
from cfglint.environment.surroundings import nowhere
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.source.document import Document
from cfglint.source.languages.yaml import compose
from cfglint.source.problems import SourceError
from cfglint.source.text import SourceText

AXOLOTL = Axolotl()
KNOWLEDGE = AXOLOTL.knowledge
TARGETS = (
    build_environment(AXOLOTL.releases),
    build_environment(AXOLOTL.releases, pins=["axolotl==0.15.0"], gpus=2, gpu="h100"),
    build_environment(AXOLOTL.releases, pins=["axolotl==0.8.0"], gpus=8),
)
FAMILIES = sorted({rule.code[:3] for rule in KNOWLEDGE.all_rules()})


def documents(family: str) -> Iterator[Document]:
    """Every example of a family's rules."""
    for rule in KNOWLEDGE.all_rules():
        if rule.code.startswith(family):
            for example in KNOWLEDGE.details(rule.code).examples:
                text = example.get("bad") or example.get("good") or ""
                try:
                    yield compose(SourceText(text))
                except SourceError:
                    continue


@pytest.mark.parametrize("family", FAMILIES)
def test_other_rules_find_nothing(family: str) -> None:
    tried = [rule for rule in KNOWLEDGE.all_rules() if rule.when is not None]
    for document in documents(family):
        for target in TARGETS:
            run = _Run(document, AXOLOTL, target, nowhere())
            trials = ReadyRules.of(AXOLOTL, run.target, EVERY_RULE, nowhere())
            looked_up = {trial.rule.code for trial in trials.on(run.scope.found, run.context)}
            for rule in tried:
                trial = trials.trial(rule) if rule.code not in looked_up else None
                if trial is not None:
                    assert not run.safely(trial), (rule.code, document.text)


@pytest.mark.parametrize("family", FAMILIES)
def test_other_rewrites_change_nothing(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = KNOWLEDGE.derivations_for(AXOLOTL.lookup.everything)
    assert len(everything) == len(KNOWLEDGE._module.DERIVATIONS)
    for document in documents(family):
        for target in TARGETS:
            usual = _Run(document, AXOLOTL, target, nowhere()).scope._view("late").rewritten
            with monkeypatch.context() as patch:
                patch.setattr(KNOWLEDGE, "derivations_for", lambda _: everything)
                full = _Run(document, AXOLOTL, target, nowhere()).scope._view("late").rewritten
            assert {p: str(r.value) for p, r in usual.items()} == {
                p: str(r.value) for p, r in full.items()
            }, document.text
