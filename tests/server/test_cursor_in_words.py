"""The value or the name that is being written in a command."""

from __future__ import annotations

from cfglint.server.cursor_in_words import worded
from cfglint.server.probing import PROBE
from tests.draws import each


def told(marked: str) -> list[tuple[str, str, bool, str]]:
    """The texts to be read, what the probe stands for in the text, whether it is a key, what follows it."""
    text = marked.replace("¦", "")
    found = list(worded(text, marked.index("¦")))
    assert all(one.before == "" and not one.quoted for one in found)
    return [
        (one.text.replace(PROBE, "@"), text[one.span.start : one.span.end], one.is_key, one.after)
        for one in found
    ]


@each(
    ("marked", "read", "word"),
    [
        ("run --lr 1¦2 x", "run --lr @ x", "12"),
        ("run --lr ¦", "run --lr @", ""),
        ("run --lr\t¦\n", "run --lr\t@\n", ""),
        ("run --lr=a/b-c.d¦", "run --lr=@", "a/b-c.d"),
        ("--lr=¦\r\n", "--lr=@\r\n", ""),
        ("run a.b/c@d=¦1\tx", "run a.b/c@d=@\tx", "1"),
        ("run ++a=x¦", "run ++a=@", "x"),
        ("first --lr 1\nrun +a=¦", "first --lr 1\nrun +a=@", ""),
        ("first # --lr 1\nrun +a=¦", "first # --lr 1\nrun +a=@", ""),
    ],
)
def test_a_value(marked: str, read: str, word: str) -> None:
    assert told(marked) == [(read, word, False, "")]


@each(
    ("marked", "read", "word", "after"),
    [
        # An option is a word of its own, or has its value behind a sign.
        ("run --le¦", "run --@", "le", ""),
        ("run --¦", "run --@", "", ""),
        ("run --le¦ss 1", "run --@ 1", "less", ""),
        ("run --le¦=1", "run --@=1", "le", ""),
        ("run --a.b.le¦ x", "run --a.b.@ x", "le", ""),
        ("($run --le¦)", "($run --@)", "le", ""),
        # A key of Hydra's has a value.
        ("run le¦=1", "run @=1", "le", ""),
        ("run ++a.le¦=1", "run ++a.@=1", "le", ""),
        ("run a.le¦", "run a.@=0", "le", "="),
        ("run a.¦\n", "run a.@=0\n", "", "="),
        ("(le¦)", "(@=0)", "le", "="),
    ],
)
def test_a_name(marked: str, read: str, word: str, after: str) -> None:
    assert told(marked) == [(read, word, True, after)]


def test_behind_an_option_may_be_its_value_or_a_key() -> None:
    assert told("run --lr a¦") == [
        ("run --lr @", "a", False, ""),
        ("run --lr @=0", "a", True, "="),
    ]


@each(
    "marked",
    [
        "run # --lr ¦",
        "run --lr '¦",
        "run --lr $¦",
        "run --lr 1¦$x",
        'run --lr 1¦"x"',
        "run --le¦$x",
        "run a.le¦$x",
        "run 1¦",
        "run ¦",
        "¦",
    ],
)
def test_what_a_shell_would_read_otherwise_is_left_alone(marked: str) -> None:
    assert told(marked) == []


def test_a_value_that_begins_with_a_dash_is_an_option() -> None:
    assert [one[:2] for one in told("run --lr --x¦")] == [("run --lr --@", "x")]
