"""Versions that are not known releases: the warnings about them, and their places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint import lint_text
from cfglint.knowledge.releases.table import releases_of
from cfglint.knowledge.releases.unlisted import known_release, unlisted
from tests.cli.files import CLEAN
from tests.cli.running import run

NEWEST = releases_of("axolotl").newest
DEEPSPEED = releases_of("deepspeed").newest


@pytest.mark.parametrize(
    ("package", "version"),
    [
        ("axolotl", "0.18.0"),
        ("axolotl", "0.18"),
        ("axolotl", "0.8.1"),
        ("deepspeed", "0.16.4+cu126"),
        ("deepspeed", "0.16.4+unknown"),
        ("axolotl", NEWEST),
        ("torch", "99.0"),
        ("axolotl", "no version"),
    ],
)
def test_no_warning(package: str, version: str) -> None:
    assert unlisted(package, version) is None


@pytest.mark.parametrize(
    ("package", "version", "expected"),
    [
        ("axolotl", "0.81.0", "newer than the releases that cfglint knows (0.4.1 to"),
        ("axolotl", "0.81.0", "; did you mean 0.18.0"),
        ("axolotl", "0.17.5", "is not one of the releases that cfglint knows"),
        ("axolotl", "0.17.5", "; did you mean 0.17.0"),
        ("axolotl", "0.3.0", "older than the releases that cfglint knows (0.4.1 to"),
        ("axolotl", "0.18.0.dev0", "is not one of the releases"),
        ("deepspeed", "0.61.4", "; did you mean 0.16.4"),
        ("accelerate", "0.19.0", "older than the releases that cfglint knows (0.20.0 to"),
    ],
)
def test_the_warning(package: str, version: str, expected: str) -> None:
    found = unlisted(package, version)
    assert found is not None
    assert expected in found.question
    assert "did you mean" not in str(found)


@pytest.mark.parametrize(
    ("package", "version", "close"),
    [
        ("axolotl", "0.81.0", ("0.18.0", NEWEST)),
        ("axolotl", "0.22", (NEWEST,)),
        ("axolotl", "0.4", ("0.4.1",)),
        ("axolotl", "0.4.0", ("0.4.1",)),
        ("axolotl", "0.17.5", ("0.17.0", "0.18.0")),
        # Swapped digits come first; versions are compared as versions.
        ("deepspeed", "0.61.4", ("0.16.4", DEEPSPEED)),
        # Digits that are merely the same are no slip.
        ("trl", "0.12.9", ("0.12.2", "0.13.0")),
        ("axolotl", "0.18.0.dev0", ()),
        ("axolotl", "0.18.0.post1", ()),
    ],
)
def test_similar_versions(package: str, version: str, close: tuple[str, ...]) -> None:
    found = unlisted(package, version)
    assert found is not None
    assert found.close == close
    assert found.is_build is (not close)


def test_a_version_has_several_spellings() -> None:
    releases = releases_of("axolotl")
    assert known_release("0.18", releases) == known_release("0.18.0+cu1", releases) == "0.18.0"
    assert known_release("x", releases) is None


def test_a_patch_between_two_known_patches_of_its_series() -> None:
    releases = releases_of("transformers")
    assert known_release("4.46.2", releases) == "4.46.1"
    assert unlisted("transformers", "4.46.2") is None
    assert known_release("4.46.4", releases) is None
    assert known_release("4.46.0", releases) is None
    assert known_release("4.46.2.dev0", releases) is None


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("train.yml").write_text(CLEAN, encoding="utf-8")


@pytest.mark.parametrize(
    "pin", ["axolotl==0.81.0", "axolotl==0.17.5", "deepspeed==0.61.4", "accelerate==9.9.9"]
)
def test_an_option_or_a_setting_that_names_no_release_is_an_error(pin: str) -> None:
    result = run("train.yml", "--target", pin)
    assert (result.code, result.out) == (2, "")
    assert f"cfglint: {pin.replace('==', ' ')} is " in result.err
    Path("cfglint.toml").write_text(f'target = ["{pin}"]\n', encoding="utf-8")
    result = run("train.yml")
    assert (result.code, result.out) == (2, "")
    assert "cfglint.toml: " in result.err
    with pytest.raises(ValueError, match="releases that cfglint knows"):
        lint_text(CLEAN, target=pin)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.81.0", "checked against the releases around it"),
        ("0.3.0", "its keys are not checked"),
        ("0.18.0rc1", "checked against the releases around it"),
    ],
)
def test_a_lock_file_that_names_no_release_is_a_warning(
    version: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("requirements.txt").write_text(
        f"axolotl=={version}\naccelerate==0.33.9\ndeepspeed==0.16.4+cu126\n", encoding="utf-8"
    )
    monkeypatch.setenv("COLUMNS", "120")
    lines = run("train.yml", "--select", "YML").out.replace("\n  ", " ").splitlines()
    (first, second) = [line for line in lines if line.startswith("warning: ")]
    assert first.startswith(f"warning: axolotl {version} is ")
    assert "(requirements.txt line 1)" in first
    assert expected in first
    assert second.startswith("warning: accelerate 0.33.9 is not one of")
    report = json.loads(run("train.yml", "--format", "json").out)
    assert {name for name, row in report["target"].items() if "warning" in row} == {
        "axolotl",
        "accelerate",
    }
    assert "Warning: axolotl" in run("train.yml", "--format", "markdown").out


@pytest.mark.parametrize("version", ["0.3.0", "0.18.0.post1"])
def test_an_option_that_may_well_be_meant_is_a_warning(version: str) -> None:
    result = run("train.yml", "--target", f"axolotl=={version}", "--select", "YML")
    assert result.code == 0
    assert f"warning: axolotl {version} is " in result.out
    known = run("train.yml", "--target", f"axolotl=={NEWEST}", "--select", "YML")
    assert "warning" not in known.out
