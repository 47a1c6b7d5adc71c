"""The names that packages have for programs."""

from __future__ import annotations

from cfglint.knowledge.releases.names import (
    asked_by_newest,
    known_versions,
    names_of,
    packages_beside,
)
from cfglint.knowledge.releases.table import known_releases


def test_packages_of_no_framework() -> None:
    beside = packages_beside()
    assert beside["peft"] == "peft"
    assert "trl" not in beside.values()
    for package in beside.values():
        # Releases, the oldest first, and what the newest one asks for.
        assert known_versions(package)
        assert names_of(package)
    assert "torch" in asked_by_newest("peft")


def test_packages_of_frameworks() -> None:
    releases = known_releases("trl")
    assert releases is not None
    assert known_versions("trl") == releases.versions
    assert asked_by_newest("trl") == releases.pins[releases.newest]
    first, last = names_of("trl")["AlignPropTrainer"]
    assert (first, last) == ("0.9.6", "0.24.0")


def test_packages_of_which_nothing_is_known() -> None:
    assert known_versions("no-such-package") == ()
    assert asked_by_newest("no-such-package") == {}
