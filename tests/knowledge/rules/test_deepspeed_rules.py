"""The rules for DeepSpeed's settings agree with its key table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint.engine.case import Case
from cfglint.engine.lint import lint_source
from cfglint.environment.building import build_environment
from cfglint.knowledge.compiling.files import parse_yaml
from cfglint.knowledge.compiling.loading import RuleFile
from cfglint.roles.framework import load_framework
from cfglint.source.text import SourceText
from tests.draws import each
from tests.shipped import shipped_rules

ROOT = Path(__file__).parents[3]
FILES = [file for file in shipped_rules() if file.rule.framework == "deepspeed"]
KEYS = json.loads((ROOT / "rules/deepspeed/tables/deepspeed.json").read_text(encoding="utf-8"))
RELEASES = json.loads((ROOT / "rules/deepspeed/releases.json").read_text(encoding="utf-8"))
#: What is inside them is the affair of the optimizer and the schedule.
OPEN = ("optimizer.params", "scheduler.params")


@each("file", FILES)
def test_a_rule_speaks_of_keys_that_releases_have(file: RuleFile) -> None:
    known = set(KEYS["keys"])
    for key, facts in KEYS["keys"].items():
        section = key.rpartition(".")[0]
        known |= {f"{section}.{alias}".lstrip(".") for alias in facts.get("alias", ())}
    for path in (*file.rule.at, *(part.path for part in file.rule.related)):
        assert path in known or path.rpartition(".")[0] in OPEN


def test_every_reaction_is_about_a_key_that_is_gone() -> None:
    rows = parse_yaml((ROOT / "rules/deepspeed/reactions.yaml").read_text(encoding="utf-8"))
    assert len(rows) == 14
    for row in rows:
        removed = KEYS["keys"][row["key"]]["removed"]
        order = KEYS["releases"]
        assert order.index(removed) <= order.index(row["since"])


def test_every_release_of_the_table_has_a_date() -> None:
    assert KEYS["releases"] == list(RELEASES["releases"])
    dates = [row["date"] for row in RELEASES["releases"].values()]
    assert len(dates) == 77
    assert RELEASES["newest"] == KEYS["releases"][-1]


@pytest.mark.parametrize(("release", "refused"), [("0.19.8", True), ("0.19.7", False)])
def test_a_removed_key_is_refused_even_when_it_is_null(release: str, refused: bool) -> None:
    framework = load_framework("deepspeed")
    target = build_environment(framework.releases, pins=[f"deepspeed=={release}"])
    text = '{"train_batch_size": 8, "sparse_gradients": null}'
    found = lint_source(SourceText(text), Case.of_text(framework, target)).diagnostics
    assert [one.path for one in found if one.upstream == "rejects"] == (
        [("sparse_gradients",)] if refused else []
    )
