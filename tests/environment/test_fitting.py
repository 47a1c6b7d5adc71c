"""Which releases go with the versions around a framework, and how surely."""

from __future__ import annotations

from cfglint.base.logic import Truth
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.fitting import (
    Fit,
    agreeing,
    by_commit,
    excluded,
    fit,
    fits,
    is_exactly,
    later_releases,
)
from cfglint.environment.pins import Pin
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.knowledge.releases.applies import Applies
from cfglint.knowledge.releases.table import Releases, releases_of
from cfglint.report.target import described, warnings
from tests.draws import each


def in_project(**versions: str) -> Environment:
    pins = {
        name.replace("_", "-"): Pin(None, None, "here", version, in_project=True)
        if version[0] in "<>"
        else Pin(version, None, "here", in_project=True)
        for name, version in versions.items()
    }
    return Environment(Axolotl().releases, pins)


@each(
    ("versions", "release", "assumed", "origin"),
    [
        # Two versions that one release alone asks for.
        (
            {"transformers": "4.55.2", "datasets": "4.0.0"},
            "0.12.2",
            False,
            "implied by transformers==4.55.2, datasets==4.0.0",
        ),
        # One may be a coincidence.
        ({"transformers": "4.55.2"}, "0.12.2", True, "the newest that fits transformers 4.55.2"),
        # Most of them.
        (
            {"transformers": "4.55.2", "accelerate": "1.10.0", "peft": "0.17.1"},
            "0.12.2",
            True,
            "fits 2 of the 3 stated versions, not peft 0.17.1",
        ),
        # As many against a release as for it.
        ({"transformers": "4.55.2", "peft": "0.1.0"}, "0.21.0", True, "the newest known"),
        (
            {"transformers": "4.55.2", "datasets": "4.0.0", "peft": "0.1", "trl": "0.1"},
            "0.21.0",
            True,
            "the newest known",
        ),
        # Only what excludes releases: nothing implies any of the others.
        ({"torch": "2.4.1"}, "0.16.1", True, "the newest that fits torch 2.4.1"),
        ({"transformers": "<4.46"}, "0.4.1", True, "the newest that fits transformers <4.46"),
    ],
)
def test_what_versions_imply(
    versions: dict[str, str], release: str, assumed: bool, origin: str
) -> None:
    found = in_project(**versions)
    assert (found.release, found.assumed, found.release_origin) == (release, assumed, origin)


def test_the_file_outweighs_versions_that_only_exclude() -> None:
    vague = in_project(transformers="<4.46")
    assert vague.at_least("0.9.0").release == "0.21.0"
    implied = in_project(transformers="4.55.2")
    assert implied.at_least("0.13.0").release == "0.12.2"


def test_what_excludes_the_assumed_release() -> None:
    found = in_project(transformers="4.36.2", peft="0.7.1")
    assert list(found.excluding()) == ["transformers", "peft"]
    assert in_project(transformers="4.55.2", datasets="4.0.0").excluding() == {}
    assert "fits 2 of the 3" in described(
        in_project(transformers="4.55.2", datasets="4.0.0", peft="0.1")
    )


def test_stated_versions_that_contradict_each_other() -> None:
    releases = Axolotl().releases
    apart = build_environment(releases, pins=["axolotl==0.14.0", "trl==0.28.0"])
    assert warnings([apart]) == [
        "axolotl 0.14.0 asks for trl ==0.27.1, not 0.28.0 (--target); the files are checked for both"
    ]
    assert warnings([build_environment(releases, pins=["axolotl==0.14.0", "trl==0.27.1"])]) == []
    assert warnings([in_project(axolotl="0.14.0", trl="0.28.0")]) == []
    # What only a file of the project states is looked at in that file.
    pins = {**apart.pins, "trl": apart.pins["trl"].replaced(in_project=True)}
    assert warnings([Environment(releases, pins)]) == []


def test_how_settings_that_no_environment_meets_are_parted() -> None:
    pins = ["axolotl==0.14.0", "trl==0.28.0"]
    apart = build_environment(Axolotl().releases, pins=pins, origin="cfglint.toml")
    first, hint = warnings([apart, apart])
    assert "not 0.28.0 (cfglint.toml)" in first
    assert "need a cfglint.toml of their own in their folder" in hint


def test_a_build_of_another_framework_is_no_matter_of_this_one() -> None:
    found = [
        build_environment(releases_of("axolotl"), pins=[f"trl=={version}"])
        for version in ("0.27.9.dev0", "0.27.9")
    ]
    assert warnings(found[:1]) == []
    assert "trl 0.27.9 is not one of the releases" in warnings(found[1:])[0]


@each(
    ("versions", "expected"),
    [
        ({}, "5.24.0"),
        # Each release of transformers from 5.0.0 on asks for huggingface-hub 1.3.0 at least.
        ({"huggingface-hub": "<1.0"}, "4.57.6"),
        ({"huggingface-hub": "0.36.0"}, "4.57.6"),
        ({"transformers": ">=4.53.3", "huggingface-hub": "<1.0,>=0.33.4"}, "4.57.6"),
        ({"huggingface-hub": ">=0.33.4"}, "5.24.0"),
        ({"tokenizers": "0.22.1"}, "5.15.1"),
        # What cannot be installed together leaves the range of the package itself.
        ({"transformers": ">=5.0,<5.2", "huggingface-hub": "<1.0"}, "5.1.0"),
        ({"transformers": "5.2.0", "huggingface-hub": "<1.0"}, "5.2.0"),
    ],
)
def test_a_release_beside_asks_for_what_is_stated(versions: dict[str, str], expected: str) -> None:
    known = releases_of("transformers").versions
    assert in_project(**versions).beside("transformers", "5.24.0", known) == expected


def test_a_version_that_is_not_known_is_not_replaced() -> None:
    found = in_project(huggingface_hub="<1.0")
    assert found.beside("transformers", "4.56.1", releases_of("transformers").versions) == "4.56.1"


@each(
    ("day", "release"),
    [("2025-03-14", "0.15.2"), ("2025-02-20", "0.15.1"), ("2025-01", "0.14.0"), (None, "1.16.0")],
)
def test_what_comes_along_is_of_the_day_that_counts(day: str | None, release: str) -> None:
    trl = releases_of("trl").versions
    environment = Environment(releases_of("transformers"), as_of=day)
    assert environment.beside("trl", trl[-1], trl) == release


def test_a_range_admits_no_release_of_a_later_day_unless_it_asks_for_one() -> None:
    def release(spec: str) -> str:
        pins = {"trl": Pin(None, None, "here", spec, in_project=True)}
        return Environment(releases_of("trl"), pins, as_of="2025-03-14").release

    assert release(">=0.12.0") == "0.15.2"
    assert release(">=0.20.0,<0.20.1") == "0.20.0"


def test_versions_of_another_environment_do_not_count_beside_what_a_file_shows() -> None:
    vague = in_project(transformers="<4.46")
    assert vague.at_least("0.9.0").pins == {}
    # Where a release is left that goes with them, they count.
    fitting = in_project(transformers=">=4.36")
    assert "transformers" in fitting.at_least("0.13.0").pins


MADE_UP = Releases(
    "made-up",
    ("1.0", "1.1", "2.0"),
    "2.0",
    {
        "1.0": {"a": "==1.0", "b": "==1.0", "c": ">=1"},
        "1.1": {"a": "==1.1", "b": "==1.1", "c": ">=1"},
        "2.0": {"a": "==2.0", "b": "==1.1", "c": ">=2"},
    },
    {"1.0": "2024-01-10", "1.1": "2024-02-10", "2.0": "2025-01-10"},
)


def pins_of(versions: dict[str, str], *, in_project: bool = True) -> dict[str, Pin]:
    return {
        name: Pin(None, None, "here", version, in_project=in_project)
        if version[0] in "<>"
        else Pin(version, None, "here", in_project=in_project)
        for name, version in versions.items()
    }


def stated(**versions: str) -> dict[str, Pin]:
    return pins_of(versions)


@each(
    ("versions", "expected"),
    [
        # Those that admit every version; surely, where each asks for two of them.
        ({"a": "1.1", "b": "1.1"}, Fit(0b010, (), 2)),
        ({"b": "1.1"}, Fit(0b110, (), 1, weak=True)),
        ({"c": "1.5"}, Fit(0b011, (), 1, weak=True, vague=True)),
        ({"c": ">=1"}, Fit(0b111, (), 1, weak=True, vague=True)),
        ({"c": "<2"}, Fit(0b011, (), 1, weak=True, vague=True)),
        ({"other": "1"}, Fit(0b111, (), 1, weak=True, vague=True)),
        # Most of them, if one asks for two exactly, and for more than it excludes.
        ({"a": "2.0", "b": "1.1", "c": "1.0"}, Fit(0b100, ("c",), 3, weak=True)),
        ({"a": "2.0", "b": "3.0"}, Fit(0)),
        ({"a": "3.0"}, Fit(0)),
        ({"a": "2.0", "c": "1.0"}, Fit(0)),
    ],
)
def test_releases_that_fit(versions: dict[str, str], expected: Fit) -> None:
    assert fit(MADE_UP, pins_of(versions), 0b111) == expected


def test_only_releases_in_question_fit() -> None:
    assert fit(MADE_UP, stated(b="1.1"), 0b100).releases == 0b100
    assert fit(MADE_UP, stated(b="1.1"), 0b001) == Fit(0)


def test_what_an_option_states_is_not_weak() -> None:
    found = fit(MADE_UP, pins_of({"c": "1.5"}, in_project=False), 0b111)
    assert (found.releases, found.weak, found.vague) == (0b011, False, False)


@each(
    ("pin", "asked", "goes", "exactly"),
    [
        ("1.0", "==1.0", True, True),
        ("1.0", "==1.1", False, False),
        ("1.0", ">=1.0", True, False),
        (">=1", "==1.0", True, False),
        (">=2", "==1.0", False, False),
        ("<2", ">=2", False, False),
    ],
)
def test_what_a_release_asks_for(pin: str, asked: str, goes: bool, exactly: bool) -> None:
    one = stated(a=pin)["a"]
    assert (fits(one, asked), is_exactly(one, asked)) == (goes, exactly)
    assert not is_exactly(one, None)
    assert fits(Pin(None, "abcdef0", "here"), asked)


@each(
    ("day", "own", "later"),
    [
        (None, None, set()),
        ("2024-01-10", None, {"1.1", "2.0"}),
        ("2024-02-09", None, {"1.1", "2.0"}),
        ("2024-02", None, {"2.0"}),
        ("2025-01-10", None, set()),
        # All releases are later, or one of them is stated.
        ("2023-01", None, set()),
        ("2024-02", "2.0", set()),
        ("2024-02", "1.1", {"2.0"}),
    ],
)
def test_releases_of_later_days(day: str | None, own: str | None, later: set[str]) -> None:
    pin = None if own is None else Pin(own, None, "here")
    assert later_releases(MADE_UP, pin, day) == later


def test_pins_of_another_environment() -> None:
    pins = stated(a="1.1", b="3.0", c="1.5")
    assert excluded(MADE_UP, "2.0", pins) == {"a": "==2.0", "b": "==1.1", "c": ">=2"}
    assert excluded(MADE_UP, "1.1", pins) == {"b": "==1.1"}
    assert excluded(MADE_UP, "9.9", pins) == {}
    assert set(agreeing(MADE_UP, 0b111, pins)) == {"a", "c"}
    assert set(agreeing(MADE_UP, 0b100, pins)) == set()


COMMIT = "abcdef0123456789"


@each(
    ("commits", "of_spec", "is_placed", "expected"),
    [
        ((COMMIT,), (COMMIT,), False, (True,)),
        ((COMMIT[:7],), (COMMIT,), False, (True,)),
        ((COMMIT,), (COMMIT[:9],), False, (True,)),
        ((COMMIT,), ("1234567",), False, (False,)),
        ((COMMIT, "1234567"), (COMMIT,), False, (None,)),
        ((COMMIT,), (), False, (None,)),
        ((COMMIT,), (), True, None),
        ((COMMIT,), (COMMIT,), True, (True,)),
        ((), (COMMIT,), False, None),
    ],
)
def test_builds_of_no_version(
    commits: tuple[str, ...],
    of_spec: tuple[str, ...],
    is_placed: bool,
    expected: tuple[Truth] | None,
) -> None:
    spec = Applies("", 0, 0, commits=of_spec)
    pin = Pin(None, None, "here", commits=commits)
    assert by_commit(pin, spec, is_placed=is_placed) == expected
    if len(commits) == 1:
        single = Pin(None, commits[0], "here")
        assert by_commit(single, spec, is_placed=is_placed) == expected
