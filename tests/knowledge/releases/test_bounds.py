"""What a release of Unsloth asks for, and what that says about releases that nothing states."""

from __future__ import annotations

from cfglint.environment.building import build_environment
from cfglint.knowledge.releases.bounds import asked_by
from cfglint.knowledge.releases.table import releases_of


def test_what_a_release_asks_for() -> None:
    assert "<=0.23.0" in asked_by("unsloth", "2025.9.11")["trl"]
    assert "<=" not in asked_by("unsloth", "2025.7.11")["trl"]
    assert asked_by("unsloth", "2024.1") == {}
    assert asked_by("tqdm", "4.0") == {}


def test_the_newest_release_that_goes_with_it_is_assumed() -> None:
    releases = releases_of("trl")
    assert build_environment(releases, pins=["unsloth==2025.9.11"]).release == "0.23.0"
    newest = build_environment(releases, pins=[]).release
    assert build_environment(releases, pins=["unsloth==2024.1"]).release == newest
    # What is stated is not asked about.
    assert (
        build_environment(releases, pins=["unsloth==2025.9.11", "trl==0.24.0"]).release == "0.24.0"
    )


def test_the_same_of_a_package_beside_the_framework() -> None:
    target = build_environment(releases_of("trl"), pins=["unsloth==2025.9.11"])
    assert target.beside("transformers", "4.57.1", ["4.55.4", "4.56.2", "4.57.1"]) == "4.56.2"
