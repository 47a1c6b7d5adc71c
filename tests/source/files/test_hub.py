"""Where the hub's cache is, and whether it is worth looking for a model's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.source.files.disk import Disk
from cfglint.source.files.hub import hub_cache, may_have_files

VARIABLES = ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME")


@pytest.fixture(autouse=True)
def _nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.mark.parametrize(
    ("variable", "value", "folder"),
    [
        (None, "", "home/.cache/huggingface/hub"),
        ("HF_HUB_CACHE", "a", "a"),
        ("HUGGINGFACE_HUB_CACHE", "a", "a"),
        ("HF_HOME", "a", "a/hub"),
        ("XDG_CACHE_HOME", "a", "a/huggingface/hub"),
    ],
)
def test_the_cache(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str | None,
    value: str,
    folder: str,
) -> None:
    if variable is not None:
        monkeypatch.setenv(variable, str(tmp_path / value))
    assert hub_cache(Disk()) is None
    (tmp_path / folder).mkdir(parents=True)
    assert hub_cache(Disk()) == str(tmp_path / folder)


@pytest.mark.parametrize(
    ("name", "worth"),
    [
        ("org/name", False),
        ("name", False),
        ("./name", True),
        ("/models/name", True),
        ("~/name", True),
        (".\\name", True),
        ("\\models", True),
        ("a/b/c", True),
        ("local/name", True),
        ("local", True),
    ],
)
def test_models_that_may_have_files(tmp_path: Path, name: str, worth: bool) -> None:
    (tmp_path / "local").mkdir()
    assert may_have_files(name, str(tmp_path), Disk()) is worth
    (tmp_path / "home/.cache/huggingface/hub").mkdir(parents=True)
    assert may_have_files(name, str(tmp_path), Disk())
