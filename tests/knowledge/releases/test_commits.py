"""Commits and days among the releases; the windows that no release tells."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from cfglint.environment.building import build_environment
from cfglint.frameworks.axolotl.framework import Axolotl
from cfglint.knowledge.releases.applies import Applies
from cfglint.knowledge.releases.commits import (
    Placement,
    latest_image,
    nearer,
    place_commit,
    place_day,
    place_development,
)
from tests.draws import each


@each(
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


@pytest.mark.parametrize(
    ("commit", "after", "before"),
    [
        ("69ad852e5654a77f1695eb4c608906fe0c7e8624", "0.15.1", "0.16.0"),
        ("c04e84c4545acfaecdf7e0631ad07a86ab0fb2f6", "0.16.1", "0.17.0"),
        ("f2c71771ccb5", "0.8.0", "0.8.0"),
    ],
)
def test_commits_of_trl(commit: str, after: str, before: str) -> None:
    found = place_commit("trl", commit)
    assert found is not None
    assert (found.after, found.before) == (after, before)


def test_commits_of_another_repository() -> None:
    assert place_commit("axolotl", "abcdef123") is None


@each(
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


@each(
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
    assert place_day("axolotl", "20231231") == Placement(None, "0.4.1")


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


#: From each of these days on, the nightly build lies after one release and before another, and is
#: much closer to one of them, or to none.
WINDOWS: list[tuple[str, str, str | None, str | None]] = [
    ("20240125", "0.4.0", "0.4.1", "0.4.0"),
    ("20240328", "0.4.0", "0.4.1", None),
    ("20240706", "0.4.0", "0.4.1", "0.4.1"),
    ("20241014", "0.4.1", "0.5.0", "0.4.1"),
    ("20241026", "0.4.1", "0.5.0", None),
    ("20241101", "0.4.1", "0.5.0", "0.5.0"),
    ("20241109", "0.5.0", "0.5.0", "0.5.0"),
    ("20241111", "0.5.0", "0.5.1", "0.5.0"),
    ("20241114", "0.5.0", "0.5.1", None),
    ("20241116", "0.5.0", "0.5.1", "0.5.1"),
    ("20241120", "0.5.2", "0.6.0", "0.5.2"),
    ("20241203", "0.5.2", "0.6.0", None),
    ("20241207", "0.5.2", "0.6.0", "0.6.0"),
    ("20241210", "0.6.0", "0.6.0", "0.6.0"),
    ("20241211", "0.6.0", "0.7.0", "0.6.0"),
    ("20250110", "0.6.0", "0.7.0", None),
    ("20250131", "0.6.0", "0.7.0", "0.7.0"),
    ("20250219", "0.7.0", "0.7.1", "0.7.0"),
    ("20250221", "0.7.0", "0.7.1", None),
    ("20250224", "0.7.0", "0.7.1", "0.7.1"),
    ("20250226", "0.7.1", "0.7.1", "0.7.1"),
    ("20250306", "0.7.1", "0.8.0", "0.7.1"),
    ("20250316", "0.7.1", "0.8.0", None),
    ("20250330", "0.7.1", "0.8.0", "0.8.0"),
    ("20250403", "0.8.0", "0.8.0", "0.8.0"),
    ("20250404", "0.8.0", "0.8.1", "0.8.0"),
    ("20250406", "0.8.0", "0.8.1", None),
    ("20250408", "0.8.0", "0.8.1", "0.8.1"),
    ("20250409", "0.8.1", "0.8.1", "0.8.1"),
    ("20250410", "0.8.1", "0.9.0", "0.8.1"),
    ("20250417", "0.8.1", "0.9.0", None),
    ("20250426", "0.8.1", "0.9.0", "0.9.0"),
    ("20250429", "0.9.0", "0.10.0", "0.9.0"),
    ("20250507", "0.9.0", "0.10.0", None),
    ("20250508", "0.9.1", "0.10.0", None),
    ("20250511", "0.9.1.post1", "0.10.0", None),
    ("20250514", "0.9.2", "0.10.0", None),
    ("20250529", "0.9.2", "0.10.0", "0.10.0"),
    ("20250618", "0.10.0", "0.10.1", "0.10.0"),
    ("20250619", "0.10.0", "0.10.1", "0.10.1"),
    ("20250620", "0.10.1", "0.10.1", "0.10.1"),
    ("20250624", "0.10.1", "0.11.0", "0.10.1"),
    ("20250628", "0.10.1", "0.11.0", None),
    ("20250707", "0.10.1", "0.11.0", "0.11.0"),
    ("20250710", "0.11.0.post1", "0.12.0", "0.11.0.post1"),
    ("20250718", "0.11.0.post1", "0.12.0", None),
    ("20250801", "0.11.0.post1", "0.12.0", "0.12.0"),
    ("20250809", "0.12.0", "0.12.2", "0.12.0"),
    ("20250811", "0.12.0", "0.12.2", None),
    ("20250812", "0.12.1", "0.12.2", None),
    ("20250814", "0.12.1", "0.12.2", "0.12.2"),
    ("20250819", "0.12.2", "0.12.2", "0.12.2"),
    ("20250820", "0.12.2", "0.13.0", "0.12.2"),
    ("20250913", "0.12.2", "0.13.0", None),
    ("20251015", "0.12.2", "0.13.0", "0.13.0"),
    ("20251119", "0.13.0", "0.13.0", "0.13.0"),
    ("20251121", "0.13.0", "0.13.1", "0.13.0"),
    ("20251219", "0.13.0", "0.13.1", None),
    ("20260102", "0.13.0", "0.13.1", "0.13.1"),
    ("20260121", "0.13.1", "0.13.1", "0.13.1"),
    ("20260122", "0.13.1", "0.13.2", "0.13.2"),
    ("20260123", "0.13.2", "0.13.2", "0.13.2"),
    ("20260128", "0.13.2", "0.14.0", "0.13.2"),
    ("20260129", "0.13.2", "0.14.0", "0.14.0"),
    ("20260131", "0.14.0", "0.15.0", "0.14.0"),
    ("20260221", "0.14.0", "0.15.0", None),
    ("20260304", "0.14.0", "0.15.0", "0.15.0"),
    ("20260307", "0.15.0", "0.16.0", "0.15.0"),
    ("20260320", "0.15.0", "0.16.0", None),
    ("20260326", "0.15.0", "0.16.0", "0.16.0"),
    ("20260403", "0.16.1", "0.16.1", "0.16.1"),
    ("20260405", "0.16.1", "0.17.0", "0.16.1"),
    ("20260424", "0.16.1", "0.17.0", None),
    ("20260521", "0.16.1", "0.17.0", "0.17.0"),
    ("20260604", "0.17.0", "0.17.0", "0.17.0"),
    ("20260605", "0.17.0", "0.18.0", "0.17.0"),
    ("20260630", "0.17.0", "0.18.0", None),
    ("20260710", "0.17.0", "0.18.0", "0.18.0"),
    ("20260718", "0.18.0", "0.18.0", "0.18.0"),
    ("20260722", "0.18.0", "0.19.0", None),
    ("20260910", "0.19.0", "0.20.0", None),
    ("20260930", "0.20.0", "0.21.0", None),
    ("20261016", "0.21.0", None, None),
]


def test_the_first_and_the_last_day_of_each_window() -> None:
    for row, following in zip(WINDOWS, [*WINDOWS[1:], None], strict=True):
        days = [row[0]] if following is None else [row[0], the_day_before(following[0])]
        for day in days:
            place = place_day("axolotl", day)
            assert place is not None
            near = nearer("axolotl", place.commits, (place.after, place.before))
            assert (place.after, place.before, near) == row[1:], day


def the_day_before(day: str) -> str:
    found = datetime.strptime(day, "%Y%m%d").replace(tzinfo=timezone.utc) - timedelta(days=1)
    return f"{found:%Y%m%d}"


def test_packages_without_a_history() -> None:
    assert place_commit("peft", "54673fd6c") is None
    assert place_day("peft", "20250101") is None
    assert nearer("peft", ("54673fd6c",), ("0.4.1", "0.5.0")) is None
    assert latest_image("peft", "0.17.0", "peft", bare=False) is None


@each(
    ("version", "expected"),
    [
        ("0.13.0.dev0", ("0.12.2", "0.13.0")),
        ("0.3.0.dev0", None),
        ("0.4.0.dev0", None),
        ("99.0.0.dev0", ("0.21.0", None)),
    ],
)
def test_development_versions(version: str, expected: tuple[str | None, str | None] | None) -> None:
    found = place_development("axolotl", version)
    assert (found and (found.after, found.before)) == expected


def test_a_development_version_that_was_released_under_another_number() -> None:
    found = place_development("llamafactory", "0.8.4.dev0")
    assert found is not None
    assert (found.after, found.before) == ("0.8.3", "0.9.0")
    assert place_development("llamafactory", "0.8.4") is None
