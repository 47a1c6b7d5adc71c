"""What is not looked up for a file would have found nothing in it.

A sample: `python -m tools.campaigns.candidates` tries every example, as `.ci/run` does.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from cfglint.roles.framework import load_framework
from cfglint.source.languages.yaml import compose
from cfglint.source.text import SourceText
from tools.campaigns import candidates
from tools.campaigns.candidates import Trial


@cache
def sample() -> list[Trial]:
    return random.Random(0).sample(candidates.trials(), 60)


def test_other_rules_find_nothing() -> None:
    assert [
        (trial.code, missed) for trial in sample() if (missed := candidates.missed_rules(trial))
    ] == []


def test_other_rewrites_change_nothing() -> None:
    assert [
        (trial.code, missed) for trial in sample() if (missed := candidates.missed_rewrites(trial))
    ] == []


@pytest.fixture
def trial() -> Trial:
    framework = load_framework("axolotl")
    document = compose(SourceText("adapter: lora\nlora_r: 0\ndpo_beta: 0.1\n"))
    return Trial("", framework, candidates.environments(framework)[0], document)


def test_what_is_missed_is_reported(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(trial.framework.lookup), "found", lambda self, document: 0)
    assert candidates.missed_rules(trial) != []
    assert candidates.missed_rewrites(trial) != []
