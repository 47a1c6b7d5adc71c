"""Generated files of LLaMA-Factory, and cfglint's verdicts on them, which are its own parser's.

The fixture is written by `python -m tools.framework_parity.llamafactory record`: generated files,
and what the parsers of two releases said about them, with eight GPUs.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tools.framework_parity.llamafactory import BASES, LATER, generate, main
from tools.framework_parity.recorded import differing, read_recorded, refused_keys
from tools.framework_parity.verdicts import named_keys, read_theirs

FILES = read_recorded(Path(__file__).with_name("llamafactory_recorded.json.gz"))
#: Release -> the transformers that ran with it.
RELEASES = {"0.9.3": "4.52.4", "0.9.5": "5.6.0"}
TABLE = {"keys": {"seed": {"default": 42}, "fsdp_config": {"default": {}}, "lang": {}}}


def test_the_fixture_is_worth_something() -> None:
    verdicts = [verdict for file in FILES for verdict, _ in file["verdicts"].values()]
    assert len(verdicts) >= 250
    assert 0.3 < sum(verdicts) / len(verdicts) < 0.7


@pytest.mark.parametrize("release", RELEASES)
def test_every_verdict_is_the_parser_s(release: str) -> None:
    others = [f"transformers=={RELEASES[release]}"]
    found = differing(
        FILES, release, lambda file: refused_keys(file, "llamafactory", release, LATER, 8, others)
    )
    assert found == []


def test_a_change_is_said_where_it_was_made() -> None:
    for name, config, changes in generate(300, 3, TABLE):
        base = BASES[name.split("-")[1].removesuffix(".yaml")]
        for key, value in base.items():
            if key not in changes and value is not None and key in config:
                assert config[key] == value, name


def test_files_and_manifest_are_written(tmp_path: Path) -> None:
    table = tmp_path / "table.json"
    table.write_text(json.dumps(TABLE), encoding="utf-8")
    folder = tmp_path / "files"
    assert main(["generate", str(folder), "--count", "30", "--table", str(table)]) == 0
    rows = [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]
    assert len(rows) == 30
    for row in rows:
        assert isinstance(yaml.safe_load((folder / row["file"]).read_text("utf-8")), dict)


def test_a_text_in_the_place_of_a_number_counts_as_refused(tmp_path: Path) -> None:
    rows = [
        {"file": "a.yaml", "ok": True, "string_numbers": ["learning_rate"]},
        {"file": "b.yaml", "ok": True, "string_numbers": []},
    ]
    path = tmp_path / "theirs.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = read_theirs(path)
    assert (found["a.yaml"].refused, found["b.yaml"].refused) == (True, False)
    assert "learning_rate" in found["a.yaml"].reason


def test_unknown_keys_are_named() -> None:
    reason = "parse: Some keys are not used by the HfArgumentParser: ['a', 'b_c']"
    assert named_keys(reason) == ["a", "b_c"]
