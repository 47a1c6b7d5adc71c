"""The keyword or the value that is being written in a call."""

from __future__ import annotations

from cfglint.server.cursor_in_calls import called
from cfglint.server.probing import PROBE
from tests.draws import each


def told(marked: str) -> list[tuple[str, str, bool, str, bool]]:
    """The texts to be read, what the probe stands for, whether it is a key, what follows, in quotes."""
    text = marked.replace("¦", "")
    found = list(called(text, marked.index("¦")))
    assert all(one.before == "" for one in found)
    return [
        (
            one.text.replace(PROBE, "@"),
            text[one.span.start : one.span.end],
            one.is_key,
            one.after,
            one.quoted,
        )
        for one in found
    ]


@each(
    ("marked", "read", "word"),
    [
        ("f(le¦)", ["f(@=0)", "f(@=0,)", "f(@=0))"], "le"),
        ("f(le¦ss)", ["f(@=0)", "f(@=0,)", "f(@=0))"], "less"),
        ("f(¦", ["f(@=0", "f(@=0,", "f(@=0)"], ""),
        # Only the line of the cursor counts.
        ("f(a=\n¦", ["f(a=\n@=0", "f(a=\n@=0,", "f(a=\n@=0)"], ""),
        ("f(a=1, ¦", ["f(a=1, @=0", "f(a=1, @=0,", "f(a=1, @=0)"], ""),
        ("x\nf(\n  le¦\n", ["x\nf(\n  @=0\n", "x\nf(\n  @=0,\n", "x\nf(\n  @=0)\n"], "le"),
        ("f(le¦ == 1)", ["f(@=0 == 1)", "f(@=0, == 1)", "f(@=0) == 1)"], "le"),
    ],
)
def test_a_keyword_gets_a_sign(marked: str, read: list[str], word: str) -> None:
    assert told(marked) == [(text, word, True, "=", False) for text in read]


@each(
    ("marked", "read"),
    [("f(le¦=1)", "f(@=1)"), ("f(l¦e = 1)", "f(@ = 1)"), ("f(¦le=1", "f(@=1")],
)
def test_a_keyword_that_has_a_value_is_only_replaced(marked: str, read: str) -> None:
    assert told(marked) == [(read, "le", True, "", False)]


@each(
    ("marked", "read", "word"),
    [
        ("f(a=¦)", ["f(a='@')", "f(a='@',)", "f(a='@'))"], ""),
        ("f(a = 1¦2", ["f(a = '@'", "f(a = '@',", "f(a = '@')"], "12"),
    ],
)
def test_a_value_without_quotes(marked: str, read: list[str], word: str) -> None:
    assert told(marked) == [(text, word, False, "", False) for text in read]


@each(
    ("marked", "read", "after"),
    [
        ("f(a='x¦/y.z-1')", ["f(a='@')"], ""),
        ('f(a="x¦/y.z-1")', ['f(a="@")'], ""),
        ("f(a='x¦/y.z-1", ["f(a='@'", "f(a='@',", "f(a='@')"], "'"),
        ('f(a="x¦/y.z-1', ['f(a="@"', 'f(a="@",', 'f(a="@")'], '"'),
        # In a notebook, a quote is written with a backslash, which an editor puts there itself.
        ('f(a=\\"x¦/y.z-1\\")', ['f(a=\\"@\\")'], ""),
        ('f(a=\\"x¦/y.z-1', ['f(a=\\"@\\"', 'f(a=\\"@\\",', 'f(a=\\"@\\")'], '"'),
    ],
)
def test_a_value_in_quotes_is_closed(marked: str, read: list[str], after: str) -> None:
    assert told(marked) == [(text, "x/y.z-1", False, after, True) for text in read]


@each("marked", ["f(a.b¦", "f(a==b¦", "f(1¦"])
def test_what_is_neither_is_left_alone(marked: str) -> None:
    assert told(marked) == []
