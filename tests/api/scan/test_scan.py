"""`cfglint scan` from its tables to its tables."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs the extra [scan]")

from cfglint import Linter
from cfglint.api.scan.guard import Guard
from cfglint.api.scan.model import SHARD, ScanError
from cfglint.api.scan.run import Scan, scan
from tests.api.scan.tables_of_files import FORMS, MIXED, read, write
from tests.api.scan.test_guard import hostile_command
from tests.cli.files import CLEAN, MISSPELT
from tests.cli.running import environment, run

GIT = shutil.which("git")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()


def left() -> set[str]:
    return {path.name for path in Path().iterdir()} - {".git"}


@pytest.mark.parametrize("form", FORMS)
def test_each_row_has_the_findings_of_a_single_check_once(form: str) -> None:
    write(Path(f"t.{form}"), MIXED, 3)
    done = run("scan", f"t.{form}", "--out", "out.parquet")
    assert (done.code, done.err) == (0, "")
    assert left() == {f"t.{form}", "out.parquet", "out.files.parquet"}
    files = read(Path("out.files.parquet"))
    assert [(row["row"], row["path"]) for row in files] == [
        (number, path) for number, (path, _) in enumerate(MIXED)
    ]
    assert {row["source"] for row in files} == {f"t.{form}"}
    findings = read(Path("out.parquet"))
    for number, (path, content) in enumerate(MIXED):
        if content is not None and form == "jsonl":
            content = content.decode("utf-8", "replace").encode()
        reported = [
            (row["code"], row["message"], row["line"]) for row in findings if row["row"] == number
        ]
        report = Linter().lint_found(content or b"", path or "<text>")
        if content is None or len(content) > 1 << 20 or report is None:
            assert (files[number]["status"], reported) == ("skipped", [])
            assert files[number]["reason"]
        else:
            found = [(one.code, one.message, one.line) for one in report.diagnostics]
            assert (files[number]["status"], files[number]["reason"]) == ("checked", None)
            assert reported == found
            assert files[number]["release"] == report.target.release
            counts = [files[number][name] for name in ("errors", "warnings", "notes")]
            assert sum(counts) == len(reported)


def test_the_summary_counts_what_the_tables_have() -> None:
    write(Path("t.parquet"), MIXED)
    done = run("scan", "t.parquet", "--out", "out.parquet", "--format", "json", "--select", "KEY")
    report = json.loads(done.out)
    files, findings = read(Path("out.files.parquet")), read(Path("out.parquet"))
    assert (report["files"], report["findings"]) == (len(files), len(findings))
    assert report["statuses"]["checked"] == sum(row["status"] == "checked" for row in files)
    [rule] = report["rules"]
    assert rule == {
        "code": "KEY001",
        "name": "unknown-key",
        "severity": "error",
        "findings": len(findings),
        "files": len({row["row"] for row in findings}),
    }
    assert sum(row["findings"] for row in report["frameworks"]) == len(findings)
    assert sum(row["files_with_errors"] for row in report["frameworks"]) == rule["files"]
    assert {row["reason"] for row in report["not_checked"]} == {
        row["reason"] for row in files if row["reason"]
    }


def test_the_summary_for_people() -> None:
    write(Path("t.parquet"), MIXED)
    out = run("scan", "t.parquet", "--out", "out.parquet", "--select", "KEY").out
    assert "error   KEY001 unknown-key" in out
    assert "skipped: not a config of any framework that cfglint knows" in out
    assert "11 files (8 checked, 3 skipped), " in out
    assert out.endswith("wrote out.parquet, out.files.parquet\n")


def test_an_empty_table_has_empty_results() -> None:
    write(Path("t.parquet"), [])
    done = run("scan", "t.parquet", "--out", "out.parquet")
    assert done.code == 0
    assert (read(Path("out.parquet")), read(Path("out.files.parquet"))) == ([], [])


def test_a_source_that_is_given_twice_is_one() -> None:
    write(Path("t.parquet"), MIXED)
    run("scan", "t.parquet", "t.parquet", "--out", "out.parquet")
    assert len(read(Path("out.files.parquet"))) == len(MIXED)


def asked(*sources: str, **changes: Any) -> Scan:
    choices = {"select": ("KEY",), "settings": True}
    return Scan(sources=sources, out="out.parquet", jobs=1, **{"choices": choices, **changes})


#: Of the shards in tests that need several.
SMALL = 150
#: Whatever knows the size by its name.
KNOWING = ("model", "tables", "trees")
#: The command of a process that makes such shards; it heeds the interrupt, which a shell that starts
#: the tests in the background makes them ignore.
_COMMAND = f"""\
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import cfglint.api.scan.model
cfglint.api.scan.model.SHARD = {SMALL}
runpy.run_module("cfglint", run_name="__main__")
"""


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shard takes a tenth of a second instead of two."""
    assert SMALL < SHARD
    for name in KNOWING:
        monkeypatch.setattr(f"cfglint.api.scan.{name}.SHARD", SMALL)


def many(path: str, count: int) -> None:
    write(Path(path), [(f"{number}.yml", MISSPELT.encode()) for number in range(count)], 500)


@pytest.mark.usefixtures("_small")
def test_what_is_done_is_not_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    many("t.parquet", SMALL + 10)
    guarded = Guard.judge
    calls: list[int] = []

    def judge(self: Any, request: Any) -> Any:
        calls.append(request.first)
        if request.first >= SMALL and len(calls) < 50:
            raise ScanError("the power is gone")
        return guarded(self, request)

    monkeypatch.setattr(Guard, "judge", judge)
    with pytest.raises(ScanError, match="the power is gone"):
        scan(asked("t.parquet"), lambda _: None, pytest.fail)
    pieces = os.listdir("out.parquet.shards")
    assert sorted(name.partition(".")[2] for name in pieces) == [
        "files.parquet",
        "findings.parquet",
    ]
    calls.extend([0] * 50)
    del calls[:-50]
    reported: list[tuple[int, bool]] = []
    summary = scan(asked("t.parquet"), lambda p: reported.append((p.files, p.resumed)), pytest.fail)
    # The rest is reported as a part and as done.
    assert sorted(reported) == [(0, False), (10, False), (SMALL, True)]
    assert min(calls[50:]) == SMALL
    assert summary is not None
    assert (summary.files, summary.findings) == (SMALL + 10, SMALL + 10)
    assert left() == {"t.parquet", "out.parquet", "out.files.parquet"}
    assert [row["row"] for row in read(Path("out.parquet"))] == list(range(SMALL + 10))


@pytest.mark.parametrize("what", ["options", "table", "restart", "settings"])
def test_what_was_done_for_something_else_is_not_used(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    many("t.parquet", 5)
    Path("s.toml").write_text('ignore = ["HPR"]\n')
    choices = {"select": ("KEY",), "settings": "s.toml"}
    put_together = "cfglint.api.scan.run.put_together"
    with monkeypatch.context() as patch:

        def stop(*_: object) -> None:
            raise ScanError("stop")

        patch.setattr(put_together, stop)
        with pytest.raises(ScanError, match="stop"):
            scan(asked("t.parquet", choices=choices), lambda _: None, pytest.fail)
    changes: dict[str, Any] = {"choices": choices}
    if what == "options":
        changes["choices"] = {**choices, "select": ("KEY", "YML")}
    elif what == "table":
        many("t.parquet", 5)
        os.utime("t.parquet", ns=(1, 1))
    elif what == "settings":
        Path("s.toml").write_text('ignore = ["HPR", "KEY"]\n')
    else:
        changes["restart"] = True
    reported: list[bool] = []
    scan(
        asked("t.parquet", **changes),
        lambda p: reported.append(p.resumed) if p.is_last else None,
        pytest.fail,
    )
    assert reported == [False]


@pytest.mark.usefixtures("_small")
def test_a_kill_of_the_command_loses_nothing() -> None:
    many("t.parquet", 8 * SMALL)
    command = [sys.executable, "-c", _COMMAND, "scan", "t.parquet", "--out", "out.parquet"]
    with subprocess.Popen(
        [*command, "--jobs", "1"], env=environment(), stdout=subprocess.DEVNULL
    ) as process:
        deadline = time.monotonic() + 120
        while not list(Path().glob("out.parquet.shards/*.files.parquet")):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    assert not Path("out.parquet").exists()
    done = run("scan", "t.parquet", "--out", "out.parquet", "--format", "json")
    assert json.loads(done.out)["resumed"] >= SMALL
    assert [row["row"] for row in read(Path("out.files.parquet"))] == list(range(8 * SMALL))
    assert left() == {"t.parquet", "out.parquet", "out.files.parquet"}


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_an_interrupt_says_how_to_go_on() -> None:
    many("t.parquet", 20 * SHARD)
    command = [sys.executable, "-c", _COMMAND, "scan", "t.parquet", "--out", "out.parquet"]
    with subprocess.Popen(
        command, env=environment(), stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        while not Path("out.parquet.shards").exists():
            time.sleep(0.02)
        time.sleep(0.5)
        # As a terminal does it: the workers get it, too.
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.decode() == "cfglint: interrupted; run the same command again to continue\n"
    assert not list(Path("out.parquet.shards").glob("*.tmp"))


def test_files_that_kill_and_stall_are_rows(tmp_path: Path) -> None:
    contents = [CLEAN.encode(), b"segfault", b"stall", b"once", MISSPELT.encode()]
    write(Path("t.parquet"), [("a.yml", content) for content in contents])
    summary = scan(
        asked("t.parquet", command=hostile_command(tmp_path), limit=4.0),
        lambda _: None,
        pytest.fail,
    )
    assert summary is not None
    assert summary.statuses == {
        "checked": 2,
        "skipped": 1,
        "failed": 0,
        "crashed": 1,
        "stalled": 1,
    }
    statuses = [row["status"] for row in read(Path("out.files.parquet"))]
    assert statuses == ["checked", "crashed", "stalled", "skipped", "checked"]


def test_a_table_with_a_hole_writes_no_results() -> None:
    many("good.parquet", 3)
    many("bad.parquet", 3)
    whole = Path("bad.parquet").read_bytes()
    Path("bad.parquet").write_bytes(whole[:8] + bytes(60) + whole[68:])
    done = run("scan", "good.parquet", "bad.parquet", "--out", "out.parquet")
    assert done.code == 2
    assert "cfglint: bad.parquet: rows 0 to 2 cannot be read: " in done.err
    assert "out.parquet was not written" in done.err
    assert not Path("out.parquet").exists()
    many("bad.parquet", 3)
    done = run("scan", "good.parquet", "bad.parquet", "--out", "out.parquet", "--format", "json")
    assert (done.code, json.loads(done.out)["resumed"]) == (0, 3)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["none.parquet"], "none.parquet: no such table, folder or repository"),
        (["train.yml"], "train.yml: not a table: neither Parquet nor Arrow IPC nor JSON Lines"),
        (["t.parquet", "--content-column", "text"], "no column `text`"),
        (["t.parquet", "--select", "NONE"], "unknown rule 'NONE'"),
        (["t.parquet", "--target", "torch==x"], "is not a version of torch"),
        (["t.parquet", "--config", "none.toml"], "none.toml: cannot be read"),
        ([".@none"], "git knows no such commit"),
    ],
)
def test_an_error_is_one_line(arguments: list[str], error: str) -> None:
    write(Path("t.parquet"), MIXED)
    Path("train.yml").write_text(CLEAN)
    done = run("scan", *arguments, "--out", "out.parquet")
    assert done.code == 2
    assert error in done.err
    assert done.err.count("\n") == 1
    assert not Path("out.parquet").exists()


def test_results_that_cannot_be_written_are_an_error() -> None:
    write(Path("t.parquet"), MIXED)
    done = run("scan", "t.parquet", "--out", "none/out.parquet")
    assert done.code == 2
    assert (
        done.err
        == "cfglint: none/out.parquet.shards: cannot be created: No such file or directory\n"
    )


def project() -> list[str]:
    """Files whose findings depend on what lies around them; the configs among them."""
    files = {
        "requirements.txt": "axolotl==0.9.2\n",
        "runs/train.yml": CLEAN + "deepspeed: ds.json\n",
        "runs/ds.json": '{"zero_optimization": {"overlap_com": true}}',
        "runs/cfglint.toml": 'ignore = ["HPR"]\nexclude = ["late/"]\n',
        "runs/late/train.yml": MISSPELT,
        "runs/new/train.yml": MISSPELT,
        "compose.yml": "services:\n  web:\n    image: nginx\n",
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8", newline="\n")
    return ["compose.yml", "runs/ds.json", "runs/train.yml", "runs/new/train.yml"]


def single(path: str) -> list[tuple[str | None, str, str, int]]:
    """What the command says of one file: the file of a finding, if it is another one, and it."""
    report = json.loads(run("check", "--detect", "--format", "json", path).out)
    return [
        (file["path"] if file["path"] != path else None, one["code"], one["message"], place["line"])
        for file in report["files"]
        for one in file["diagnostics"]
        for place in (one["range"]["start"],)
    ]


def reported(path: str) -> list[tuple[str | None, str, str, int]]:
    return [
        (row["in_file"], row["code"], row["message"], row["line"])
        for row in read(Path("out.parquet"))
        if row["path"] == path
    ]


def test_a_folder_is_what_single_checks_of_its_files_are() -> None:
    files = project()
    assert run("scan", ".", "--out", "out.parquet").code == 0
    rows = read(Path("out.files.parquet"))
    assert [row["path"] for row in rows] == files
    assert {row["path"]: row["release"] for row in rows}["runs/train.yml"] == "0.9.2"
    for path in files:
        assert reported(path) == single(path)
    assert any(in_file == "runs/ds.json" for in_file, *_ in reported("runs/train.yml"))


def test_a_folder_can_be_judged_file_by_file() -> None:
    project()
    run("scan", ".", "--out", "out.parquet", "--isolated")
    rows = {row["path"]: row for row in read(Path("out.files.parquet"))}
    assert "runs/late/train.yml" in rows  # no settings leave it out
    assert rows["runs/train.yml"]["release"] != "0.9.2"


@pytest.mark.skipif(GIT is None, reason="needs git")
@pytest.mark.parametrize("bare", [False, True])
def test_a_commit_is_what_single_checks_in_a_checkout_are(bare: bool) -> None:
    files = project()
    assert GIT is not None
    git = [GIT, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    Path(".git").rmdir()
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*git, *arguments], check=True)
    expected = {path: single(path) for path in files}
    for path in files:
        # What lies in the work tree does not count.
        Path(path).write_text(MISSPELT)
    Path("requirements.txt").unlink()
    source = ".@HEAD"
    if bare:
        subprocess.run([*git, "clone", "-q", "--bare", ".", "../bare.git"], check=True)
        source = "../bare.git"
    assert run("scan", source, "--out", "out.parquet").code == 0
    rows = read(Path("out.files.parquet"))
    assert [row["path"] for row in rows] == files
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    assert {row["source"] for row in rows} == {
        f"{source.partition('@')[0]}@{commit.stdout.strip()}"
    }
    assert {path: reported(path) for path in files} == expected


@pytest.mark.parametrize(
    ("source", "out"), [("t.parquet", "./t.parquet"), ("t.files.parquet", "t.parquet")]
)
def test_results_take_the_place_of_no_source(source: str, out: str) -> None:
    write(Path(source), MIXED, 3)
    before = Path(source).read_bytes()
    done = run("scan", source, "--out", out)
    assert done.code == 2
    assert "is a source" in done.err
    assert Path(source).read_bytes() == before
