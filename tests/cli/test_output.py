"""Where the reports of a check go."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest

from cfglint.cli.options import CheckOptions
from cfglint.cli.output import print_report, progress_line, report_files, write_files
from cfglint.engine.file_report import AppliedFix, FileReport
from cfglint.engine.session import RunError
from cfglint.report.run import RunReport
from cfglint.source.text import SourceText, Span
from tests.draws import each
from tests.report.building import finding, report

TEXT = "a: 1\nb: 2\n"


@each(
    ("given", "expected"),
    [
        ((), []),
        (("a.txt",), [(None, "a.txt")]),
        (("json:a.json", "sarif:b"), [("json", "a.json"), ("sarif", "b")]),
        # No format: a path with a colon, or a drive.
        (("C:/a.txt",), [(None, "C:/a.txt")]),
        (("to/x:y",), [(None, "to/x:y")]),
        (("/dev/stdout", "json:/dev/stdout"), [(None, "/dev/stdout"), ("json", "/dev/stdout")]),
    ],
)
def test_files(given: tuple[str, ...], expected: list[tuple[str | None, str]]) -> None:
    assert report_files(given) == expected


@each(
    ("given", "said"),
    [
        (("json",), "the file name is missing; write json:FILE"),
        (("json:",), "the file name is missing; write json:FILE"),
        (("other:",), "the file name is missing"),
        (("jsn:a.json",), "unknown format 'jsn'; expected one of "),
        (("a.txt", "json:./a.txt"), "another report is written to this file"),
    ],
)
def test_files_that_are_refused(given: tuple[str, ...], said: str) -> None:
    with pytest.raises(RunError, match=said):
        report_files(given)


def test_writing(tmp_path: Path) -> None:
    paths = [str(tmp_path / "a"), str(tmp_path / "b")]
    write_files(paths, "é\udc80\n")
    assert [Path(path).read_bytes() for path in paths] == ["é\\udc80\n".encode()] * 2
    with pytest.raises(RunError, match="cannot be written"):
        write_files([str(tmp_path / "none" / "a")], "x")


def printed(*files: FileReport, instead: list[str] | None = None, **given: Any) -> str:
    stream = io.StringIO()
    print_report(RunReport(files, []), CheckOptions(**given), instead or [], stream)
    return stream.getvalue()


FOUND = report("a.yml", TEXT, finding("X1", Span(0, 1)))
CLEAN = report("a.yml", TEXT)
FIXED = report(
    "a.yml",
    TEXT,
    fixed=(AppliedFix("X1", "Do it", 1),),
    original=SourceText(TEXT),
    fixed_source=SourceText("a: 2\nb: 2\n"),
)


@each(
    ("files", "given", "beginning"),
    [
        ((FOUND,), {}, "a.yml:1:1  error  X1 some-rule\n"),
        ((CLEAN,), {}, "No problems in 1 file"),
        ((FOUND,), {"quiet": True}, "1 error in 1 file\n"),
        ((FOUND,), {"format_": "concise"}, "a.yml:1:1: "),
        ((FOUND,), {"format_": "json"}, "{\n"),
        ((FOUND,), {"statistics": True}, "1"),
        ((FOUND,), {"statistics": True, "format_": "json"}, "{"),
        ((FOUND,), {"color": "always"}, "\x1b["),
    ],
)
def test_what_is_printed(
    files: tuple[FileReport, ...], given: dict[str, Any], beginning: str
) -> None:
    assert printed(*files, **given).lstrip().startswith(beginning.lstrip())


def test_a_report_in_a_file_instead(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    assert printed(FOUND, instead=[str(path)]) == ""
    assert path.read_text().startswith("a.yml:1:1  error  X1 some-rule\n")
    printed(FOUND, instead=[str(path)], format_="concise")
    assert path.read_text().startswith("a.yml:1:1: ")
    printed(FIXED, instead=[str(path)], diff=True)
    assert path.read_text() == "--- a/a.yml\n+++ b/a.yml\n@@ -1,2 +1,2 @@\n-a: 1\n+a: 2\n b: 2\n"


def test_a_patch(capfd: pytest.CaptureFixture[str]) -> None:
    assert printed(FIXED, diff=True) == ""
    out, err = capfd.readouterr()
    assert out.startswith("--- a/a.yml\n+++ b/a.yml\n")
    assert err.startswith("Fixed 1 finding in 1 file:\n")
    printed(FIXED, diff=True, quiet=True)
    assert capfd.readouterr().err == "Fixed 1 finding; No problems in 1 file\n"


@pytest.mark.parametrize(
    ("given", "is_listed"),
    [
        ({"show_fixes": True, "format_": "json"}, True),
        ({"format_": "json"}, False),
        # The text lists them anyway.
        ({"show_fixes": True}, False),
        ({"show_fixes": True, "output": ("a.txt",)}, True),
    ],
)
def test_fixes_are_listed_once(
    given: dict[str, Any], is_listed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(FIXED, **given)
    assert bool(capsys.readouterr().err) is is_listed
    printed(FIXED.replaced(show_fixes=True), **{**given, "show_fixes": False, "format_": "json"})
    assert capsys.readouterr().err != ""


def test_notes_are_told_where_the_report_has_no_place_for_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for given, is_told in (({}, False), ({"format_": "json"}, True), ({"statistics": True}, True)):
        run = RunReport([CLEAN], [])
        run.notes = ["A note of its own."]
        print_report(run, CheckOptions(**given), [], io.StringIO())
        assert ("A note of its own." in capsys.readouterr().err) is is_told


def test_no_progress_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stderr", io.StringIO())
    nothing = type(progress_line())
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert type(progress_line()) is nothing
    monkeypatch.setenv("TERM", "xterm")
    assert type(progress_line()) is not nothing
    assert os.environ["TERM"] == "xterm"
