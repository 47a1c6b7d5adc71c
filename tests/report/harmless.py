"""What printed text must never hold, whatever it was made from."""

from __future__ import annotations

import re
import unicodedata

#: Our own color codes, the only control sequences that may be printed.
_COLOR = re.compile(r"\x1b\[[0-9;]+m")
#: Format characters (Cf) that are visible marks of their scripts.
_VISIBLE_FORMATS = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]")

#: Texts that attack the program that shows them: terminals, CI runners, web pages.
HOSTILE = (
    "\x1b[2J\x1b[31mred",
    "\x1b]0;title\x07",
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "\x9b2J",
    "\x85next\x90dcs",
    "a\rb\x08\x08\x7f",
    "\u202egnp.exe\u2066\u2069\u061c",
    "zero\u200bwidth\u200d\ufeff\u2060\u00ad",
    "line\u2028paragraph\u2029",
    "\U000e0041\U000e0042",
    "a\n::error file=x::owned",
    "::error file=x,line=1::owned",
    "  ::stop-commands::pause",
    "\n::add-mask::a",
    "##[error]owned",
    "text ##[add-matcher]x.json",
    "\n##[group]x",
    "%0A::error::x%0D%25",
    "a%0Ab,c:d=e",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &amp; &#64;octocat",
    "a | b | c\n| d |",
    "`code` ``two`` ```\nfence",
    "[link](https://evil.example) ![x](https://evil.example/x.png)",
    "https://evil.example www.evil.example mail@evil.example",
    "@octocat #1 org/repo#2",
    "*bold* _it_ ~~gone~~ # head\n- item\n1. one",
    "\\| \\` \\\\",
    "]]> --> {{ x }} ${{ secrets.X }} $(id)",
    "\udcff\udc80",
)


def assert_harmless(printed: str, *, colors: bool = False, commands: int = 0) -> None:
    """Nothing in a printed text steers a terminal or a CI runner.

    Args:
        colors: our own color codes are expected.
        commands: how many workflow commands are ours.
    """
    plain = _COLOR.sub("", printed) if colors else printed
    assert_no_controls(plain)
    ours = [line for line in plain.split("\n") if line.lstrip().startswith("::")]
    assert len(ours) == commands, ours
    for line in plain.split("\n"):
        # The runner looks for the old form anywhere in a line, unless the new one comes first.
        assert "##[" not in line or line in ours, line


def assert_no_controls(printed: str) -> None:
    """No character in a printed text steers a terminal."""
    bad = {char for char in set(printed) - {"\n"} if _steers(char)}
    assert not bad, sorted(map(hex, map(ord, bad)))


def _steers(char: str) -> bool:
    category = unicodedata.category(char)
    if category == "Cf":
        return _VISIBLE_FORMATS.match(char) is None and char < "\U00013430"
    return category in ("Cc", "Cs", "Zl", "Zp")
