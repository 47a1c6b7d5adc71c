"""What a person at a terminal sees, and when: files one by one, quiet, in full, what was fixed."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cfglint.cli import checking
from cfglint.cli.options import read
from cfglint.engine import workers
from cfglint.engine.file_report import FileReport
from cfglint.engine.runner import Runner
from cfglint.report.progress import ProgressLine
from cfglint.report.style import wants_links
from tests.cli.files import CLEAN, MISSPELT, TWICE
from tests.cli.running import printing, run

_NOTES = CLEAN + "eval_table_max_new_tokens: 256\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("a.yml", MISSPELT), ("b.yml", _NOTES), ("c.yml", TWICE)):
        Path(name).write_text(text, encoding="utf-8")


def test_the_file_with_the_worst_finding_is_printed_first() -> None:
    printed = run("b.yml", "c.yml", "a.yml").out
    heads = re.findall(r"^(\w\.yml)", printed, re.MULTILINE)
    assert heads == ["a.yml", "c.yml", "b.yml"]
    assert run("a.yml", "b.yml", "c.yml").out.startswith("a.yml:10:1  error  KEY001")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_many_files_are_printed_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(workers.MIN_FILES + 5):
        Path(f"{number:03}.yml").write_text((MISSPELT, _NOTES, TWICE)[number % 3], "utf-8")
    monkeypatch.setattr(workers, "_workers", lambda _: 1)
    alone = run(".").out
    monkeypatch.setattr(workers, "_workers", lambda _: 3)
    assert run(".").out == alone
    Path("whole.txt").write_bytes(b"")
    run(".", "--output", "whole.txt")
    assert Path("whole.txt").read_text("utf-8") == alone


def test_files_that_others_name_come_last_among_those_of_equal_weight() -> None:
    Path("a.json").write_text('{"zero_optimization": {"overlap_com": true}, "bf16": {}}\n')
    Path("b.yml").write_text(CLEAN + "deepspeed: a.json\nsequence_lenn: 1\n")
    Path("c.yml").write_text(MISSPELT)
    heads = re.findall(r"^(\w\.\w+):\d+:\d+  error  (\w+)", run(".").out, re.MULTILINE)
    # What ends the run comes first.
    assert heads[0][0] == "a.json"
    assert [name for name, code in heads if code == "KEY001"] == ["a.json", "a.yml", "b.yml"]
    report = json.loads(run(".", "--format", "json").out)
    assert [file["path"] for file in report["files"]][:2] == ["a.json", "a.yml"]


def test_quiet() -> None:
    printed = run("a.yml", "b.yml", "--quiet").out
    assert printed.startswith("1 error, 1 note in 2 files")
    assert "KEY001" not in printed
    assert run("a.yml", "b.yml", "--quiet").code == 1


def test_a_note_is_one_line_or_everything() -> None:
    assert (
        "  11  note  KEY002  Delete it: `eval_table_max_new_tokens` is a key of a much older"
        in (run("b.yml").out)
    )
    printed = run("b.yml", "--verbose").out
    assert "b.yml:11:1  note  KEY002 foreign-key\n" in printed
    assert "fix: Delete it" in printed


@pytest.mark.parametrize(("options", "verb"), [(("--fix",), "Fixed"), (("--diff",), "Would fix")])
def test_what_was_fixed(options: tuple[str, ...], verb: str) -> None:
    result = run("a.yml", "b.yml", *options)
    assert f"{verb} 2 findings in 2 files:\n  a.yml:10  KEY001  Rename it to output_dir\n" in (
        result.both
    )
    assert "\n  b.yml:11  KEY002  Delete it\n" in result.both


def test_what_was_fixed_for_programs() -> None:
    Path("d.yml").write_text(MISSPELT.replace("base_model", "# first\nbase_model"))
    report = json.loads(run("d.yml", "--fix", "--format", "json").out)
    assert report["files"][0]["applied"] == [
        {"code": "KEY001", "title": "Rename it to output_dir", "line": 11}
    ]
    Path("d.yml").write_text(MISSPELT)
    printed = run("d.yml", "--fix", "--format", "markdown").out
    assert "\nFixed 1 finding:\n\n- d.yml:10 KEY001 Rename it to output_dir\n" in printed


def test_a_diff_has_colors_on_a_terminal_alone() -> None:
    assert "\x1b[31m-output_dirr: ./out\x1b[0m\n" in run("a.yml", "--diff", terminal=True).out
    assert "\x1b" not in run("a.yml", "--diff", terminal=True, env={"NO_COLOR": "1"}).out
    assert "\x1b" not in run("a.yml", "--diff", "--color", "always").out


def test_codes_are_links_where_the_terminal_takes_them() -> None:
    link = re.compile(r"\x1b\]8;;(https://[!-~]+)\x1b\\(\x1b\[1m)?KEY001(\x1b\[0m)?\x1b\]8;;\x1b\\")
    assert link.search(run("a.yml", terminal=True, env={"TERM_PROGRAM": "vscode"}).out)
    assert link.search(run("a.yml", terminal=True, env={"TERM_PROGRAM": "Terminal"}).out) is None
    assert "\x1b]8" not in run("a.yml", env={"TERM_PROGRAM": "vscode"}).out


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"TERM": "xterm-256color", "VTE_VERSION": "7006"}, True),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "dumb", "TERM_PROGRAM": "vscode"}, False),
        ({"TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"}, False),
        ({"FORCE_HYPERLINK": "1"}, True),
    ],
)
def test_who_takes_links(variables: dict[str, str], expected: bool) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    with printing(**variables):
        assert wants_links(Terminal()) is expected


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    now = [0.0]
    monkeypatch.setattr("cfglint.report.progress.time.monotonic", lambda: now[0])

    def later(seconds: float) -> None:
        now[0] += seconds

    return later


def test_progress_is_shown_after_a_second(clock: Callable[[float], None]) -> None:
    stream = io.StringIO()
    progress = ProgressLine(stream)
    clock(0.9)
    progress.say("one")
    progress.wipe()
    assert stream.getvalue() == ""
    clock(0.2)
    progress.say("two")
    progress.say("too soon")
    progress.wipe()
    progress.wipe()
    assert stream.getvalue() == "\r\x1b[Ktwo\r\x1b[K"


def test_progress_makes_room_for_findings(
    clock: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = io.StringIO()
    monkeypatch.setattr(checking, "progress_line", lambda: ProgressLine(both))
    check = Runner.check_file

    def slow(self: Runner, path: str, *, named: bool) -> FileReport | None:
        clock(2)
        return check(self, path, named=named)

    monkeypatch.setattr(Runner, "check_file", slow)
    usual = read(["a.yml", "b.yml"])
    assert usual is not None
    # As a terminal shows both streams.
    monkeypatch.setattr(sys, "stdout", both)
    checking.check(*usual)
    shown = both.getvalue()
    assert "checked 2 of 2 files\r\x1b[Ka.yml:10:1  error" in shown


def test_a_long_path_is_whole() -> None:
    folder = "/".join(["a_folder_with_quite_a_long_name"] * 5)
    Path(folder).mkdir(parents=True)
    Path(folder, "train.yml").write_text(MISSPELT, encoding="utf-8")
    printed = run(f"{folder}/train.yml").out
    assert printed.startswith(f"{folder}/train.yml:10:1")


def test_a_place_in_a_notebook_names_the_cell() -> None:
    lines = [
        "from trl import SFTConfig\n",
        'a = SFTConfig(output_dir="o",\n',
        "  seedd=1, bf166=1)",
    ]
    cells = [{"cell_type": "markdown", "source": ["x"]}, {"cell_type": "code", "source": lines}]
    Path("n.ipynb").write_text(json.dumps({"cells": cells}, indent=1), encoding="utf-8")
    out = run("n.ipynb", "--target", "trl==1.16.0").out
    assert re.search(r"^n\.ipynb:\d+:\d+ \(cell 2, line 3\)  error  KEY001", out, re.MULTILINE)
    assert "also cell 2, line 3: " in out
