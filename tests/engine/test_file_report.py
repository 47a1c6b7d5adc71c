"""The report on one file."""

from __future__ import annotations

from cfglint.diagnostic import OtherFile
from cfglint.source.text import SourceText, Span
from tests.report.building import finding, report


def test_a_copy_shows_what_is_wrong_with_other_files() -> None:
    text = "a: 1\n"
    other = OtherFile("run.sh", SourceText("run x.yaml\n"))
    here, there = finding("KEY001", Span(0, 1)), finding("LLF340", Span(0, 3), file=other)
    read = report("x.yaml", text, here, there)
    idle = read.as_copy("a project", is_started=False)
    assert (idle.diagnostics, idle.folded) == ((), 2)
    copy = read.as_copy("a project", is_started=True)
    assert (copy.diagnostics, copy.folded, copy.copy_of) == ((there,), 1, "a project")
