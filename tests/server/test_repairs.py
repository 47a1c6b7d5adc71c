"""What can be done about a finding."""

from __future__ import annotations

from cfglint.diagnostic import Edit, Fix
from cfglint.fixes.applying import apply_edits
from cfglint.server.repairs import line_edits, offers, touches
from cfglint.source.text import SourceText, Span
from tests.draws import each
from tests.report.building import finding
from tests.server.opening import BASE, opened


def test_offers() -> None:
    edits = (Edit(0, 1, "x"),)
    fixes = (
        Fix("Refuse", "safe", (), (), refused="why"),
        Fix("Do it all", "unsafe", edits, ()),
        Fix("Do it", "safe", edits, ()),
    )
    found = finding("KEY001", Span(0, 10), fixes=fixes)
    state, text = opened(BASE)
    made = list(offers(found, state.run(text)))
    assert [(one.title, one.preferred, one.silences) for one in made] == [
        ("Do it all (review it afterwards) [KEY001]", False, False),
        ("Do it [KEY001]", True, False),
        ("Ignore KEY001 (some-rule)", False, True),
    ]
    assert made[0].edits == edits
    ignored = apply_edits(BASE, list(made[-1].edits))
    assert ignored == f"# cfglint: ignore[KEY001] <reason>\n{BASE}"
    # A text that cannot be read gets no comment.
    assert len(list(offers(found, None))) == 2


@each(
    ("start", "end", "expected"),
    [(0, 1, False), (0, 2, True), (2, 2, True), (3, 9, True), (4, 4, True), (5, 5, False)],
)
def test_touches(start: int, end: int, expected: bool) -> None:
    assert touches(finding("X1", Span(2, 4)), Span(start, end)) is expected


@each(
    ("before", "after", "edits"),
    [
        ("a\nb\nc\n", "a\nb\nc\n", ()),
        ("a\nb\nc\n", "a\nx\nc\n", (Edit(2, 4, "x\n"),)),
        ("a\nb\nc\n", "a\nc\n", (Edit(2, 4, ""),)),
        ("a\nb", "a\nb\nc\n", (Edit(2, 3, "b\nc\n"),)),
        ("", "a\n", (Edit(0, 0, "a\n"),)),
    ],
)
def test_edits_of_lines(before: str, after: str, edits: tuple[Edit, ...]) -> None:
    assert line_edits(SourceText(before), SourceText(after)) == edits
    assert apply_edits(before, list(edits)) == after
