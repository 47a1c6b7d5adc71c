"""The value that is being written in a command of a script: behind an option, or behind `key=`.

Only words without quotes, variables and other signs of a shell are looked at: how it would split the rest
while it is incomplete is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.server.probing import PROBE, Attempt
from cfglint.source.text import Span

#: What is before the cursor in its line: an option and a blank, or a key and `=`; then the value so far.
_VALUE = re.compile(
    r"(?:^|[ \t])(?:--[A-Za-z][\w.-]{0,200}(?:=|[ \t]{1,40})|\+{0,2}[A-Za-z][\w.@/]{0,200}=)"
    r"(?P<word>[\w./-]{0,200})$"
)
_REST = re.compile(r"[\w./-]*")
_BEHIND = ("", " ", "\t", "\n", "\r")


def worded(text: str, offset: int) -> Iterator[Attempt]:
    """The text with a probe in the place of the value at an offset."""
    start = text.rfind("\n", 0, offset) + 1
    value = _VALUE.search(text[start:offset])
    rest = _REST.match(text, offset)
    if value is None or rest is None or text[rest.end() : rest.end() + 1] not in _BEHIND:
        return
    word = value["word"]
    if word.startswith("-") or "#" in text[start:offset]:
        return
    span = Span(start + value.start("word"), rest.end())
    yield Attempt(text[: span.start] + PROBE + text[span.end :], False, span)
