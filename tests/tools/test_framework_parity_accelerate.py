"""Generated config files of accelerate, and the comparison of verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tools.framework_parity.accelerate import BASES, generate, main
from tools.framework_parity.verdicts import (
    Verdict,
    compare,
    named_keys,
    read_ours,
    read_theirs,
    report,
)

TABLE = {
    "keys": {
        "distributed_type": {"type": "choice", "enum": ["NO", "FSDP"]},
        "gpu_ids": {"type": "str|null"},
        "fsdp_config.fsdp_offload_params": {"type": "truth"},
    }
}


def test_the_same_seed_makes_the_same_files() -> None:
    assert generate(60, 7, TABLE) == generate(60, 7, TABLE)
    assert generate(60, 7, TABLE) != generate(60, 8, TABLE)


def test_a_change_is_said_where_it_was_made() -> None:
    for name, config, changes in generate(400, 3, TABLE):
        kind = name.split("-")[1].removesuffix(".yaml")
        changed = {path.partition(".")[0] for path in changes}
        for key, value in BASES[kind].items():
            if key not in changed:
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


def row(file: str, ok: bool, **more: str) -> str:
    return json.dumps({"file": f"/somewhere/{file}", "ok": ok, "stage": "load", **more})


def finding(code: str, upstream: str, *path: str) -> dict[str, object]:
    return {"code": code, "upstream": upstream, "path": list(path), "message": "no"}


def test_verdicts_are_compared_file_by_file(tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs.jsonl", tmp_path / "ours.json"
    theirs.write_text(
        "\n".join(
            [
                row("a.yaml", False, error="bad"),
                row("b.yaml", True),
                row("c.yaml", False, error="worse"),
                row("d.yaml", False, error="gone", kind="missing file"),
                row("e.yaml", False, error="bad"),
            ]
        ),
        encoding="utf-8",
    )
    files = {
        "a.yaml": [finding("X002", "silent", "y"), finding("X001", "rejects", "s", "k")],
        "b.yaml": [finding("X001", "rejects", "k")],
        "c.yaml": [finding("X002", "silent", "k")],
        "d.yaml": [],
        "e.yaml": [finding("X001", "rejects", "other")],
    }
    ours.write_text(
        json.dumps({"files": [{"path": f"in/{p}", "diagnostics": d} for p, d in files.items()]}),
        encoding="utf-8",
    )
    result = compare(read_theirs(theirs), read_ours(ours), {"a.yaml": ["s.k"], "e.yaml": ["k"]})
    assert result.files == 4
    assert [name for name, _ in result.wrongly_refused] == ["b.yaml"]
    assert [name for name, _ in result.missed] == ["c.yaml"]
    assert (result.refused_by_both, result.same_key) == (2, 1)
    assert [name for name, _ in result.other_key] == ["e.yaml"]
    assert "50.00 % the same verdict" in report(result, 5)


def test_what_is_refused_later_does_not_count(tmp_path: Path) -> None:
    ours = tmp_path / "ours.json"
    file = {"path": "a.yaml", "diagnostics": [finding("ACC033", "rejects", "k")]}
    ours.write_text(json.dumps({"files": [file]}), encoding="utf-8")
    assert read_ours(ours)["a.yaml"] == Verdict(True, "ACC033 no", ("k",))
    assert read_ours(ours, frozenset({"ACC033"})) == {"a.yaml": Verdict(False)}


def test_a_difference_is_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manifest.jsonl").write_text('{"file": "a.yaml", "changes": ["k"]}\n')
    theirs, ours = tmp_path / "theirs.jsonl", tmp_path / "ours.json"
    ours.write_text(json.dumps({"files": [{"path": "a.yaml", "diagnostics": []}]}))
    words = ["compare", str(tmp_path), "--theirs", str(theirs), "--ours", str(ours)]
    theirs.write_text(row("a.yaml", False, error="bad"))
    assert main(words) == 1
    theirs.write_text(row("a.yaml", True))
    assert main(words) == 0
    assert "1 files, 100.00 % the same verdict" in capsys.readouterr().out


def test_keys_that_a_refusal_names_are_to_blame() -> None:
    reason = "load: The config file at x had unknown keys (['a', 'b_c']), please try upgrading"
    assert named_keys(reason) == ["a", "b_c"]
    assert named_keys("invalid truth value none") == []
    theirs, changed = {"x": Verdict(True, reason)}, {"x": ["a", "z"]}
    assert compare(theirs, {"x": Verdict(True, "", ("a",))}, changed).same_key == 1
    assert compare(theirs, {"x": Verdict(True, "", ("z",))}, {"x": ["a"]}).same_key == 0


def test_a_key_that_decides_which_others_are_known_is_to_blame_when_it_was_changed() -> None:
    reason = "load: The config file at x had unknown keys (['a', 'b']), please try upgrading"
    theirs, ours = {"x": Verdict(True, reason)}, {"x": Verdict(True, "", ("kind",))}
    deciding = frozenset({"kind"})
    assert compare(theirs, ours, {"x": ["a", "kind"]}).same_key == 0
    assert compare(theirs, ours, {"x": ["a", "kind"]}, deciding).same_key == 1
    assert compare(theirs, ours, {"x": ["a"]}, deciding).same_key == 0
