"""The keyword, or its value, that is being written in a call of a Python program or notebook.

In a notebook the text is JSON, where a quote of the program has a backslash before it. So nothing that is
put into the text has double quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.server.probing import PROBE, Attempt
from cfglint.source.text import Span

#: A keyword that gets a value: what is before the cursor in its line.
_VALUE = re.compile(r"""\w[ ]*=[ ]*(?P<quote>\\?["']|)(?P<word>[\w./-]*)$""")
_KEYWORD = re.compile(r"(?<![\w.=])(?P<word>[A-Za-z_]\w*|)$")
_REST = re.compile(r"\w*")
_REST_OF_VALUE = re.compile(r"[\w./-]*")
#: What may be missing behind it while a call is being written.
_ENDS = ("", ",", ")")


def called(text: str, offset: int) -> Iterator[Attempt]:
    """The texts with a probe in the place of the word at an offset, the likeliest first."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset]
    if value := _VALUE.search(line):
        yield from _values(text, start + value.start("word"), offset, value.group("quote"))
    elif keyword := _KEYWORD.search(line):
        yield from _keywords(text, start + keyword.start("word"), offset)


def _end_of(rest: re.Pattern[str], text: str, offset: int) -> int:
    """Where what a word or a value has behind an offset ends; at the offset itself if there is nothing."""
    found = rest.match(text, offset)
    return offset if found is None else found.end()


def _keywords(text: str, start: int, offset: int) -> Iterator[Attempt]:
    end = _end_of(_REST, text, offset)
    span, before, behind = Span(start, end), text[:start], text[end:]
    if re.match(r"[ ]*=(?!=)", behind):
        yield Attempt(f"{before}{PROBE}{behind}", True, span)
        return
    for missing in _ENDS:
        yield Attempt(f"{before}{PROBE}=0{missing}{behind}", True, span, "", "=")


def _values(text: str, start: int, offset: int, quote: str) -> Iterator[Attempt]:
    end = _end_of(_REST_OF_VALUE, text, offset)
    span, before, behind = Span(start, end), text[:start], text[end:]
    if not quote:
        for missing in _ENDS:
            yield Attempt(f"{before}'{PROBE}'{missing}{behind}", False, span)
        return
    is_closed = behind.startswith(quote)
    closing = "" if is_closed else quote
    after = quote.lstrip("\\") if closing else ""
    for missing in _ENDS if closing else ("",):
        made = f"{before}{PROBE}{closing}{missing}{behind}"
        yield Attempt(made, False, span, "", after, quoted=True)
