"""Findings: how severe they are, which are the same one, and what is shown of them."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.diagnostic import (
    Diagnostic,
    Edit,
    Fix,
    OtherFile,
    Related,
    SeverityName,
    as_note,
    at_least,
    kin_joined,
    one_lower,
    one_lowered,
    unique,
)
from cfglint.source.text import Position, SourceText, Span
from tests.draws import each

TEXT = SourceText("a: 1\nbé: 2\nc: 3\n")
ERROR = Diagnostic(
    "ABC001", "a-rule", "error", "high", "rejects", "start", "Wrong.", ("b",), Span(5, 7)
)
SAFE = Fix("Repair", "safe", (Edit(5, 7, "x"),), (("b",),))
UNSAFE = SAFE.replaced(safety="unsafe", title="Guess")
OTHER = OtherFile("/x/y.sh", SourceText("abc\n"))


@each(
    ("severity", "as_severe_as", "lower"),
    [
        ("error", {"error", "warning", "note"}, "warning"),
        ("warning", {"warning", "note"}, "note"),
        ("note", {"note"}, "note"),
    ],
)
def test_severities(
    severity: SeverityName, as_severe_as: set[SeverityName], lower: SeverityName
) -> None:
    every: tuple[SeverityName, ...] = ("error", "warning", "note")
    assert {one for one in every if at_least(severity, one)} == as_severe_as
    assert one_lower(severity) == lower


def test_a_lowered_finding_knows_the_severity_of_its_rule() -> None:
    warning, note = one_lowered(ERROR), as_note(one_lowered(ERROR), "So what.")
    assert (warning.severity, warning.rule_severity) == ("warning", "error")
    assert (note.severity, note.rule_severity) == ("note", "error")
    assert note.message == "Wrong. So what."
    assert as_note(ERROR).message == "Wrong."
    assert one_lowered(warning.replaced(own_severity=None)).rule_severity == "warning"
    assert as_note(note, "More.") is note


@each(
    ("changes", "refuses"),
    [
        ({}, True),
        ({"undecided": True}, False),
        ({"file": OTHER}, False),
        ({"upstream": "warns"}, False),
        ({"bites": "train"}, False),
    ],
)
def test_what_a_release_refuses(changes: dict[str, Any], refuses: bool) -> None:
    assert ERROR.replaced(**changes).refuses is refuses


def test_the_most_important_first() -> None:
    in_order = [
        ERROR,
        ERROR.replaced(confidence="low"),
        ERROR.replaced(bites="train"),
        ERROR.replaced(upstream="silent"),
        ERROR.replaced(undecided=True),
        ERROR.replaced(severity="warning"),
        ERROR.replaced(severity="note"),
        ERROR.replaced(other_releases=True),
    ]
    mixed = in_order[4:] + in_order[:4]
    assert sorted(mixed, key=lambda one: one.importance) == in_order


@each(
    ("fixes", "undecided", "safe", "any_fix"),
    [
        ((), False, None, None),
        ((SAFE,), False, SAFE, SAFE),
        ((SAFE,), True, None, None),
        ((UNSAFE,), False, None, UNSAFE),
        ((UNSAFE, SAFE), False, SAFE, UNSAFE),
        ((SAFE.replaced(edits=()), UNSAFE), False, None, UNSAFE),
    ],
)
def test_the_fix_to_apply(
    fixes: tuple[Fix, ...], undecided: bool, safe: Fix | None, any_fix: Fix | None
) -> None:
    found = ERROR.replaced(fixes=fixes, undecided=undecided)
    assert found.fix() == safe
    assert found.fix(unsafe=True) == any_fix


def test_lines_and_columns() -> None:
    related = (Related(Span(0, 1), "here"), Related(Span(1, 3), "there", OTHER))
    found = ERROR.replaced(related=related).located(TEXT)
    assert (found.line, found.column) == (2, 1)
    assert (found.start, found.end) == (Position(2, 1), Position(2, 3))
    assert [(one.start, one.end) for one in found.related] == [
        (Position(1, 1), Position(1, 2)),
        (Position(1, 2), Position(1, 4)),
    ]


def test_what_the_report_has() -> None:
    refused = SAFE.replaced(edits=(), refused="It is elsewhere.")
    related = (Related(Span(0, 1), "here"), Related(Span(1, 3), "there", OTHER))
    row = ERROR.replaced(related=related, fixes=(SAFE, refused)).located(TEXT).to_dict()
    assert row["range"] == {
        "start": {"line": 2, "column": 1, "offset": 5},
        "end": {"line": 2, "column": 3, "offset": 7},
    }
    assert [one.get("path") for one in row["related"]] == [None, "/x/y.sh"]
    assert "path" not in row["related"][0]
    assert row["fixes"] == [
        {
            "title": "Repair",
            "safety": "safe",
            "edits": [{"start": 5, "end": 7, "text": "x"}],
        },
        {"title": "Repair", "safety": "safe", "edits": [], "refused": "It is elsewhere."},
    ]
    plain = ERROR.replaced(fixes=(SAFE,))
    assert (plain.harmless, plain.due, SAFE.drops_comments, plain.line) == (False, False, False, 0)
    assert (row["path"], row["needs"], "preview" in row) == (["b"], [], False)
    assert ERROR.replaced(preview=True).to_dict()["preview"] is True
    assert repr(ERROR) == "<ABC001 error 5-7 'Wrong.'>"


def test_findings_are_the_same_by_rule_place_and_words() -> None:
    others = [
        ERROR.replaced(code="ABC002"),
        ERROR.replaced(span=Span(5, 8)),
        ERROR.replaced(message="Bad."),
        ERROR.replaced(file=OTHER),
    ]
    assert unique([ERROR, *others, ERROR.replaced(severity="note")]) == [ERROR, *others]


def kin(*names: str, severity: SeverityName = "note") -> list[Diagnostic]:
    return [
        ERROR.replaced(kin=name, span=Span(at, at + 1), severity=severity)
        for at, name in enumerate(names)
    ]


@each(
    ("names", "message"),
    [
        ("a", "Wrong."),
        ("ab", "Wrong. The same applies to `b`."),
        ("abc", "Wrong. The same applies to `b` and `c`."),
        ("abcdef", "Wrong. The same applies to `b`, `c`, `d`, `e` and `f`."),
        ("abcdefg", "Wrong. The same applies to `b`, `c`, `d`, `e` and 2 more."),
    ],
)
def test_a_family_is_one_finding(names: str, message: str) -> None:
    (found,) = kin_joined([*reversed(kin(*names))])
    assert found.message == message
    assert found.span == Span(0, 1)
    assert [one.span for one in found.related] == [Span(n, n + 1) for n in range(1, len(names))]


def test_what_is_no_family() -> None:
    others = [ERROR, ERROR.replaced(span=Span(9, 9))]
    assert kin_joined(others) == others
    two = [*kin("a"), *kin("b", severity="error"), kin("c")[0].replaced(code="ABC002")]
    assert len(kin_joined([*two, *others])) == 5
