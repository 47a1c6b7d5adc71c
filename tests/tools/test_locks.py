"""The index that the lock files are made against; the tools themselves are not needed here."""

from __future__ import annotations

import json
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tools.locks.cli import main
from tools.locks.packages import CONDA, WHEELS, write_channel, write_wheels
from tools.locks.recipes import RECIPES
from tools.locks.workshop import COMMIT, NOWHERE, MissingToolError, Workshop, index, write_clone

MADE = Path(__file__).parents[1] / "environment/project/files/made"


def test_wheels_say_who_they_are(tmp_path: Path) -> None:
    write_wheels(tmp_path)
    for name, (version, needs, _) in WHEELS.items():
        wheel = tmp_path / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
        with zipfile.ZipFile(wheel) as archive:
            (metadata,) = (n for n in archive.namelist() if n.endswith("METADATA"))
            text = archive.read(metadata).decode()
        assert f"\nName: {name}\nVersion: {version}\n" in text
        assert text.count("Requires-Dist") >= len(needs)


def test_the_same_bytes_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_wheels(tmp_path / name)
    for wheel in (tmp_path / "one").iterdir():
        assert wheel.read_bytes() == (tmp_path / "two" / wheel.name).read_bytes()


def test_channel(tmp_path: Path) -> None:
    write_channel(tmp_path)
    listed: dict[str, str] = {}
    for platform in ("noarch", "linux-64"):
        data = json.loads((tmp_path / platform / "repodata.json").read_text())
        for file, record in data["packages"].items():
            listed[record["name"]] = record["version"]
            with tarfile.open(tmp_path / platform / file) as archive:
                assert "info/index.json" in archive.getnames()
    assert listed == {name: version for name, (version, _, _) in CONDA.items()}


def test_index_and_what_is_left_of_it(tmp_path: Path) -> None:
    write_clone(tmp_path / "clone")
    with index(tmp_path / "index") as url:
        page = urllib.request.urlopen(f"{url}/simple/flash-attn/").read().decode()
        shop = Workshop(tmp_path / "work" / "tune", url, [tmp_path], tmp_path / "clone")
    assert "flash_attn-2.7.4.post1" in page
    text = f"{url}/simple {shop.folder}/x axolotl@{shop.commit}"
    assert shop.clean(text) == f"{NOWHERE}/simple /tune/x axolotl@{COMMIT}"
    with pytest.raises(MissingToolError):
        shop.find("uv")


def test_every_recipe_has_made_its_files() -> None:
    assert {folder.name for folder in MADE.iterdir()} == set(RECIPES)


def test_tools_that_are_not_there_are_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "out"), "--bin", str(tmp_path), "--only", "uv"]) == 0
    assert "no uv here" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
