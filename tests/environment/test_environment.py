"""Pins, candidates, and whether a rule's releases are the target's."""

from __future__ import annotations

import pytest

from cfglint.base.logic import UNKNOWN, Truth
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.pins import Fact, Pin, TargetError, parse_pin
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.knowledge.releases.applies import Applies
from cfglint.knowledge.releases.ranges import is_below, within
from cfglint.knowledge.releases.table import Releases
from cfglint.roles.framework import load_framework
from tests.draws import each

RELEASES = Releases(
    "axolotl",
    ("0.1.0", "0.2.0", "0.3.0"),
    "0.3.0",
    {
        "0.1.0": {"trl": "==1.0", "torch": ">=2.0"},
        "0.2.0": {"trl": "==1.1", "torch": "==2.6.0"},
        "0.3.0": {"trl": "==1.1", "torch": ">=2.7"},
    },
)


def target(*pins: str, gpus: int | None = None, gpu: str | None = None) -> Environment:
    return build_environment(RELEASES, pins=pins, gpus=gpus, gpu=gpu)


@each(
    ("text", "package", "version", "commit"),
    [
        ("axolotl==0.18.0", "axolotl", "0.18.0", None),
        (" axolotl == v0.18.0 ", "axolotl", "0.18.0", None),
        ("Flash_Attn==2.6.3", "flash-attn", "2.6.3", None),
        ("flash.attn==2.6.3+cu123", "flash-attn", "2.6.3+cu123", None),
        ("torch==2.8.0.dev20250601", "torch", "2.8.0.dev20250601", None),
        ("trl==0.15.1rc1", "trl", "0.15.1rc1", None),
        ("axolotl@4E5400C73", "axolotl", None, "4e5400c73"),
        ("axolotl@" + "a" * 40, "axolotl", None, "a" * 40),
    ],
)
def test_pin(text: str, package: str, version: str | None, commit: str | None) -> None:
    assert parse_pin(text, "here") == (package, Pin(version, commit, "here"))


@each(
    ("text", "words"),
    [
        ("axolotl", "write PACKAGE==VERSION"),
        ("axolotl=0.18.0", "write PACKAGE==VERSION"),
        ("axolotl>=0.18.0", "write PACKAGE==VERSION"),
        ("==0.18.0", "write PACKAGE==VERSION"),
        ("axolotl== 0.18.0 x", "write PACKAGE==VERSION"),
        ("", "write PACKAGE==VERSION"),
        ("numpy==1.0", "no rule depends on the package"),
        ("axolotl==newest", "is not a version"),
        ("axolotl==0.18.*", "is not a version"),
        ("axolotl==0.18.0==1", "is not a version"),
        ("axolotl@main", "is not a commit"),
        ("axolotl@abc", "is not a commit"),
        ("axolotl@" + "a" * 41, "is not a commit"),
    ],
)
def test_pin_that_cannot_be_understood(text: str, words: str) -> None:
    with pytest.raises(TargetError) as caught:
        parse_pin(text, "here")
    assert words in str(caught.value)


@each(
    ("pins", "release", "assumed", "origin"),
    [
        ((), "0.3.0", True, "the newest known"),
        (("axolotl==0.2.0",), "0.2.0", False, "--target"),
        (("axolotl==0.2",), "0.2.0", False, "--target"),
        (("trl==1.0",), "0.1.0", False, "implied by trl==1.0"),
        (("trl==1.1",), "0.3.0", True, "the newest known"),
        (("torch==2.6.0",), "0.2.0", True, "the newest that fits torch 2.6.0"),
        (("torch==2.6.0+cu124", "trl==1.1"), "0.2.0", False, None),
        (("trl==9.9",), "0.3.0", True, "the newest known"),
        (("trl==1.0", "torch==1.0"), "0.3.0", True, "the newest known"),
        (("peft==0.1",), "0.3.0", True, "the newest known"),
        (("axolotl@4e5400c73",), "0.3.0", True, "the newest known"),
    ],
)
def test_candidates(pins: tuple[str, ...], release: str, assumed: bool, origin: str | None) -> None:
    found = target(*pins)
    assert (found.release, found.assumed, found.foreign_version) == (release, assumed, None)
    if origin is not None:
        assert found.release_origin == origin


def test_a_pinned_framework_beside_it_says_why_the_release_is_not_the_newest() -> None:
    releases = load_framework("trl_programs").releases
    found = build_environment(releases, pins=("ms-swift==3.10.1",))
    origin = "the newest that goes with ms-swift 3.10.1"
    assert (found.release, found.release_origin) == ("4.57.6", origin)


@each("version", ["0.99.0", "0.2.0.dev0", "0.1", "0.2.5"])
def test_foreign_versions(version: str) -> None:
    found = target(f"axolotl=={version}")
    known = version == "0.1"
    assert found.foreign_version == (None if known else version)
    assert found.release == ("0.1.0" if known else version)


def test_real_releases() -> None:
    releases = Axolotl().releases
    assert build_environment(releases, pins=["trl==0.15.1"]).release == "0.7.1"
    flash = build_environment(releases, pins=["flash-attn==2.6.3"])
    others = [releases.pins[v].get("flash-attn") for v in releases.versions if v == flash.release]
    assert others in (["==2.6.3"], [None])


def applies(package: str, spec: str, yes: int, maybe: int = 0, *commits: str) -> dict[str, Applies]:
    return {package: Applies(spec, yes, maybe, tuple(commits))}


@each(
    ("pins", "rule", "assumed", "certain"),
    [
        ((), {}, True, True),
        ((), applies("axolotl", ">=0.3", 0b100), True, None),
        ((), applies("axolotl", "<0.3", 0b011), False, None),
        ((), applies("axolotl", "<0.1", 0), False, False),
        ((), applies("axolotl", ">=0.1", 0b111), True, True),
        (("axolotl==0.2.0",), applies("axolotl", "<0.3", 0b011), True, True),
        (("axolotl==0.2.0",), applies("torch", ">=2.5", 0b110, 0b001), True, True),
        (("axolotl==0.1.0",), applies("torch", ">=2.5", 0b110, 0b001), None, None),
        (("axolotl==0.1.0", "torch==2.5.1"), applies("torch", ">=2.5", 0b110, 0b001), True, True),
        (("axolotl==0.1.0", "torch==2.4"), applies("torch", ">=2.5", 0b110, 0b001), False, False),
        (("axolotl==0.99.0",), applies("axolotl", ">=0.3", 0b100), True, True),
        (("axolotl==0.99.0",), applies("axolotl", "<0.3", 0b011), False, False),
        (("axolotl==0.99.0",), applies("trl", "==1.1", 0b110), None, None),
        (("axolotl==0.3.0.dev0",), applies("axolotl", "<0.3", 0b011), False, False),
        (("axolotl@abc1234def",), applies("axolotl", "==0.1.0", 0, 0b001, "abc1234"), True, True),
        (("axolotl@abc1234",), applies("axolotl", "==0.1.0", 0, 0b001, "abc1234def"), True, True),
        (("axolotl@abd1234",), applies("axolotl", "==0.1.0", 0, 0b001, "abc1234"), False, False),
        (("axolotl@abc1234",), applies("axolotl", ">=0.3", 0b100), None, None),
        (("axolotl==0.1.0",), applies("axolotl", "==0.1.0", 0, 0b001, "abc1234"), None, None),
        (("axolotl==0.2.0",), applies("axolotl", "==0.1.0", 0, 0b001, "abc1234"), False, False),
    ],
)
def test_applies(
    pins: tuple[str, ...], rule: dict[str, Applies], assumed: Truth, certain: Truth
) -> None:
    found = target(*pins)
    for _ in range(2):  # the second answer comes from the cache
        assert found.applies(rule, assume=True) is assumed
        assert found.applies(rule, assume=False) is certain


def test_several_packages_are_joined_by_and() -> None:
    both = applies("axolotl", ">=0.3", 0b100) | applies("trl", "==1.1", 0b110)
    assert target().applies(both, assume=True) is True
    assert target("axolotl==0.2.0").applies(both, assume=False) is False
    assert target().open_packages(both) == {"axolotl", "trl"}
    assert target("axolotl==0.3.0").open_packages(both) == {"axolotl", "trl"}


def test_at_least() -> None:
    everything = target()
    assert everything.at_least(None) is everything
    narrowed = everything.at_least("0.2.0")
    assert narrowed.candidates == 0b110
    rule = applies("axolotl", ">=0.2", 0b110)
    assert (everything.applies(rule, assume=False), narrowed.applies(rule, assume=False)) == (
        None,
        True,
    )
    told = target("axolotl==0.1.0")
    assert told.at_least("0.2.0") is told


def test_facts() -> None:
    found = target(gpus=8, gpu="H100")
    assert found.fact("gpus") == 8
    assert found.fact("gpu") == "h100"
    assert found.fact("gpu.memory_gb") == 80
    assert found.fact("nodes") is UNKNOWN
    assert found.facts["gpus"] == Fact(8, "--gpus")
    with pytest.raises(TargetError, match="at least 1"):
        target(gpus=0)


@each(
    ("pin", "expected"),
    [
        (None, "5.0"),
        (Pin(None, "4e5400c", ""), "5.0"),
        (Pin("4.2", None, ""), "4.2"),
        (Pin(None, None, "", ">=4.1"), "5.0"),
        (Pin(None, None, "", ">=4.1,<5"), "4.3"),
        # A range that no known release is in says nothing.
        (Pin(None, None, "", ">=6"), "5.0"),
    ],
)
def test_the_version_of_a_package_beside(pin: Pin | None, expected: str) -> None:
    known = Environment(RELEASES, {} if pin is None else {"transformers": pin})
    assert known.beside("transformers", "5.0", ("4.0", "4.2", "4.3", "5.0")) == expected


@pytest.mark.parametrize(
    ("pin", "spec", "expected"),
    [
        (Pin(None, None, "here", between=("0.2.0", "0.3.0")), "<0.3.0", True),
        (Pin(None, None, "here", between=("0.2.0", "0.3.0")), ">=0.3.0", False),
        (Pin("0.2.0", None, "here"), "<0.3.0", False),
    ],
)
def test_the_release_before_a_build(pin: Pin, spec: str, expected: bool) -> None:
    yes = sum(1 << at for at, one in enumerate(RELEASES.versions) if within(one, spec))
    environment = Environment(RELEASES, {"axolotl": pin})
    assert environment.release_before_has({"axolotl": Applies(spec, yes, 0)}) is expected
    listed = Applies(spec, yes, 0, ("abc",))
    assert not environment.release_before_has({"axolotl": listed})


@each(
    ("spec", "version", "expected"),
    [
        ("~=4.12.5", "4.36.0", True),
        ("<0.9", "0.9.0", True),
        ("==4.12.*", "4.36.0", True),
        (">=4.12,<4.20", "4.36.0", True),
        # It may be a later one.
        (">=4.12", "4.36.0", False),
        ("!=4.12", "4.36.0", False),
        (">=4.12,<5", "4.36.0", False),
        ("~=9.1", "4.36.0", False),
    ],
)
def test_ranges_below_all_that_is_known(spec: str, version: str, expected: bool) -> None:
    assert is_below(spec, version) is expected


def test_a_range_of_older_releases_is_not_the_newest() -> None:
    pins = {"axolotl": Pin(None, None, "a file", "<0.1"), "trl": Pin(None, None, "b", "~=0.2.1")}
    found = Environment(RELEASES, pins)
    assert found.release == "0.1.0"
    assert found.beside("trl", "1.1", ("1.0", "1.1")) == "1.0"


def test_environments_that_say_the_same_are_equal() -> None:
    one, same = target("axolotl==0.9.2", gpus=8), target("axolotl==0.9.2", gpus=8)
    assert one == same
    assert hash(one) == hash(same)
    one.admits((("torch", ">=2", 0, 0),), assume=True)
    assert one == same  # what was computed does not count
    others = [
        target("axolotl==0.9.1", gpus=8),
        target("axolotl==0.9.2", gpus=4),
        target("axolotl==0.9.2"),
        target("axolotl==0.9.2", "torch==2.6.0", gpus=8),
    ]
    assert all(one != other for other in others)
    assert target().at(RELEASES.versions[0]) != target()
    assert one != "axolotl==0.9.2"
