"""Commits and days among the releases; the windows that no release tells."""

from __future__ import annotations

import pytest

from cfglint.environment.environment import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.releases.applies import Applies
from cfglint.releases.commits import latest_image, nearer, place_commit, place_day


@pytest.mark.parametrize(
    ("commit", "after", "before"),
    [
        ("54673fd6c", "0.4.1", "0.5.0"),
        ("54673fd6ca39bf86addb20ba7d44a77071b4dc4f", "0.4.1", "0.5.0"),
        ("54bbc9bb7200", "0.9.2", "0.9.2"),
        ("54bbc9b", "0.9.2", "0.9.2"),
        ("067b021c8", "0.18.0", "0.19.0"),
        ("4e5400c73", "0.4.0", "0.4.1"),
    ],
)
def test_commits(commit: str, after: str, before: str) -> None:
    found = place_commit("axolotl", commit)
    assert found is not None
    assert (found.after, found.before, found.commits) == (after, before, (commit,))


def test_commits_of_somebody_else() -> None:
    assert place_commit("axolotl", "abcdef123") is None


@pytest.mark.parametrize(
    ("day", "after", "before"),
    [
        ("20241001", "0.4.0", "0.4.1"),
        ("20250601", "0.9.2", "0.10.0"),
        ("20260801", "0.18.0", "0.19.0"),
        ("20261001", "0.20.0", "0.21.0"),
        ("20990101", "0.21.0", None),
    ],
)
def test_days(day: str, after: str, before: str | None) -> None:
    found = place_day("axolotl", day)
    assert found is not None
    assert (found.after, found.before) == (after, before)


@pytest.mark.parametrize(
    ("day", "after", "before", "near"),
    [
        # 0.9.0 to 0.9.2 left the main line at one commit.
        ("20250429", "0.9.0", "0.10.0", "0.9.0"),
        ("20250501", "0.9.0", "0.10.0", "0.9.0"),
        ("20250508", "0.9.1", "0.10.0", None),
        ("20250516", "0.9.2", "0.10.0", None),
        ("20250226", "0.7.1", "0.7.1", "0.7.1"),
        ("20250224", "0.7.0", "0.7.1", "0.7.1"),
        ("20250325", "0.7.1", "0.8.0", None),
        ("20250330", "0.7.1", "0.8.0", "0.8.0"),
        # Younger than the table of commits, so that nothing can be counted.
        ("20261001", "0.20.0", "0.21.0", None),
    ],
)
def test_which_of_two_releases_is_near(day: str, after: str, before: str, near: str | None) -> None:
    found = place_day("axolotl", day)
    assert found is not None
    assert (found.after, found.before) == (after, before)
    assert nearer("axolotl", found.commits, (found.after, found.before)) == near


def test_nothing_is_near_when_an_end_is_open() -> None:
    assert nearer("axolotl", ("54673fd6c",), ("0.4.1", None)) is None
    assert nearer("axolotl", (), ("0.4.1", "0.5.0")) is None
    assert nearer("axolotl", ("abcdef123",), ("0.4.1", "0.5.0")) is None


def test_days_before_anything_is_known() -> None:
    assert place_day("axolotl", "20231231") is None


def test_a_nightly_build_has_the_commits_of_its_midnight() -> None:
    found = place_day("axolotl", "20241001")
    assert found is not None
    assert found.commits == ("844331005",)


def test_images_whose_tag_says_little() -> None:
    assert latest_image("axolotl", "0.9.2", "axolotl", bare=False) == ("3.11", "124", "2.6.0")
    assert latest_image("axolotl", "0.9.2", "axolotl", bare=True) is None
    assert latest_image("axolotl", "0.18.0", "axolotl-cloud", bare=True) == (
        "3.12",
        "130",
        "2.12.0",
    )
    assert latest_image("axolotl", "0.99.0", "axolotl", bare=False) is None


def test_a_build_between_releases_decides_what_both_agree_on() -> None:
    releases = Axolotl().releases
    target = build_environment(releases, pins=["axolotl@54673fd6c"])
    assert (target.placed, target.assumed) == (True, False)
    bits = {version: 1 << bit for bit, version in enumerate(releases.versions)}

    for versions, truth in ((("0.4.1", "0.5.0"), True), (("0.5.0",), None), (("0.9.2",), False)):
        rule = {"axolotl": Applies("", sum(bits[v] for v in versions), 0)}
        for assume in (True, False):
            fresh = build_environment(releases, pins=["axolotl@54673fd6c"])
            assert fresh.applies(rule, assume=assume) is truth
