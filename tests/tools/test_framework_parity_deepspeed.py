"""cfglint's verdicts on generated DeepSpeed files, and those of DeepSpeed's own releases.

The fixture is written by `python -m tools.framework_parity.deepspeed record`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint.frameworks.deepspeed import filling
from tools.framework_parity.deepspeed import (
    BASES,
    FILLED,
    LATER,
    generate,
    main,
    read_verdicts,
    to_blame,
)
from tools.framework_parity.recorded import Recorded, differing, read_recorded, refused_keys

FILES = read_recorded(Path(__file__).with_name("deepspeed_recorded.json.gz"))
RELEASES = sorted({release for file in FILES for release in file["verdicts"]})
#: `initial_scale_power` is a list: two to its power is worked out only with fp16 switched on, which
#: the key table of the releases before 0.17.1 does not say.
NOT_SEEN = {"00397-zero2.json"}
TABLE = {
    "keys": {
        "fp16.enabled": {"type": "bool"},
        "zero_optimization.stage": {"type": "enum:Stage", "enum": [0, 1, 2, 3]},
        "groups.*.size": {"type": "int"},
    }
}


def refused_at(file: Recorded, release: str) -> list[str]:
    """The keys of the findings that say that a release refuses a file."""
    return refused_keys(file, "deepspeed", release, LATER, gpus=8)


def test_the_fixture_is_worth_something() -> None:
    assert len(RELEASES) >= 5
    verdicts = [verdict for file in FILES for verdict, _ in file["verdicts"].values()]
    assert len(verdicts) >= 2_500
    assert 0.3 < sum(verdicts) / len(verdicts) < 0.6
    assert {file["reader"] for file in FILES} == {"deepspeed", "trainer"}


@pytest.mark.parametrize("release", RELEASES)
def test_every_verdict_is_the_release_s(release: str) -> None:
    seen = [file for file in FILES if file["file"] not in NOT_SEEN]
    assert differing(seen, release, lambda file: refused_at(file, release)) == []


def test_what_is_filled_in_is_the_same_here_and_there() -> None:
    assert {".".join(map(str, path)) for path in filling.FILLED} == set(FILLED)


def test_the_same_seed_makes_the_same_files() -> None:
    assert generate(60, 7, TABLE) == generate(60, 7, TABLE)
    assert generate(60, 7, TABLE) != generate(60, 8, TABLE)


def test_a_change_is_said_where_it_was_made() -> None:
    for one in generate(300, 3, TABLE):
        try:
            config = json.loads(one.text)
        except ValueError:
            assert "" in one.changes
            continue
        kind = one.name.split("-")[1].removesuffix(".json")
        changed = {path.partition(".")[0] for path in one.changes}
        for key, value in BASES[kind].items():
            if key not in changed:
                assert config[key] == value, one.name


def test_files_are_written_and_held_against_verdicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.json"
    table.write_text(json.dumps(TABLE), encoding="utf-8")
    folder = tmp_path / "files"
    assert main(["generate", str(folder), "--count", "30", "--table", str(table)]) == 0
    manifest = [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]
    raw, hf, ours = tmp_path / "raw.jsonl", tmp_path / "hf.jsonl", tmp_path / "ours.json"
    for path, mode in ((raw, "raw"), (hf, "hf")):
        rows = [{"file": row["file"], "ok": mode == "raw", "mode": mode} for row in manifest]
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = read_verdicts([raw, hf], {row["file"]: row["reader"] for row in manifest})
    assert len(found) == 30
    assert {name for name, one in found.items() if one.refused} == {
        row["file"] for row in manifest if row["reader"] == "trainer"
    }
    files = [{"path": row["file"], "diagnostics": []} for row in manifest]
    ours.write_text(json.dumps({"files": files}), encoding="utf-8")
    words = ["compare", str(folder), "--theirs", str(raw), str(hf), "--ours", str(ours)]
    assert main(words) == 1
    assert "refused wrongly, " in capsys.readouterr().out
    out = tmp_path / "fixture.json.gz"
    assert main(["record", str(folder), f"1.0={raw}", f"1.0={hf}", "--out", str(out)]) == 0
    assert len(read_recorded(out)) == 30


def test_refusals_that_speak_of_the_arguments_do_not_count(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    reason = "correct the values that mismatch TrainingArguments values"
    rows.write_text(json.dumps({"file": "a.json", "ok": False, "mode": "raw", "error": reason}))
    assert read_verdicts([rows], {"a.json": "deepspeed"}) == {}


def test_keys_that_are_wrong_together_are_all_to_blame() -> None:
    assert "train_batch_size" in to_blame(["gradient_accumulation_steps"])
    assert "fp16" in to_blame(["bf16.enabled"])
    assert to_blame(["wandb.team"]) == ["wandb.team"]
