"""A fix for a text that cannot be read is trusted only when PyYAML reads the result."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic, Edit, Fix
from cfglint.fixes.loop import fix_source
from cfglint.fixes.mending import mended
from cfglint.source.text import SourceText, Span
from tests.draws import each

BAD = SourceText("a: 1\nb 2\nc: 3\n", bom=True)


def test_trusted() -> None:
    after, reason = mended(BAD, [Edit(6, 6, ":")])
    assert reason == ""
    assert after is not None
    assert (after.text, after.bom) == ("a: 1\nb: 2\nc: 3\n", True)


@each(
    ("edits", "reason"),
    [
        ([Edit(6, 6, ";")], "PyYAML does not load the result"),
        ([Edit(0, 14, "- a\n- b\n- c\n")], "the result is not a mapping of keys to values"),
        ([Edit(5, 9, "")], "lines outside the edits are not the same"),
        ([Edit(6, 6, ":\n")], "lines outside the edits are not the same"),
        ([Edit(6, 60, ":")], "its edits do not fit the text: edit ends at 60"),
    ],
)
def test_not_trusted(edits: list[Edit], reason: str) -> None:
    after, said = mended(BAD, edits)
    assert after is None
    assert said.startswith(reason)


def finding(edit: Edit, safety: str = "safe") -> Diagnostic:
    return Diagnostic(
        code="YML001",
        name="yaml-syntax-error",
        severity="error",
        confidence="high",
        upstream="rejects",
        bites="start",
        message="",
        path=(),
        span=Span(0, 1),
        fixes=(Fix("Add the colon", safety, (edit,), ((),)),),  # type: ignore[arg-type]
    )


def test_the_other_fixes_follow() -> None:
    def lint(source: SourceText) -> list[Diagnostic]:
        if "b 2" in source.text:
            return [finding(Edit(6, 6, ":"))]
        if "c: 3" in source.text:
            fix = Fix("Four", "safe", (Edit(13, 14, "4"),), (("c",),))
            return [finding(Edit(0, 0, "")).replaced(fixes=(fix,))]
        return []

    outcome = fix_source(BAD, lint)
    assert outcome.source.text == "a: 1\nb: 2\nc: 4\n"
    assert [fix.title for fix in outcome.applied] == ["Add the colon", "Four"]
    assert outcome.passes == 2
    assert outcome.converged


def test_a_fix_that_does_not_help_is_refused() -> None:
    outcome = fix_source(BAD, lambda _: [finding(Edit(6, 6, ";"))])
    assert outcome.source is BAD
    assert [fix.reason for fix in outcome.rejected] == ["PyYAML does not load the result"]


def test_unsafe_only_when_asked() -> None:
    def lint(source: SourceText) -> list[Diagnostic]:
        return [finding(Edit(6, 6, ":"), "unsafe")] if "b 2" in source.text else []

    assert fix_source(BAD, lint).source is BAD
    assert fix_source(BAD, lint, unsafe=True).source.text == "a: 1\nb: 2\nc: 3\n"
