"""Quotes that are not closed, closed too early, of the wrong kind, or around a backslash."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.base.lazy import lazy_pattern
from cfglint.source.diagnosis.lines import Line, Lines
from cfglint.source.diagnosis.model import Cause, Change, Slip, shown
from cfglint.source.text import Span

CURLY = "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb"
_ESCAPE = lazy_pattern(
    r'\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0abt\tnvfre "/\\N_LP\n])'
)
_WINDOWS_PATH = lazy_pattern(r'"(?:[A-Za-z]:|\.{1,2}|\\)\\')
_COMMENT = lazy_pattern(r"(?<![ \t])[ \t]+#")


def quotes(lines: Lines, line: Line) -> Iterator[Slip]:
    """What may be wrong with the quotes of a line."""
    text = lines.text
    if line.open_quote >= 0:
        yield from _half_curly(lines, line)
        yield from _open(lines, line)
    if line.after_quote >= 0:
        yield from _text_after(lines, line)
    code = text[line.start : line.end]
    if "\\" in code and '"' in code:
        yield from _backslash(lines, line)
    if not code.isascii() and any(char in code for char in CURLY):
        yield from _curly(lines, line)


def _open(lines: Lines, line: Line) -> Iterator[Slip]:
    text, start = lines.text, line.open_quote
    quote = text[start]
    if _WINDOWS_PATH.match(text, start) and text[start : line.last].endswith('\\"'):
        return  # it is closed, except for the backslash
    ends = _closings(text, start, line.end, line)
    for number, end in enumerate(ends):
        closed = text[start:end]
        yield Slip(
            Cause.OPEN_QUOTE,
            Span(start, line.end),
            f"The quote {quote} that opens here is never closed: write `{shown(closed + quote, 60)}`.",
            (Change(end, end, quote),),
            # With nothing in it, it may be the rest of the value that is missing.
            title="Close the quote" if end > start + 1 else "",
            cost=number,
            quote=quote,
        )


def _half_curly(lines: Lines, line: Line) -> Iterator[Slip]:
    """A straight quote opens the text and a curly one is to close it."""
    text, start = lines.text, line.open_quote
    found = [at for at in range(start + 1, line.end) if text[at] in CURLY]
    for at in [at for at in found if _is_outer(text, at, line)][:1]:
        yield Slip(
            Cause.CURLY_QUOTES,
            Span(start, at + 1),
            f"{text[at]} is a typographic quote, which closes nothing in YAML: write {text[start]}.",
            (Change(at, at + 1, text[start]),),
            title="Use straight quotes",
            cost=0,
            quote=text[start],
        )


def _closings(text: str, start: int, end: int, line: Line) -> list[int]:
    """Where the closing quote may have been, the likeliest place first."""
    found = []
    comment = _COMMENT.search(text, start, end)
    stop = end if comment is None else comment.start()
    body = text[start:stop].rstrip()
    # Inside brackets, and before the colon of a key.
    inner = re.search(r"[,\]}]|:(?=\s|$)", body[1:])
    if inner is not None:
        head = text[line.start : start]
        bracket = head.count("[") + head.count("{") > head.count("]") + head.count("}")
        if bracket or line.kind == "flow" or inner.group() == ":":
            found.append(start + 1 + inner.start())
    # The brackets that close at the end of the line.
    trimmed = len(body.rstrip(",]} "))
    if trimmed != len(body) and line.kind != "code":
        found.append(start + trimmed)
    found.append(start + len(body))
    # White space at the end may have stood inside the quotes, and so may a comment.
    found.append(stop)
    found.append(end)
    return list(dict.fromkeys(found))


def _text_after(lines: Lines, line: Line) -> Iterator[Slip]:
    text, at = lines.text, line.after_quote
    start = next(begin for begin, end in line.quoted if end == at)
    quote = text[start]
    inner = text[start + 1 : at - 1]
    if "," in inner and any(char in text[line.start : start] for char in "[{"):
        # `["a, "b"]`: what looks like the closing quote opens the next item.
        stop = start + 1 + inner.index(",")
        curly = text[stop - 1] in CURLY
        yield Slip(
            Cause.CURLY_QUOTES if curly else Cause.OPEN_QUOTE,
            Span(start, stop),
            f"{text[stop - 1]} is a typographic quote, which closes nothing in YAML: write {quote}."
            if curly
            else f"The quote {quote} that opens here is never closed: write "
            f"`{shown(text[start:stop] + quote)}`.",
            (Change(stop - curly, stop, quote),),
            title="Use straight quotes" if curly else "Close the quote",
            cost=0,
            quote=quote,
        )
        return
    comment = _COMMENT.search(text, at, line.end)
    stop = line.end if comment is None else comment.start()
    whole = text[start:stop].rstrip()
    rest = text[at:stop].strip()
    if quote == "'" and whole.endswith("'") and whole.count("'") % 2:
        inner = whole[1:-1].replace("''", "'").replace("'", "''")
        yield Slip(
            Cause.TEXT_AFTER_QUOTE,
            Span(at - 1, start + len(whole)),
            "The quote ' inside the text ends it: write it twice, as in 'it''s', or put double "
            "quotes around the text.",
            (Change(start, start + len(whole), f"'{inner}'"),),
            title="Write the inner quotes twice",
            cost=0,
        )
        return
    inner = whole.replace("'", "''")
    yield Slip(
        Cause.TEXT_AFTER_QUOTE,
        Span(at, start + len(whole)),
        f"Text follows the closing quote: `{shown(rest)}`. Put the whole value inside the quotes.",
        (Change(start, start + len(whole), f"'{inner}'"),),
        cost=0,
    )


def _backslash(lines: Lines, line: Line) -> Iterator[Slip]:
    """A path of Windows in double quotes, where a backslash begins an escape."""
    text = lines.text
    spans = [span for span in line.quoted if text[span[0]] == '"']
    if line.open_quote >= 0 and text[line.open_quote] == '"':
        comment = _COMMENT.search(text, line.open_quote, line.end)
        stop = line.end if comment is None else comment.start()
        spans.append(
            (line.open_quote, line.open_quote + len(text[line.open_quote : stop].rstrip()))
        )
    for start, end in spans:
        raw = text[start:end]
        if "\\" not in raw:
            continue
        is_path = _WINDOWS_PATH.match(raw) is not None
        ends_open = raw.endswith('\\"') and start == line.open_quote
        if not is_path and not ends_open and not _ESCAPE.sub("", raw).count("\\"):
            continue
        if "'" in raw or not raw.endswith('"') or len(raw) < 2:
            continue
        single = f"'{raw[1:-1]}'"
        yield Slip(
            Cause.BACKSLASH,
            Span(start, end),
            "Inside double quotes a backslash begins an escape"
            + (', and `\\"` does not end the text' if ends_open else "")
            + f": write `{shown(single, 60)}`.",
            (Change(start, end, single),),
            title="Use single quotes",
            cost=0 if is_path else 1,
            quote='"' if ends_open else "",
        )


def _curly(lines: Lines, line: Line) -> Iterator[Slip]:
    text = lines.text
    found = [at for at in range(line.lead, line.end) if text[at] in CURLY]
    code = text[line.lead : line.end]
    straight = '"' if '"' not in code else "'"
    if len(found) < 2:
        return
    # Only what is at the ends of a value or a key can have been meant as a quote.
    outer = [at for at in found if _is_outer(text, at, line)]
    if len(outer) < 2:
        outer = [found[0], found[-1]]
    inner = [text[outer[i] + 1 : outer[i + 1]] for i in range(0, len(outer) - 1, 2)]
    if straight == '"' and any("\\" in each for each in inner):
        straight = "'"
    yield Slip(
        Cause.CURLY_QUOTES,
        Span(outer[0], outer[-1] + 1),
        f"{text[outer[0]]} and {text[outer[-1]]} are typographic quotes, which YAML treats "
        f"as letters: write {straight}.",
        tuple(Change(at, at + 1, straight) for at in outer),
        title="Use straight quotes",
        cost=0,
    )


def _is_outer(text: str, at: int, line: Line) -> bool:
    before = text[at - 1] if at > line.lead else " "
    after = text[at + 1] if at + 1 < line.end else " "
    return before in " \t[{," or after in " \t]},:"
