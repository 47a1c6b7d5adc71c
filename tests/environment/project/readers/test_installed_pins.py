"""The pins of the environment that is in use."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cfglint.environment.project.readers.installed_pins import installed_pins
from cfglint.source.files.disk import Disk
from tests.environment.project.test_installed import package


def test_where_each_comes_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "lib" / "python3.11" / "site-packages"
    package(site, "trl", "0.17.0")
    package(site, "transformers", "4.52.4")
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    found = installed_pins("trl", Disk())
    assert {name: pin.version for name, pin in found.items()} == {
        "trl": "0.17.0",
        "transformers": "4.52.4",
    }
    pin = found["trl"]
    assert pin.origin.startswith("installed in ")
    assert (pin.in_project, pin.path) == (False, "")


def test_without_an_environment_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert installed_pins("trl", Disk()) == {}
