"""The key or value at the cursor, in a text that may be incomplete there.

The word at the cursor is replaced by an unused name, the probe, and the text is read with it; the
place of the probe in the result is the place of the cursor. A text that cannot be read because of
a later line is cut off behind the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from cfglint.base.record import Record
from cfglint.engine.checked_document import CheckedDocument
from cfglint.server.cursor_in_calls import called
from cfglint.server.cursor_in_words import worded
from cfglint.server.half_typed import BrokenAt, emptied_lines, without_lines
from cfglint.server.probing import PROBE, Attempt
from cfglint.source.document import Entry, Mapping, Node, Path, Scalar
from cfglint.source.text import Span

_KEY = re.compile(r"(?P<indent>[ ]*(?:-[ ]+)*)(?P<word>[\w.-]*)")
_VALUE = re.compile(
    r"""[ ]*(?:-[ ]+)*(?:[\w.-]+|"[^"]*"|'[^']*')[ ]*:[ ]+(?P<quote>["']?)(?P<word>[^"'#]*)"""
)
_REST_OF_KEY = re.compile(r"[\w.-]*")
_REST_OF_VALUE = re.compile(r"""[^"'#\r\n]*""")
_CLOSING = {"{": "}", "[": "]"}


def _itself(name: str) -> str | None:
    return name


def _reads_nothing(_text: str) -> CheckedDocument | None:
    return None


class Cursor(Record):
    """The place of a cursor."""

    #: The run that checks the text with the probe.
    run: CheckedDocument
    #: The path of the key; its last part is the probe when the key is what is being written.
    path: Path
    is_key: bool
    #: The span of the word to replace, in the original text.
    span: Span
    #: The text to insert before and behind the completed word.
    before: str = ""
    after: str = ""
    #: Whether an opening quote is before the span.
    quoted: bool = False
    #: How the name of a key is written; None for one that cannot be. Of a file it is the name itself.
    spelled: Callable[[str], str | None] = _itself
    #: Whether what is written is laid over the text, so that it may have the key already.
    lays_over: bool = False
    #: Reads another text in the place of the run's.
    read: Callable[[str], CheckedDocument | None] = _reads_nothing

    def instead(self, name: str, other: str) -> CheckedDocument | None:
        """The run of the text in which two keys at the top level have changed places.

        Where the second is not there, only the first gets another name.
        """
        document = self.run.document
        text, edits = document.text, []
        for old, new in ((name, other), (other, f"{PROBE}_{other}")):
            entry = document.entry((old,))
            if entry is not None:
                edits.append((entry.key.span, new))
        for span, new in sorted(edits, reverse=True):
            text = text[: span.start] + new + text[span.end :]
        return self.read(text)

    @property
    def mapping(self) -> Mapping | None:
        """The mapping around the key that is being written; None for what is laid over it."""
        if self.lays_over:
            return None
        node = self.run.document.node(self.path[:-1])
        return node if isinstance(node, Mapping) else None


def cursors_at(
    text: str,
    offset: int,
    structure: str,
    read: Callable[[str], CheckedDocument | None],
    broken_at: BrokenAt,
) -> Iterator[Cursor]:
    """What may be written at an offset, the likeliest first.

    Nothing in comments and where it cannot be determined.

    Args:
        structure: that of the text's language.
        read: reads a text; None when that cannot be done.
        broken_at: where a text cannot be read.
    """
    ways = {"indentation": _indented, "brackets": _bracketed, "calls": called, "words": worded}
    if structure not in ways:
        return
    attempts = list(ways[structure](text, offset))
    for attempt in (*attempts, *_without_others(attempts, broken_at)):
        run = read(attempt.text)
        path = _probe_in(run) if run is not None else None
        if run is not None and path is not None and attempt.is_key == (path[-1] == PROBE):
            yield Cursor(
                run=run,
                path=path,
                is_key=attempt.is_key,
                span=attempt.span,
                before=attempt.before,
                after=attempt.after,
                quoted=attempt.quoted,
                read=read,
            )


def _without_others(attempts: list[Attempt], broken_at: BrokenAt) -> Iterator[Attempt]:
    """The attempts without other lines that are half typed."""
    for attempt in attempts:
        others = emptied_lines(attempt.text, broken_at, keep=attempt.span.start)
        if others:
            yield attempt.replaced(text=without_lines(attempt.text, others))


def _probe_in(run: CheckedDocument) -> Path | None:
    for path, entry, node in run.document.walk():
        if (entry is not None and entry.name == PROBE) or _is_probe(node):
            return path
    return None


def _is_probe(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value == PROBE


def is_written(entry: Entry) -> bool:
    """Whether an entry is there without the probe."""
    return entry.name != PROBE


# --------------------------------------------------------------------------- indentation


def _indented(text: str, offset: int) -> Iterator[Attempt]:
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line = text[start:offset]
    if value := _VALUE.fullmatch(line):
        rest = _REST_OF_VALUE.match(text, offset)
        assert rest is not None
        begin, end = start + value.start("word"), offset + len(rest.group().rstrip())
        yield from _with_probe(text, Span(begin, end), PROBE, value.group("quote"), is_key=False)
    elif key := _KEY.fullmatch(line):
        rest = _REST_OF_KEY.match(text, offset)
        assert rest is not None
        span = Span(start + key.start("word"), rest.end())
        if text[span.end : span.end + 1] == ":":
            yield from _with_probe(text, span, PROBE, "", is_key=True)
            return
        yield from _with_probe(text, span, f"{PROBE}:", "", is_key=True, after=": ")
        if "-" in key.group("indent"):
            yield from _with_probe(text, span, PROBE, "", is_key=False)


def _with_probe(
    text: str, span: Span, probe: str, quote: str, *, is_key: bool, after: str = ""
) -> Iterator[Attempt]:
    """The text with a probe, and its beginning up to the end of that line."""
    whole = text[: span.start] + probe + text[span.end :]
    behind = text[span.end : span.end + 1]
    closing = quote if quote and behind != quote else ""
    if closing:
        whole = text[: span.start] + probe + closing + text[span.end :]
    yield Attempt(whole, is_key, span, "", after + closing, bool(quote))
    end = re.compile(r"[^\r\n]*").match(whole, span.start)
    assert end is not None
    yield Attempt(whole[: end.end()] + "\n", is_key, span, "", after + closing, bool(quote))


# --------------------------------------------------------------------------- brackets


def _bracketed(text: str, offset: int) -> Iterator[Attempt]:
    open_, string = _open_brackets(text, offset)
    if not open_:
        return
    start = string if string is not None else _word_start(text, offset)
    before = text[:start].rstrip()[-1:]
    is_key = before in ("{", ",") and open_[-1] == "{"
    if not is_key and before not in (":", "[", ","):
        return
    end = offset + len(_REST_OF_KEY.match(text, offset).group())  # type: ignore[union-attr]
    if string is not None and text[end : end + 1] == '"':
        end += 1
    behind = text[end:].lstrip()[:1]
    after = ": " if is_key and behind != ":" else ""
    probe = f'"{PROBE}"' + (": null" if after else "")
    comma = "," if behind == '"' else ""
    span = Span(start, end)
    closing = "".join(_CLOSING[bracket] for bracket in reversed(open_))
    if is_key and behind == ":":
        yield Attempt(text[:start] + probe + text[end:], is_key, span, '"', '"')
        yield Attempt(text[:start] + probe + ": null" + closing, is_key, span, '"', '"')
        return
    yield Attempt(text[:start] + probe + comma + text[end:], is_key, span, '"', '"' + after)
    yield Attempt(text[:start] + probe + closing, is_key, span, '"', '"' + after)


def _word_start(text: str, offset: int) -> int:
    while offset and (text[offset - 1].isalnum() or text[offset - 1] in "_.-"):
        offset -= 1
    return offset


def _open_brackets(text: str, offset: int) -> tuple[list[str], int | None]:
    """The brackets that are open at an offset, and where the string begins that it lies in."""
    open_: list[str] = []
    string: int | None = None
    index = 0
    while index < offset:
        char = text[index]
        if string is not None:
            if char == "\\":
                index += 1
            elif char in '"\r\n':
                string = None
        elif char == '"':
            string = index
        elif char in _CLOSING:
            open_.append(char)
        elif char in "}]" and open_:
            open_.pop()
        index += 1
    return open_, string
