"""The parts of a log that are worth reading: its head, its tail, and what surrounds errors between them.

A log may have hundreds of megabytes, most of it steps and progress bars. It is streamed and searched for
fixed words; only windows around them become lines.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from cfglint.base.record import Record
from cfglint.base.type_names import IO

#: Bytes of the head and of the tail that are read in full.
HEAD, TAIL = 1 << 20, 4 << 20
#: Bytes read at once, and how far a window reaches around a word.
CHUNK, REACH = 1 << 20, 24 << 10
#: Windows between head and tail; the first failure says more than the hundredth.
MAX_WINDOWS = 64
#: A window of errors that are close together is no longer.
MAX_WINDOW = 4 * REACH
#: Lines of the head, of the tail, and of all windows that are read. What has more is hardly a log.
MAX_LINES = 60_000
_WORDS = (
    b"Traceback (most recent call last)",
    b"Error: ",
    b"out of memory",
    b"Watchdog caught",
    b"fatal error: ",
)


class LogPart(Record):
    """Consecutive bytes of a log."""

    text: bytes
    #: The number of the first line, from 1.
    line: int


def parts(stream: IO[bytes]) -> Iterator[LogPart]:
    """The parts of a log, in its order and without overlap."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        yield from _ends(LogPart(head, 1))
        return
    held = _Middle(head.count(b"\n") + 1)
    while chunk := stream.read(CHUNK):
        held.add(chunk)
    yield from _ends(LogPart(head, 1))
    yield from held.windows()


def _ends(part: LogPart) -> Iterator[LogPart]:
    """A part, or its first and its last lines if it has too many."""
    text = part.text
    count = text.count(b"\n")
    if count < MAX_LINES:
        yield part
        return
    half = MAX_LINES // 2
    end, start = 0, len(text)
    for _ in range(half):
        end = text.find(b"\n", end) + 1
        start = text.rfind(b"\n", 0, start)
    yield LogPart(text[:end], part.line)
    yield LogPart(text[start + 1 :], part.line + count - half + 1)


class _Middle:
    """What follows the head: the last bytes, and windows around words in those before them."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._waiting: deque[bytes] = deque()
        self._held = 0
        self._before = b""
        self._found: list[LogPart] = []
        self._lines = 0

    def add(self, chunk: bytes) -> None:
        self._waiting.append(chunk)
        self._held += len(chunk)
        while self._held - len(self._waiting[0]) >= TAIL:
            self._search(self._waiting.popleft())

    def _search(self, chunk: bytes) -> None:
        """Keep the windows of a chunk, with the end of the one before."""
        self._held -= len(chunk)
        text = self._before + chunk
        for start, end in _spans(text):
            lines = text.count(b"\n", start, end)
            if len(self._found) >= MAX_WINDOWS or self._lines + lines > MAX_LINES:
                break
            self._lines += lines
            line = self._line + text.count(b"\n", 0, start)
            self._found.append(LogPart(text[start:end], line))
        kept = text[-REACH:]
        self._line += text.count(b"\n", 0, len(text) - len(kept))
        self._before = kept

    def windows(self) -> Iterator[LogPart]:
        """The windows, then the tail."""
        yield from self._found
        tail = b"".join(self._waiting)
        first = self._line + self._before.count(b"\n")
        yield from _ends(LogPart(tail, first))


def _spans(text: bytes) -> list[tuple[int, int]]:
    """(start, end) of the windows around words, at line ends where lines are no longer than they.

    Windows that meet are joined up to a size.
    """
    places = sorted(place for word in _WORDS for place in _places(text, word))
    spans: list[tuple[int, int]] = []
    for place in places:
        first, last = max(0, place - REACH), min(len(text), place + REACH)
        start = max(text.rfind(b"\n", 0, first) + 1, first - REACH)
        end = (text.find(b"\n", last, last + REACH) + 1) or min(len(text), last + REACH)
        if spans and start <= spans[-1][1]:
            start = spans[-1][0]
            if end - start <= MAX_WINDOW:
                spans[-1] = (start, max(end, spans[-1][1]))
                continue
            start = spans[-1][1]
        if start < end:
            spans.append((start, end))
    return spans


def _places(text: bytes, word: bytes) -> Iterator[int]:
    """Where a word is; of those that are close together only the first."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + REACH)
