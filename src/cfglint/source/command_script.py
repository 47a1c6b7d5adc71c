"""A command of a program as a script, with the places of its words in the program."""

from __future__ import annotations

import re
import shlex
from bisect import bisect_right

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple
from cfglint.source.command_values import OPEN
from cfglint.source.python_commands import ProgramCommand
from cfglint.source.shell_values import ExpandedWord
from cfglint.source.text import Span

_ASSIGNMENT = lazy_pattern(r"[A-Za-z_]\w*=")
#: A word that a shell may divide, but that has no signs for it.
_PLAIN = lazy_pattern(r"(?:[\w./:=,+@%-]|\$1|\$\{1\})+")
#: What a program says to cfglint.
_COMMENT = lazy_pattern(r"#[ \t]*cfglint:[^\n]*")
_OF_FILE = "ignore-file"
_MAX_COMMENTS = 20
#: Above the first word of a command is what hands it over, and above that a comment.
_LINES_ABOVE = 3


class _WordPlace(NamedTuple):
    """Where a word is in the script, and where in the program."""

    begin: int
    end: int
    word: ExpandedWord


class CommandScript:
    """The script that a command is.

    Args:
        command: one of a program.
        branch: the branch whose words it has; 0 for those that are always there.
        program: the text of the program.
    """

    def __init__(self, command: ProgramCommand, branch: int, program: str) -> None:
        words = command.words(branch)
        comments = "".join(f"{one}\n" for one in _comments(words, program))
        parts, self._places, at = [], [], len(comments)
        for word in words:
            written = _written(word)
            self._places.append(_WordPlace(at, at + len(written), word))
            parts.append(written)
            at += len(written) + 1
        self.text = f"{comments}{' '.join(parts)}\n"
        self._begins = [place.begin for place in self._places]
        self._program = program
        self.words = words

    def own_span(self, span: Span) -> Span | None:
        """The place in the program of one in the script; None for what is in no word."""
        first, last = self._at(span.start), self._at(max(span.start, span.end - 1))
        if first is None or last is None:
            return None
        start, end = first.word.start, last.word.end
        if first is last and self._is_as_written(first):
            return Span(start + span.start - first.begin, min(end, start + span.end - first.begin))
        return Span(start, max(start, end))

    def _at(self, offset: int) -> _WordPlace | None:
        number = bisect_right(self._begins, offset) - 1
        if number < 0:
            return None
        place = self._places[number]
        return place if offset <= place.end else None

    def _is_as_written(self, place: _WordPlace) -> bool:
        """Whether the program has a word character by character as the script has it."""
        word = place.word
        length = place.end - place.begin
        return (
            length == word.end - word.start == len(word.text)
            and self._program[word.start : word.end] == word.text
        )


def _written(word: ExpandedWord) -> str:
    """A word as a script has it."""
    if word.many:
        return word.text if _PLAIN.fullmatch(word.text) else OPEN
    if word.open:
        inner = re.sub(r'[\\"`\n\r]', "_", word.text)
        return f'"{inner}"'
    match = _ASSIGNMENT.match(word.text)
    name = match[0] if match is not None else ""
    text = word.text[len(name) :].replace("\n", " ").replace("\r", " ")
    return name + (shlex.quote(text) if text or not name else "")


def _comments(words: list[ExpandedWord], program: str) -> list[str]:
    """What the program says to cfglint about all of itself, and about a command: in its lines and those above it."""
    if "cfglint:" not in program:
        return []
    begin = above = program.rfind("\n", 0, min(word.start for word in words)) + 1
    for _ in range(_LINES_ABOVE):
        above = program.rfind("\n", 0, max(0, above - 1)) + 1
    end = program.find("\n", max(word.end for word in words))
    found = []
    for match in _COMMENT.finditer(program):
        line = program.rfind("\n", 0, match.start()) + 1
        is_own = not program[line : match.start()].strip()
        near = begin <= line or (is_own and above <= line)
        if (near and match.start() < (len(program) if end < 0 else end)) or _OF_FILE in match[0]:
            found.append(match[0].rstrip())
    return found[:_MAX_COMMENTS]
