"""The names that packages have for programs."""

from __future__ import annotations

from cfglint.knowledge import compiled
from cfglint.knowledge.releases.names import (
    asked_by_newest,
    known_versions,
    names_of,
    packages_beside,
    successor,
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


def test_each_successor_is_that_of_a_name_which_its_package_no_longer_has() -> None:
    sentences = compiled.load("successors").SENTENCES
    for package, rows in sentences.items():
        gone = {name.rpartition(".")[2] for name, (_, end) in names_of(package).items() if end}
        assert set(rows) <= gone
        assert all(text.endswith(".") for text in rows.values())
    assert successor("trl", "trainer.utils.ConstantLengthDataset").startswith("`packing`")
    assert successor("trl", "SFTTrainer") == successor("no-package", "x") == ""
