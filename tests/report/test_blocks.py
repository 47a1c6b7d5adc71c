"""Which findings are shown together, and in which order."""

from __future__ import annotations

from typing import Any

from cfglint.diagnostic import Diagnostic, SeverityName
from cfglint.engine.file_report import FileReport
from cfglint.report.blocks import blocks
from cfglint.report.formats import text
from cfglint.report.run import RunReport
from tests.report.building import at, finding, report

TEXT = "a: 1\nb: 2\nc: 3\n"


def one(code: str, place: str, severity: SeverityName = "error", **more: Any) -> Diagnostic:
    return finding(code, at(TEXT, place), severity=severity, **more)


def shown(*files: FileReport) -> list[tuple[str, list[str]]]:
    return [(file.path, [block.first.code for block in own]) for file, own in blocks(files)]


def test_files_are_ordered_by_their_worst_finding() -> None:
    first = report("first.yml", TEXT, one("AAA001", "a", "warning"))
    second = report("second.yml", TEXT, one("AAA002", "b", "note"), one("AAA003", "c"))
    assert shown(first, second) == [("second.yml", ["AAA003", "AAA002"]), ("first.yml", ["AAA001"])]


def test_consequence_comes_before_the_line_and_certainty_before_doubt() -> None:
    file = report(
        "x.yml",
        TEXT,
        one("AAA001", "a", bites="silent"),
        one("AAA002", "b", bites="start", upstream="rejects"),
        one("AAA003", "c", bites="train"),
    )
    assert shown(file) == [("x.yml", ["AAA002", "AAA003", "AAA001"])]
    file = report(
        "x.yml",
        TEXT,
        one("AAA001", "a", "warning", undecided=True, needs=("--gpus N",)),
        one("AAA002", "b", "warning", confidence="medium"),
        one("AAA003", "c", "warning"),
    )
    assert shown(file) == [("x.yml", ["AAA003", "AAA002", "AAA001"])]


def test_equal_findings_are_one_block_with_every_place() -> None:
    files = [report(f"{number}.yml", TEXT, one("AAA001", "b")) for number in range(4)]
    ((_, (block,)),) = blocks(files)
    assert [file.path for file, _ in block.others] == ["1.yml", "2.yml", "3.yml"]
    out = text.render(RunReport(files, []))
    assert out.count("AAA001 some-rule") == 1
    assert "also in 3 other files:\n      1.yml:2\n      2.yml:2\n      3.yml:2\n" in out
    assert "4 errors in 4 files" in out


def test_another_message_key_or_severity_is_another_block() -> None:
    files = [
        report("0.yml", TEXT, one("AAA001", "b")),
        report("1.yml", TEXT, one("AAA001", "b", message="Something else.")),
        report("2.yml", TEXT, one("AAA001", "b", path=("other",))),
        report("3.yml", TEXT, one("AAA001", "b", "warning")),
    ]
    assert all(not block.others for _, own in blocks(files) for block in own)


def test_the_same_files_are_listed_once() -> None:
    files = [
        report(f"{number}.yml", TEXT, one("AAA001", "b"), one("AAA002", "c")) for number in range(9)
    ]
    out = text.render(RunReport(files, []))
    assert out.count("8.yml:2") == 1
    assert "also in the same 8 other files as AAA001, line 3\n" in out
    assert "8.yml:3" in text.render(RunReport(files, []), verbose=True)


def test_findings_of_one_file_alone_stay_in_their_group() -> None:
    first = report("0.yml", TEXT, one("AAA001", "a", message="Alone."), one("AAA001", "b"))
    second = report("1.yml", TEXT, one("AAA001", "b"))
    ((_, own),) = blocks([first, second])
    assert [len(block.findings) for block in own] == [1, 1]
    assert [len(block.others) for block in own] == [0, 1]


def test_other_releases_are_a_line_of_the_summary() -> None:
    file = report("0.yml", TEXT, one("AAA001", "b", "note", other_releases=True))
    out = text.render(RunReport([file], []))
    assert "AAA001" not in out
    assert "No problems in 1 file" in out
    assert "1 finding applies only to other releases (--other-releases)." in out
    listed = text.render(RunReport([file], []), other_releases=True)
    assert "on other releases: line 2  AAA001" in listed
    assert "1 note in 1 file" in listed


def test_a_long_sentence_about_other_releases_is_all_there_in_its_order() -> None:
    words = " ".join(f"word{number}" for number in range(60))
    hit = one("AAA001", "b", "note", message=f"{words}.", other_releases=True)
    listed = text.render(RunReport([report("0.yml", TEXT, hit)], []), other_releases=True)
    assert f"line 2  AAA001  {words}." in " ".join(listed.split()).replace(
        "line 2 AAA001 word0", "line 2  AAA001  word0"
    )
