"""The generator of configurations, and what the comparison tells about places."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from cfglint.knowledge.rules.conditions import parse_condition
from tools.parity import cli
from tools.parity.aims import Aim, literals
from tools.parity.generate import RELEASES, Generator
from tools.parity.places import FirstError, first_error, points_at
from tools.parity.store import VerdictStore
from tools.parity.values import Values
from tools.parity.verdicts import Finding, Upstream
from tools.python_sources import table

KEYS = Path(__file__).resolve().parents[2] / "rules" / "axolotl" / "tables" / "axolotl.json"


@pytest.fixture(scope="module")
def values() -> Values:
    return Values(table.load(KEYS).keys["0.21.0"])


def test_the_same_seed_gives_the_same_configurations() -> None:
    first = list(Generator(5).make(30))
    assert first == list(Generator(5).make(30))
    assert first != list(Generator(6).make(30))
    for made in first:
        assert isinstance(yaml.safe_load(made.text), dict)
        assert made.name.endswith(".yml")
    assert {made.name.split("-")[1] for made in first} == {"valid", "near", "aimed"}


def test_rules_can_be_aimed_at() -> None:
    names = [made.name for made in Generator(1, ["PEF102"]).make(5)]
    assert all(name.endswith("PEF102.yml") for name in names)


def test_the_command_writes_files(tmp_path: Path) -> None:
    assert cli.main(["generate", "--out", str(tmp_path / "made"), "--count", "3"]) == 0
    assert len(list((tmp_path / "made").iterdir())) == 3


def test_releases_are_those_of_the_history() -> None:
    assert set(RELEASES) <= set(table.load(KEYS).releases)


def test_values_have_the_type_of_the_key(values: Values) -> None:
    rng = Random(0)
    for _ in range(50):
        assert isinstance(values.fitting(rng, "", "lora_r", truthy=True), (int, str, float))
        assert values.fitting(rng, "", "rl") in (*(values.schema("", "rl") or [()])[1], None)
    assert values.schema("", "no_such_key") is None
    assert "datasets[]" in values.sections()


@pytest.mark.parametrize(
    ("when", "start", "expected"),
    [
        ({"lora_r": {"eq": 3}}, {}, {"lora_r": 3}),
        ({"not": {"adapter": {"ne": "qlora"}}}, {}, {"adapter": "qlora"}),
        ({"datasets[].type": {"eq": "x"}}, {"datasets": [{}]}, {"datasets": [{"type": "x"}]}),
        ({"fsdp_config.version": {"eq": 2}}, {}, {"fsdp_config": {"version": 2}}),
        ({"plugin": "LigerPlugin"}, {}, {"plugins": ["a.LigerPlugin"]}),
    ],
)
def test_a_condition_is_met(
    values: Values, when: Any, start: dict[str, Any], expected: dict[str, Any]
) -> None:
    rng = Random(0)
    aim = Aim(values, rng, {"LigerPlugin": "a.LigerPlugin"})
    aim.meet(start, literals(parse_condition(when), rng))
    assert start == expected


def _finding(*path: str | int, message: str = "") -> Finding:
    return Finding("TYP001", message, 1, "rejects", "start", undecided=False, places=(path,))


def _error(message: str, *loc: str | int, kind: str = "value_error") -> Upstream:
    return Upstream("rejected", errors=({"loc": list(loc), "type": kind, "msg": message},))


def test_the_place_of_an_error() -> None:
    text = "lora_r: x\ndatasets: [{path: 1}]\n"
    first = first_error(text, _error("…", "lora_r"))
    assert first == FirstError(("lora_r",), frozenset())
    assert points_at(first, [_finding("lora_r")])
    assert not points_at(first, [_finding("datasets", 0, "path")])
    inside = first_error(text, _error("…", "datasets", 0, "SFTDataset", "path"))
    assert inside is not None
    assert points_at(inside, [_finding("datasets", 0, "path")])
    assert not points_at(inside, [_finding("datasets", 1)])
    missing = first_error(text, _error("…", "learning_rate", kind="missing"))
    assert missing is not None
    assert points_at(missing, [_finding(message="`learning_rate` is missing")])


@pytest.mark.parametrize(
    ("text", "loc", "key"),
    [
        # the older name of a key, and a key that moves into a section
        ("liger_swiglu: 2\n", ("liger_glu_activation",), "liger_swiglu"),
        ("sequence_parallel_degree: 0\n", ("context_parallel", "size"), "sequence_parallel_degree"),
        (
            "context_parallel: {backend: usp}\ncontext_parallel_size: 0\n",
            ("context_parallel", "size"),
            "context_parallel_size",
        ),
        ("fsdp_version: x\nfsdp_config: {a: 1}\n", ("fsdp_config", "fsdp_version"), "fsdp_version"),
    ],
)
def test_a_value_that_came_from_elsewhere(text: str, loc: tuple[str, ...], key: str) -> None:
    first = first_error(text, _error("…", *loc))
    assert first is not None
    assert points_at(first, [_finding(key)])
    assert not points_at(first, [_finding("lora_r")])
    assert FirstError.from_text(first.to_text()) == first


def test_a_value_under_its_older_name_in_a_section() -> None:
    text = "fsdp_config: {offload_params: true, fsdp_offload_params: x}\n"
    first = first_error(text, _error("…", "fsdp_config", "offload_params"))
    assert first is not None
    assert points_at(first, [_finding("fsdp_config", "fsdp_offload_params")])


def test_the_keys_that_a_message_names() -> None:
    text = "lora_r: 1\nsample_packing: true\n"
    first = first_error(text, _error("lora_r does not go with lora_alpha"))
    assert first == FirstError((), frozenset({"lora_r"}))
    assert first_error(text, _error("something is wrong")) is None
    assert FirstError.from_text(first.to_text()) == first


def test_verdicts_are_kept_by_content(tmp_path: Path) -> None:
    from packaging.specifiers import SpecifierSet

    from tools.parity.machine import Machine
    from tools.parity.release import Prepared

    facts = tmp_path / "facts.json"
    facts.write_text("{}")
    release = Prepared("0.21.0", tmp_path, facts, SpecifierSet(), "2.0")
    one, same, other = (tmp_path / name for name in ("a.yml", "b.yml", "c.yml"))
    one.write_text("a: 1\n")
    same.write_text("a: 1\n")
    other.write_text("a: 2\n")
    verdict = Upstream("rejected", message="no")
    VerdictStore(tmp_path / "cache").keep(
        release, Machine(), {one: verdict, other: Upstream("failed")}
    )
    store = VerdictStore(tmp_path / "cache")
    assert store.find(release, Machine(), [one, same, other]) == {one: verdict, same: verdict}
    assert store.find(release, Machine(8), [one]) == {}
    assert store.find(release, Machine(1, "a100"), [one]) == {}
