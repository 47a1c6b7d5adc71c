"""The rules for DeepSpeed's settings: each condition holds for its bad examples, at the marked key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

from cfglint.compiling.loading import RuleFile, load_rules, parse_yaml
from cfglint.compiling.model import Example, RuleModel
from cfglint.logic import MISSING, UNKNOWN, Truth
from cfglint.rules.conditions import parse_condition, parse_path
from cfglint.rules.evaluate import bind

ROOT = Path(__file__).parents[2]
FILES = [file for file in load_rules(ROOT / "rules") if file.rule.framework == "deepspeed"]
KEYS = json.loads((ROOT / "rules/deepspeed/tables/deepspeed.json").read_text(encoding="utf-8"))
RELEASES = json.loads((ROOT / "rules/deepspeed/releases.json").read_text(encoding="utf-8"))


class _Settings:
    """A settings file, as conditions ask for it."""

    def __init__(self, data: dict[str, Any], facts: dict[str, Any]) -> None:
        self.data = data
        self.facts = facts

    @property
    def at(self) -> _Settings:
        return self

    def __getitem__(self, path: tuple[str | int, ...]) -> Any:
        value: Any = self.data
        for key in path:
            value = value.get(key, MISSING) if isinstance(value, dict) else MISSING
        return value

    def values(self, path: tuple[str, ...]) -> list[Any]:
        raise AssertionError("no rule asks for the items of a list")

    def item_value(self, path: tuple[str, ...]) -> Any:
        raise AssertionError("no rule goes through a list")

    def fact(self, name: str) -> Any:
        return self.facts.get(name, UNKNOWN)

    def derived(self, name: str) -> Any:
        raise AssertionError("no rule asks for a derived value")

    def applies(self, versions: tuple[tuple[Any, ...], ...]) -> Truth:
        raise AssertionError("no rule asks for versions inside its condition")


def place(rule: RuleModel, example: Example) -> str | None:
    """The key that carries the finding, None without one."""
    target: dict[str, Any] = dict(example.target)
    release = target.pop("deepspeed", RELEASES["newest"])
    spec = rule.applies["deepspeed"]
    assert isinstance(spec, str)
    settings = _Settings(json.loads(example.bad or example.good or ""), target)
    assert rule.when is not None
    if (
        not SpecifierSet(spec).contains(release)
        or bind(parse_condition(rule.when))(settings) is not True
    ):
        return None
    return next(path for path in rule.at if settings[parse_path(path)] is not MISSING)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.rule.code)
def test_examples(file: RuleFile) -> None:
    for number, example in enumerate(file.rule.examples, 1):
        wanted = example.mark[file.rule.code] if example.bad is not None else None
        assert place(file.rule, example) == wanted, number


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.rule.code)
def test_a_rule_speaks_of_keys_that_releases_have(file: RuleFile) -> None:
    known = set(KEYS["keys"])
    for key, facts in KEYS["keys"].items():
        section = key.rpartition(".")[0]
        known |= {f"{section}.{alias}".lstrip(".") for alias in facts.get("alias", ())}
    for path in (*file.rule.at, *(part.path for part in file.rule.related)):
        assert path in known


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
