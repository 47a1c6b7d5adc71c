"""Markdown for a terminal."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.knowledge.rules.knowledge import load_knowledge
from cfglint.report.prose import terminal
from cfglint.report.snippet import display_width
from cfglint.report.style import Style
from tests.draws import each, examples

PLAIN, COLORED = Style(color=False), Style(color=True)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


@each(
    ("markdown", "wanted"),
    [
        ("one two\nthree four five six", ["one two three four", "five six"]),
        ("a\n\nb", ["a", "", "b"]),
        (
            "- one two three four five\n  six\n- seven",
            ["- one two three four", "  five six", "- seven"],
        ),
        ("- one\n  - two two two two two", ["- one", "  - two two two two", "    two"]),
        ("12. one two three four x", ["12. one two three", "    four x"]),
        ("**When:** now and `then`", ["When: now and `then`"]),
        ("**a `b` c**", ["a `b` c"]),
        ("`` ` `` and `a b`", ["`` ` `` and `a b`"]),
        ("2 * 3 ** 4 and __x__", ["2 * 3 ** 4 and __x__"]),
        ("see [the docs](http://x/)", ["see the docs", "(http://x/)"]),
        ("## A heading\ntext", ["A heading", "text"]),
        ("text:\n```yaml\na:   1\n  b: 2\n```\nmore", ["text:", "  a:   1", "    b: 2", "more"]),
        ("```\nnever closed", ["  never closed"]),
        # A table takes the whole width, and no more.
        ("| aaaa bbbb cc | dddd eeee |", ["aaaa bbbb  dddd eeee", "cc"]),
        ("| a b c d e | ffff gggg |", ["a b c d e  ffff gggg"]),
        ("x\n| aaa | b |\n|---|:-:|\n| 1 | `2` |\ny", ["x", "aaa  b", "1    `2`", "y"]),
        ("| a | one two three four |\n| b |", ["a  one two three", "   four", "b"]),
        ("|", []),
        ("a-very-long-word-that-does-not-fit x", ["a-very-long-word-that-does-not-fit", "x"]),
        ("esc \x1b[31m \u202e", ["esc \\x1b[31m \\u202e"]),
        ("", []),
    ],
)
def test_what_is_printed(markdown: str, wanted: list[str]) -> None:
    assert terminal(markdown, style=PLAIN, width=20) == wanted


def test_colors_take_the_place_of_marks() -> None:
    assert terminal("**When:** `a b` x", style=COLORED, width=40) == [
        "\x1b[1mWhen:\x1b[0m \x1b[36ma\x1b[0m \x1b[36mb\x1b[0m x"
    ]


@pytest.mark.parametrize("width", [40, 72, 120])
def test_every_explanation_fits_and_keeps_its_words(width: int) -> None:
    knowledge = load_knowledge("axolotl")
    checked = 0
    for rule in knowledge.all_rules():
        why = knowledge.details(rule.code).why
        for style in (PLAIN, COLORED):
            lines = [_ANSI.sub("", line) for line in terminal(why, style=style, width=width)]
            # Side by side, the longest words of a table may take more than a narrow terminal has.
            is_table = "\n|" in why
            assert (is_table and width == 40) or all(
                display_width(line) <= width or " " not in line.strip(" -") for line in lines
            )
            found, wanted = _letters(" ".join(lines)), _letters(why)
            assert sorted(found) == sorted(wanted) if is_table else found == wanted
            checked += 1
            if style is PLAIN:
                assert "**" not in re.sub("`[^`]*`", "", " ".join(lines))
    assert checked > 1000


def _letters(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@settings(max_examples=examples(300), deadline=None)
@given(st.text(alphabet="ab `*[]()#|-1.\n\x1b~", max_size=60), st.integers(20, 60))
def test_no_text_breaks_it(markdown: str, width: int) -> None:
    for style in (PLAIN, COLORED):
        text = "\n".join(terminal(markdown, style=style, width=width))
        assert "\x1b" not in _ANSI.sub("", text)
        assert text.count("a") == markdown.count("a")


@each(
    ("markdown", "shown"),
    [
        ("x `` a` `` y", "x a` y"),
        ("x`` a ``y", "xay"),
        ("x`` a``y", "x ay"),
        ("x`a `y", "xa y"),
    ],
)
def test_blanks_at_both_ends_of_code_are_not_part_of_it(markdown: str, shown: str) -> None:
    (line,) = terminal(markdown, style=COLORED, width=40)
    assert _ANSI.sub("", line) == shown
