"""What a safe fix leads to is counted by code and severity."""

from __future__ import annotations

from typing import NamedTuple

from cfglint.diagnostic import ANY, Diagnostic, Fix, SeverityName
from cfglint.fixes.consequences import undeclared
from cfglint.source.text import Span


def found(code: str, severity: SeverityName = "warning", at: str = "a") -> Diagnostic:
    return Diagnostic(
        code=code,
        name=code.lower(),
        severity=severity,
        confidence="high",
        upstream="silent",
        bites="start",
        message=code,
        path=(at,),
        span=Span(0, 1),
    )


class Made(NamedTuple):
    diagnostic: Diagnostic
    fix: Fix


def made(diagnostic: Diagnostic, *leads_to: str) -> Made:
    return Made(diagnostic, Fix("do", "safe", (), (), leads_to=leads_to))


def test_findings_may_move() -> None:
    other = found("B", at="x")
    assert undeclared([found("A"), other], [found("B", at="y")], [made(found("A"))]) is None


def test_one_more_of_a_code_is_new() -> None:
    new = found("B", at="z")
    assert undeclared([found("A"), found("B")], [found("B"), new], [made(found("A"))]) is not None


def test_the_repaired_finding_makes_no_room_for_another_of_its_code() -> None:
    assert undeclared([found("A")], [found("A", at="z")], [made(found("A"))]) is not None
    two = [found("A"), found("A", at="z")]
    assert undeclared(two, [found("A", at="z")], [made(found("A"))]) is None


def test_more_severe_is_new_and_less_severe_is_not() -> None:
    repaired = made(found("A"))
    worse = undeclared([found("A"), found("B", "note")], [found("B", "error")], [repaired])
    assert worse is not None
    assert worse.severity == "error"
    assert undeclared([found("A"), found("B", "error")], [found("B", "note")], [repaired]) is None


def test_what_is_declared_is_allowed() -> None:
    after = [found("B"), found("C")]
    assert undeclared([found("A")], after, [made(found("A"), "B", "C")]) is None
    new = undeclared([found("A")], after, [made(found("A"), "B")])
    assert new is not None
    assert new.code == "C"
    assert undeclared([found("A")], after, [made(found("A"), ANY)]) is None


def test_no_declaration_allows_that_a_file_is_refused_which_was_not() -> None:
    repaired = [made(found("A"), ANY)]
    refusal = found("B", "error").replaced(upstream="rejects")
    assert undeclared([found("A")], [refusal], repaired) is refusal
    assert undeclared([found("A")], [refusal.replaced(undecided=True)], repaired) is None
    # That the file is refused already, for another reason, makes no room for one more.
    other = refusal.replaced(code="C")
    assert undeclared([found("A"), other], [other, refusal], repaired) is refusal
    assert undeclared([found("A"), refusal], [refusal], repaired) is None
    assert undeclared([found("A"), refusal], [refusal, refusal], repaired) is refusal
    # A rule that names the code of what it uncovers may do so, in a file that is refused already.
    assert undeclared([other], [refusal], [made(other, "B")]) is None
    assert undeclared([found("A")], [refusal], [made(found("A"), "B")]) is refusal
