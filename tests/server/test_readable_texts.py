"""Texts as they can be read while a line is half typed, and findings where they are shown."""

from __future__ import annotations

from cfglint.diagnostic import Diagnostic, Edit, Fix, OtherFile, Related
from cfglint.frameworks.for_files import for_path
from cfglint.roles.framework import load_framework
from cfglint.server.readable_texts import ReadableTexts, Shown, as_shown, broken_at
from cfglint.server.snapshot import OpenText
from cfglint.source.text import SourceText, Span
from tests.draws import each
from tests.report.building import finding, report
from tests.server.opening import BASE, DATA

WHOLE = BASE + DATA
HALF = f"half_\n{WHOLE}"


def shown(text: str, name: str = "train.yml") -> OpenText:
    return OpenText(f"file:///nowhere/{name}", f"/nowhere/{name}", 1, text)


@each(
    ("texts", "read"),
    [
        ([WHOLE], WHOLE),
        # Of a text that is opened so, the beginning of a key is emptied; of one that was whole, it is left out.
        ([HALF], f"\n{WHOLE}"),
        ([WHOLE, HALF], WHOLE),
        ([WHOLE, HALF, f"half_t\n{WHOLE}seed: 1\n"], f"{WHOLE}seed: 1\n"),
        ([WHOLE, "a: 1\n", "a: [\n"], "a: [\n"),
        # Only the line of the key is half typed, by which the text was known.
        ([WHOLE, WHOLE.replace("base_model: a/b", "base_mo")], WHOLE),
        (["a: [\n"], "a: [\n"),
        (["\ufeffa: 1\r\n"], "a: 1\r\n"),
    ],
)
def test_what_is_read(texts: list[str], read: str) -> None:
    known = ReadableTexts()
    for text in texts:
        found = known.of(shown(text))
        assert known.of(shown(text)) is found
    assert found.text == read
    assert bool(found.changes) is (read not in (texts[-1], texts[-1].removeprefix("\ufeff")))


def test_what_is_saved_is_the_text() -> None:
    known, later = ReadableTexts(), f"{WHOLE}seed: 1\nlora_r: 8\n"
    half = later.replace("seed: 1", "see")
    known.of(shown(WHOLE))
    assert known.of(shown(half)).text == f"{WHOLE}\nlora_r: 8\n"
    known.saved(shown(later))
    assert known.of(shown(f"{half}\n")).text == f"{later}\n"
    # What cannot be read is not the version that later ones are compared with.
    known.saved(shown(HALF))
    assert known.of(shown(f"{half}\n\n")).text == f"{later}\n\n"
    known.forget(shown(WHOLE).uri)
    assert known.of(shown(half)).text == later.replace("seed: 1", "")


@each(
    ("name", "file", "text", "place"),
    [
        ("axolotl", "a.yml", "a: 1\n", None),
        ("axolotl", "a.yml", "a: 1\nb\n", 5),
        ("axolotl", "a.yml", "a: 1\nb: [", 8),
        # A template is not half typed.
        ("axolotl", "a.yml", "a: {{ x }}\n", None),
        ("trl", "a.sh", "trl sft --seed 1\n", None),
        ("trl", "a.sh", "trl sft --seed '1\n", 15),
        ("trl_programs", "a.py", "f(a=1)\n", None),
        ("trl_programs", "a.py", "f(a=1\n", 0),
    ],
)
def test_where_a_text_is_broken(name: str, file: str, text: str, place: int | None) -> None:
    assert broken_at(for_path(load_framework(name), file))(text) == place


# --------------------------------------------------------------------------- places


def placed(text: str) -> tuple[str, dict[str, Shown]]:
    """A text as it is read without its half-typed lines, and the text as it is shown."""
    known = ReadableTexts()
    known.of(shown(WHOLE))
    read = known.of(shown(text))
    return read.text, {"/p/a.yml": Shown(SourceText(text), read)}


def test_findings_are_moved_to_where_their_text_is_shown() -> None:
    text = WHOLE.replace("\n", "\nxx\n", 1)
    read, texts = placed(text)
    at, there = read.index("num_epochs"), text.index("num_epochs")
    assert there == at + 3
    around = Related(Span(at, at + 1), "that one")
    elsewhere = Related(Span(1, 2), "other", OtherFile("/p/b.yml", SourceText("a: 1\n")))
    of_itself = Related(Span(at, at + 1), "again", OtherFile("/p/a.yml", SourceText(read)))
    fixes = (Fix("Do it", "safe", (Edit(at, at + 3, "x"),), ()),)
    found = finding("KEY001", Span(at, at + 3), fixes=fixes).replaced(
        related=(around, elsewhere, of_itself)
    )
    made = as_shown(report("/p/a.yml", read, found), texts)
    assert made.source.text == text
    (moved,) = made.diagnostics
    assert moved.span == Span(there, there + 3)
    assert moved.fixes[0].edits == (Edit(there, there + 3, "x"),)
    one, two, three = moved.related
    assert (one.span, one.file) == (Span(there, there + 1), None)
    assert two == elsewhere
    assert three.span == Span(there, there + 1)
    assert three.file is not None
    assert three.file.source.text == text


def test_what_lies_in_a_half_typed_line_is_left_out() -> None:
    read, texts = placed(WHOLE.replace("num_epochs: 1", "num_e"))
    lost, kept = Span(read.index("num_e"), read.index("num_e") + 4), Span(0, 4)
    edit = (Edit(*kept, "x"),)

    def of(one: Diagnostic) -> tuple[Diagnostic, ...]:
        return as_shown(report("/p/a.yml", read, one), texts).diagnostics

    assert of(finding("KEY001", lost)) == ()
    whole = finding("KEY001", kept).replaced(related=(Related(lost, "x"), Related(kept, "y")))
    (made,) = of(whole)
    assert [one.note for one in made.related] == ["y"]
    fixes = (
        Fix("One", "safe", edit, ()),
        Fix("Two", "safe", (*edit, Edit(*lost, "")), ()),
    )
    (made,) = of(finding("KEY001", kept, fixes=fixes))
    assert [one.title for one in made.fixes] == ["One"]


def test_a_report_on_a_text_that_is_whole_stays_as_it_is() -> None:
    of_file = report("/p/a.yml", WHOLE, finding("KEY001", Span(0, 4)))
    assert as_shown(of_file, {}) == of_file
