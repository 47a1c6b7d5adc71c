"""Edits as text work."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.diagnostic import Diagnostic, Edit, Fix, Related
from cfglint.fixes.applying import apart, apply_edits, chain_edits, merge_touching, select
from cfglint.fixes.passes import Candidate
from cfglint.source.text import Span
from tests.draws import each


@st.composite
def edits_of(draw: st.DrawFn, text: str) -> tuple[Edit, ...]:
    """Sorted edits of a text that do not overlap."""
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return tuple(Edit(start, end, draw(st.text("xyz", max_size=3))) for start, end in pairs)


@given(st.data())
def test_chained_edits_do_what_both_do(data: st.DataObject) -> None:
    text = data.draw(st.text("abcdef", max_size=12))
    first = data.draw(edits_of(text))
    middle = apply_edits(text, first)
    second = data.draw(edits_of(middle))
    chained = chain_edits(text, first, second)
    assert apply_edits(text, chained) == apply_edits(middle, second)
    assert merge_touching(chained) == chained


@given(st.data())
def test_merged_edits_do_the_same(data: st.DataObject) -> None:
    text = data.draw(st.text("abcdef", max_size=12))
    edits = data.draw(edits_of(text))
    assert apply_edits(text, merge_touching(edits)) == apply_edits(text, edits)


@each(
    "edits",
    [
        [Edit(3, 5, ""), Edit(4, 6, "")],
        [Edit(3, 4, ""), Edit(1, 2, "")],
        [Edit(4, 3, "")],
        [Edit(0, 99, "")],
        [Edit(-1, 0, "")],
    ],
)
def test_bad_edits(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="edit"):
        apply_edits("abcdefgh", edits)


def fix(*edits: Edit) -> Fix:
    return Fix("t", "safe", edits, ())


def test_select() -> None:
    first, touching, below = fix(Edit(0, 3, "x")), fix(Edit(3, 4, "")), fix(Edit(4, 4, "y"))
    wide, inside = fix(Edit(10, 11, ""), Edit(20, 21, "")), fix(Edit(15, 16, "y"))
    every = [inside, wide, below, touching, first, fix(Edit(0, 3, "x")), fix()]
    chosen, deferred = select(every)
    # New text has to know its place.
    assert chosen == [first, touching, wide]
    assert deferred == [below, inside]


def found(*edits: Edit, path: str = "", related: tuple[int, int] | None = None) -> Candidate:
    places = () if related is None else (Related(Span(*related), ""),)
    diagnostic = Diagnostic(
        code="A",
        name="a",
        severity="error",
        confidence="high",
        upstream="silent",
        bites="start",
        message="",
        path=(path,),
        span=Span(0, 1),
        related=places,
    )
    return Candidate(diagnostic, Fix("t", "safe", edits, ((path,),) if path else ()))


def test_apart_keeps_the_order_and_leaves_out_what_meets_an_earlier_one() -> None:
    late, early = found(Edit(20, 25, "x")), found(Edit(0, 5, "x"))
    meeting, same_place = found(Edit(4, 6, "x")), found(Edit(25, 25, "y"))
    assert apart([late, early, meeting, same_place]) == [late, early]
    assert apart([meeting, early, late]) == [meeting, late]
    removal, adjacent = found(Edit(0, 5, "")), found(Edit(5, 9, ""))
    assert apart([adjacent, removal]) == [adjacent, removal]
    one, other = found(Edit(0, 1, "x"), path="a"), found(Edit(5, 6, "x"), path="a")
    assert apart([one, other]) == [one]


def test_apart_leaves_out_what_an_earlier_one_points_at() -> None:
    pointing, pointed_at = found(Edit(0, 5, "x"), related=(20, 24)), found(Edit(20, 25, ""))
    assert apart([pointing, pointed_at]) == [pointing]
    assert apart([pointed_at, pointing]) == [pointed_at]


def test_fixes_that_write_one_place_wait_for_each_other() -> None:
    def writing(start: int, *path: str) -> Fix:
        return Fix("title", "safe", (Edit(start, start, "x"),), (path,))

    plugins, again = writing(1, "plugins"), writing(10, "plugins")
    below, beside = writing(20, "plugins", "x"), writing(30, "seed")
    inner, whole = writing(40, "trl", "beta"), writing(50, "trl")
    chosen, deferred = select([plugins, again, below, beside, inner, whole])
    assert chosen == [plugins, beside, inner]
    assert deferred == [again, below, whole]


def test_fixes_that_only_take_away_do_not_wait_for_each_other() -> None:
    def removing(start: int) -> Fix:
        return Fix("title", "safe", (Edit(start, start + 5, ""),), (("seed",),))

    writing = Fix("title", "safe", (Edit(30, 31, "x"),), (("seed",),))
    first, second, third = removing(1), removing(10), removing(20)
    assert select([first, second, third, writing]) == ([first, second, third], [writing])
    early = Fix("title", "safe", (Edit(0, 0, "x"),), (("seed",),))
    assert select([early, second, third]) == ([early], [second, third])
