"""The generator of TRL's files, and the comparison of verdicts on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.framework_parity.recorded import differing, read_recorded, refused_keys
from tools.framework_parity.trl import BASES, LATER, main

FILES = read_recorded(Path(__file__).with_name("trl_recorded.json.gz"))
#: Release -> the transformers that ran with it.
RELEASES = {"0.24.0": "4.57.1", "1.16.0": "5.16.1"}


def test_the_fixture_is_worth_something() -> None:
    verdicts = [verdict for file in FILES for verdict, _ in file["verdicts"].values()]
    assert len(verdicts) >= 250
    assert 0.3 < sum(verdicts) / len(verdicts) < 0.7


@pytest.mark.parametrize("release", RELEASES)
def test_every_verdict_is_the_parser_s(release: str) -> None:
    others = [f"transformers=={RELEASES[release]}"]
    found = differing(
        FILES, release, lambda file: refused_keys(file, "trl", release, LATER, 1, others)
    )
    assert found == []


def test_the_same_seed_makes_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert main(["generate", "--count", "40", "--seed", "3", str(tmp_path / name)]) == 0
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*.yaml"))
    assert len(files) == 40
    assert {path.parts[0] for path in files} == set(BASES)
    for path in files:
        assert (tmp_path / "a" / path).read_text() == (tmp_path / "b" / path).read_text()
    rows = [
        json.loads(line) for line in (tmp_path / "a" / "manifest.jsonl").read_text().splitlines()
    ]
    assert all(not row["changes"] for row in rows[: len(BASES)])
    assert any(row["changes"] for row in rows)


def test_verdicts_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["generate", "--count", "6", str(tmp_path)])
    names = [path.name for path in sorted(tmp_path.rglob("*.yaml"))]
    theirs, ours = tmp_path / "theirs.jsonl", tmp_path / "ours.json"
    rows = [{"file": name, "ok": name != names[0], "error": "x"} for name in names]
    theirs.write_text("\n".join(map(json.dumps, rows)))
    ours.write_text(json.dumps({"files": [{"path": name, "diagnostics": []} for name in names]}))
    words = ["compare", str(tmp_path), "--theirs", str(theirs), "--ours", str(ours)]
    assert main(words) == 1
    assert "0 refused wrongly, 1 missed" in capsys.readouterr().out


def test_files_are_recorded(tmp_path: Path) -> None:
    main(["generate", "--count", "6", str(tmp_path)])
    rows = [
        {"file": row["file"].rpartition("/")[2], "ok": True}
        for row in map(json.loads, (tmp_path / "manifest.jsonl").read_text().splitlines())
    ]
    theirs = tmp_path / "theirs.jsonl"
    theirs.write_text("\n".join(map(json.dumps, rows)))
    assert main(["record", str(tmp_path), f"1.16.0={theirs}", "--out", str(tmp_path / "f.gz")]) == 0
    assert len(read_recorded(tmp_path / "f.gz")) == 6
