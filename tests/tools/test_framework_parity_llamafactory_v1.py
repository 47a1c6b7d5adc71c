"""Generated files of LLaMA-Factory's v1 layout, and cfglint's verdicts on them, which are its parser's.

The fixture is written by `python -m tools.framework_parity.llamafactory_v1 record`: generated files,
and what the parsers and the plugin registries of two releases said about them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.framework_parity.llamafactory_v1 import LATER, generate, main
from tools.framework_parity.recorded import read_recorded, refused_keys

FILES = read_recorded(Path(__file__).with_name("llamafactory_v1_recorded.json.gz"))
RELEASES = ("0.9.4", "0.9.5")
TABLE = {"keys": {"seed": {"default": 42}, "dist_config": {}}}


def test_the_fixture_is_worth_something() -> None:
    verdicts = [
        verdict
        for file in FILES
        for release, (verdict, _) in file["verdicts"].items()
        if release == "0.9.5"
    ]
    assert len(verdicts) >= 100
    assert 0.3 < sum(verdicts) / len(verdicts) < 0.7


@pytest.mark.parametrize("release", RELEASES)
def test_every_verdict_is_the_parser_s(release: str) -> None:
    differing = []
    for file in FILES:
        if release in file["verdicts"]:
            refused, _ = file["verdicts"][release]
            keys = refused_keys(file, "llamafactory", release, LATER)
            if bool(keys) != refused:
                differing.append((file["file"], file["changes"], keys))
    assert differing == []


def test_the_same_seed_makes_the_same_files() -> None:
    made = list(generate(50, 3, TABLE))
    assert made == list(generate(50, 3, TABLE))
    assert made != list(generate(50, 4, TABLE))
    assert len({name for name, _, _ in made}) == 50


def test_files_are_written(tmp_path: Path) -> None:
    table = tmp_path / "table.json"
    table.write_text(json.dumps(TABLE), encoding="utf-8")
    folder = tmp_path / "files"
    assert main(["generate", str(folder), "--count", "5", "--table", str(table)]) == 0
    assert len(list(folder.glob("*.yaml"))) == 5
