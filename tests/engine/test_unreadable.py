"""A text that cannot be read, and what is found in it once its slips are mended."""

from __future__ import annotations

from cfglint.base.type_names import Any
from cfglint.diagnostic import Diagnostic, Edit, Fix, OtherFile, Related
from cfglint.engine.unreadable import Mended, reading_problem, too_large
from cfglint.roles.framework import load_framework
from cfglint.source.document import Document
from cfglint.source.languages.named import language
from cfglint.source.problems import PLACEHOLDER, ProblemKind, ProposedEdit, SourceError
from cfglint.source.text import MAX_BYTES, SourceText, Span
from tests.draws import each

AXOLOTL = load_framework("axolotl")
FOUND = Diagnostic(
    *("KEY001", "unknown-key", "error", "high", "rejects", "start", "Wrong.", ("c",), Span(0, 1))
)


def mending(*edits: tuple[int, int, str]) -> Fix:
    return Fix("Mend it", "safe", tuple(Edit(*one) for one in edits), ((),))


def test_the_problem_of_a_text() -> None:
    edit = ProposedEdit("Close it", ((3, 3, '"'),), only=True)
    related = ((Span(0, 1), "it opens here"),)
    error = SourceError(ProblemKind.SYNTAX, Span(2, 3), edit=edit, related=related, problem="bad")
    found = reading_problem(error, AXOLOTL)
    assert (found.name, found.severity, found.span) == ("yaml-syntax-error", "error", Span(2, 3))
    assert [(one.span, one.note) for one in found.related] == [(Span(0, 1), "it opens here")]
    (fix,) = found.fixes
    assert (fix.title, fix.safety, fix.edits) == ("Close it", "safe", (Edit(3, 3, '"'),))
    guess = SourceError(ProblemKind.SYNTAX, Span(2, 3), edit=edit.replaced(only=False), problem="")
    assert reading_problem(guess, AXOLOTL).fixes[0].safety == "unsafe"
    # A template is filled in by a script.
    template = SourceError(ProblemKind.SYNTAX, Span(2, 3), cause=PLACEHOLDER, problem="")
    assert reading_problem(template, AXOLOTL).severity == "note"
    assert reading_problem(template, AXOLOTL).fixes == ()


def test_a_file_that_is_too_large() -> None:
    found = reading_problem(too_large(20_000_000), AXOLOTL)
    assert found.name == "file-too-large"
    assert too_large(5).details == {"size": 5, "limit": MAX_BYTES, "unit": "bytes"}


@each(
    ("edits", "mended", "places"),
    [
        ([], "a b c", [0, 1, 2, 3, 4, 5]),
        # What a fix writes is where it begins.
        ([(1, 1, "XY")], "aXY b c", [0, 1, 1, 1, 2, 3, 4, 5]),
        ([(1, 3, "X")], "aX c", [0, 1, 3, 4, 5]),
        ([(0, 1, ""), (4, 5, "ZZ")], " b ZZ", [1, 2, 3, 4, 4, 5]),
    ],
)
def test_places_of_the_text_as_it_is(
    edits: list[tuple[int, int, str]], mended: str, places: list[int]
) -> None:
    one = Mended(SourceText("a b c"))
    if edits:
        one.mend(mending(*edits))
    assert one.source.text == mended
    assert [
        one.back(FOUND.replaced(span=Span(at, at))).span.start for at in range(len(mended) + 1)
    ] == places


def test_several_mends_and_all_places_of_a_finding() -> None:
    one = Mended(SourceText("abc"))
    one.mend(mending((0, 0, "1")))
    one.mend(mending((0, 0, "2"), (4, 4, "3")))
    assert one.source.text == "21abc3"
    other = OtherFile("/x", SourceText("abcdef"))
    found = FOUND.replaced(
        span=Span(2, 4),
        related=(Related(Span(3, 4), "here"), Related(Span(3, 4), "there", other)),
        cause=("YML001", Span(4, 5)),
        fixes=(mending((0, 1, "")),),
    )
    back = one.back(found)
    assert (back.span, back.cause, back.fixes) == (Span(0, 2), ("YML001", Span(2, 3)), ())
    assert [each.span for each in back.related] == [Span(1, 2), Span(3, 4)]
    elsewhere = one.back(found.replaced(file=other, cause=None))
    assert (elsewhere.span, elsewhere.cause) == (Span(2, 4), None)


TEXT = "a: 1\nb:\n  x: 1\nc: 2\nd: 3\n"


def guessed(line_start: int) -> tuple[Mended, Document]:
    one = Mended(SourceText(TEXT))
    one.mend(mending((line_start, line_start, "")), is_certain=False)
    return one, language("yaml").read(SourceText(TEXT))


@each(
    ("changes", "holds"),
    [
        ({}, True),
        ({"path": ("a",)}, True),
        ({"path": ("b",)}, False),
        ({"path": ("b", "x")}, False),
        ({"code": "TYP001"}, True),
        # What the rest of the file says may be otherwise.
        ({"code": "DAT101"}, False),
        ({"path": ()}, False),
        ({"path": ("gone",)}, False),
        ({"name": "missing-required-key"}, False),
    ],
)
def test_what_is_certain_after_a_guess(changes: dict[str, Any], holds: bool) -> None:
    found = FOUND.replaced(path=("d",)).replaced(**changes)
    one, document = guessed(TEXT.index("  x: 1"))
    assert one.holds(found, document) is holds
    certain = Mended(SourceText(TEXT))
    certain.mend(mending((0, 0, "")))
    assert certain.holds(found, document)


def test_the_line_behind_a_key_belongs_to_it() -> None:
    one, document = guessed(TEXT.index("d: 3"))
    assert not one.holds(FOUND.replaced(path=("c",)), document)
    assert one.holds(FOUND.replaced(path=("b",)), document)
