"""The environments that a run may have in place of the assumed one."""

from __future__ import annotations

from cfglint.engine.severity.releases.older import (
    before_removals,
    is_before_all,
    old_release,
    older_companion,
    release_of_day,
)
from cfglint.environment.building import build_environment
from cfglint.environment.environment import Environment
from cfglint.environment.pins import Pin
from cfglint.knowledge.releases.table import Releases
from cfglint.roles.framework import load_framework
from tests.draws import each

DAYS = {"0.1.0": "2024-01-01", "0.2.0": "2025-01-01", "0.3.0": "2026-01-01"}


def of_three(*pins: str) -> Environment:
    rows: dict[str, dict[str, str]] = {version: {} for version in DAYS}
    return build_environment(Releases("axolotl", tuple(DAYS), "0.3.0", rows, dates=DAYS), pins=pins)


def test_the_oldest_release_that_is_not_out_of_date() -> None:
    older = old_release(of_three())
    assert older is not None
    assert (older.release, older.assumed) == ("0.2.0", False)
    assert old_release(of_three("axolotl==0.3.0")) is None
    # Beside the newest one of a range, what is out of date is another.
    row: dict[str, dict[str, str]] = {version: {} for version in DAYS}
    pins = {"axolotl": Pin(None, None, "setup.py", "<0.3.0")}
    of_range = old_release(
        Environment(Releases("axolotl", tuple(DAYS), "0.3.0", row, dates=DAYS), pins)
    )
    assert of_range is not None
    assert of_range.release == "0.1.0"


@each(
    ("day", "release"),
    [
        ("2023-05-05", "0.1.0"),
        ("2024-01-01", "0.1.0"),
        ("2024-06-30", "0.1.0"),
        # From here on, what is assumed anyway is near enough.
        ("2024-07-02", None),
        ("2025-12-31", None),
    ],
)
def test_the_release_of_a_day(day: str, release: str | None) -> None:
    found = release_of_day(of_three(), day)
    assert (None if found is None else found.release) == release


@each(
    ("pin", "expected"),
    [
        (None, True),
        # What is stated, even as a range, an installer decides on.
        (Pin("5.0.0", None, "a file"), False),
        (Pin(None, None, "a file", ">=4.50"), False),
        (Pin("5.0.0", None, "an image", inferred=True), False),
        # Of what only imports show, any may be there that fits.
        (Pin(None, None, "imports", ">=4.50", inferred=True), True),
        (Pin(None, None, "imports", ">=99", inferred=True), False),
    ],
)
def test_the_oldest_release_beside_a_framework(pin: Pin | None, expected: bool) -> None:
    pins = {"trl": Pin("1.16.0", None, "a file"), **({"transformers": pin} if pin else {})}
    target = Environment(load_framework("trl").releases, pins)
    found = older_companion(target, ["transformers", "trl", "nothing-known"])
    assert (found is not None) is expected
    if found is not None:
        own = found.pins["transformers"]
        assert own.implied
        assert own.version is not None
        assert found.pins["trl"] == pins["trl"]
        assert older_companion(target, ["trl"]) is None


@each(
    ("fork", "day", "expected"),
    [
        ("a/axolotl", "2023-12-31", True),
        ("a/axolotl", "2024-01-01", False),
        ("a/axolotl", None, False),
        # Who installs the framework itself gets a release of today.
        ("", "2023-12-31", False),
    ],
)
def test_a_fork_of_before_all_releases(fork: str, day: str | None, expected: bool) -> None:
    pins = {"axolotl": Pin(None, None, "README.md", fork=fork)}
    target = Environment(of_three().releases, pins)
    assert is_before_all(target, day) is expected


@each(
    ("pins", "removed", "expected"),
    [
        ({}, ["trl 0.16.0", "trl 0.13.0"], {"trl": "0.12.2"}),
        # A stated release stays.
        ({"trl": Pin("0.24.0", None, "a file")}, ["trl 0.16.0"], None),
        ({"trl": Pin(None, None, "a file", ">=0.12")}, ["trl 0.16.0"], {"trl": "0.15.2"}),
        ({}, ["nothing-known 1.0", "trl 0.0.1"], None),
        ({}, [], None),
    ],
)
def test_the_newest_releases_that_have_what_others_removed(
    pins: dict[str, Pin], removed: list[str], expected: dict[str, str] | None
) -> None:
    target = Environment(load_framework("accelerate").releases, pins)
    found = before_removals(target, removed)
    assert (found and {name: pin.version for name, pin in found.pins.items()}) == expected
    assert found is None or found.release == target.release


def test_the_framework_itself_may_be_the_one_that_removed_something() -> None:
    target = Environment(load_framework("trl").releases, {})
    found = before_removals(target, ["trl 0.16.0"])
    assert found is not None
    assert found.release == "0.15.2"
