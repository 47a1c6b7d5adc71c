"""What the words of a script stand for, as far as the script itself tells.

A variable counts when the script gives it one value in one place that surely runs before. What is
computed, given to the script, or read by `eval` and `source` is not known.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple, Record
from cfglint.source.shell_words import Piece, RawWord, Script, SimpleCommand

_ASSIGNMENT = lazy_pattern(r"([A-Za-z_]\w*)(\[[^\]]*\])?(\+?=)")
#: Values that are set on the way: `${x:=1}`, `((x += 1))`, `let x=1`.
_INSIDE = lazy_pattern(
    r"\$\{([A-Za-z_]\w*):?="
    r"|(?:\(\([ \t]*|\blet[ \t]+(?:[\"'][ \t]*)?)([A-Za-z_]\w*)[ \t]*(?:[-+*/%]?=|\+\+|--)"
)
_NAME = lazy_pattern(r"[A-Za-z_]\w*")
_DECLARING = frozenset({"export", "local", "declare", "typeset", "readonly"})
_SETTING = frozenset(
    {"read", "for", "select", "unset", "getopts", "mapfile", "readarray", "printf"}
)
_BLANK = " \t\n"
#: What a shell makes of a value that is not quoted.
_FIELDS = lazy_pattern(r"[^ \t\n]+")
_HIDDEN = frozenset({"eval", "source", "."})
#: A longer value is not followed.
_MAX_TEXT = 4_000
#: A word that becomes more characters is not split.
_MAX_WORD = 100_000


class ExpandedWord(NamedTuple):
    """A word that a command gets."""

    text: str
    start: int
    end: int
    #: A part of its text is not known.
    open: bool = False
    #: It may be several words, or none.
    many: bool = False
    #: Where the script sets the variable that is the whole word.
    origin: tuple[int, int] | None = None


class _Value(Record):
    """What a variable is set to, once."""

    name: str
    word: RawWord
    #: Where the value begins: behind `=`.
    start: int
    pieces: tuple[Piece, ...]
    at: int
    block: tuple[int, ...]


class ShellVariables:
    """The variables of a script."""

    def __init__(self, script: Script, text: str) -> None:
        self._text = text
        self._values: dict[str, _Value | None] = {}
        self._hidden: list[int] = []
        #: The text that each variable is set to, and whether all of it is known.
        self._texts: dict[str, tuple[str, bool]] = {}
        for statement in script.statements:
            self._look_at(statement)
        for match in _INSIDE.finditer(text):
            self._values[match.group(1) or match.group(2)] = None
        # In the order in which they are set, so that none has to wait for another.
        for value in self._values.values():
            if value is not None:
                self._texts[value.name] = self._text_set(value)

    def _look_at(self, statement: SimpleCommand) -> None:
        words = statement.words
        first = self._text[words[0].start : words[0].end]
        if first in _HIDDEN:
            self._hidden.append(words[0].start)
        declares = first in _DECLARING
        for number, word in enumerate(words):
            match = _ASSIGNMENT.match(self._text, word.start, word.end)
            if match is None:
                if declares and (number == 0 or self._text[word.start] == "-"):
                    continue
                break
            if declares or all(
                _ASSIGNMENT.match(self._text, one.start, one.end) for one in words[number:]
            ):
                self._set(statement, word, match)
            # Before a command, it applies to that command alone.
        if first in _SETTING:
            for word in words[1:]:
                name = self._text[word.start : word.end]
                if _NAME.fullmatch(name):
                    self._values[name] = None

    def _set(self, statement: SimpleCommand, word: RawWord, match: re.Match[str]) -> None:
        name = match.group(1)
        plain = match.group(2) is None and match.group(3) == "=" and name not in self._values
        # `x=(a b)`: the bracket ended the word.
        is_list = self._text[word.end : word.end + 1] == "(" and match.end() == word.end
        value = _Value(
            name, word, match.end(), _behind(word, len(match.group())), word.start, statement.block
        )
        self._values[name] = value if plain and not is_list else None

    def expanded(self, statement: SimpleCommand) -> list[ExpandedWord]:
        """The words that a command gets, each variable in its place."""
        found: list[ExpandedWord] = []
        for word in statement.words:
            found += self._fields(word, statement)
        return found

    def value_at(self, name: str, at: int, block: tuple[int, ...]) -> _Value | None:
        """What a variable surely is at a place."""
        value = self._values.get(name)
        if value is None or value.at >= at or block[: len(value.block)] != value.block:
            return None
        hidden = bisect_right(self._hidden, value.at)
        return None if hidden < len(self._hidden) and self._hidden[hidden] < at else value

    def _text_of(self, piece: Piece, at: int, block: tuple[int, ...]) -> tuple[str, bool]:
        """(the text of a piece, whether all of it is known); what is unknown stays as it is written."""
        if piece.kind != "variable":
            return piece.text, piece.kind == "text"
        value = self.value_at(piece.text, at, block)
        return (f"${piece.text}", False) if value is None else self._texts[piece.text]

    def _text_set(self, value: _Value) -> tuple[str, bool]:
        """The text that a variable is set to, and whether all of it is known."""
        parts = [self._text_of(piece, value.at, value.block) for piece in value.pieces]
        text = "".join(part for part, _ in parts)
        return (
            (text, all(known for _, known in parts))
            if len(text) <= _MAX_TEXT
            else (f"${value.name}", False)
        )

    def _fields(self, word: RawWord, statement: SimpleCommand) -> list[ExpandedWord]:
        """The words that a written one becomes."""
        done: list[ExpandedWord] = []
        parts: list[str] = []
        is_open = many = False
        length = 0
        exists = any(piece.quoted or piece.kind == "text" for piece in word.pieces)
        whole = word.pieces[0] if len(word.pieces) == 1 else None
        origin: tuple[int, int] | None = None
        if whole is not None and whole.kind == "variable":
            value = self.value_at(whole.text, word.start, statement.block)
            if value is not None:
                origin = (value.start, value.word.end)
        for piece in word.pieces:
            if piece.kind == "text":
                many = many or (not piece.quoted and _is_pattern(piece.text))
                parts.append(piece.text)
                continue
            text, known = self._text_of(piece, word.start, statement.block)
            length += len(text)
            if not known or length > _MAX_WORD:
                is_open = True
                many = many or not piece.quoted or "@" in piece.text
                parts.append(text)
                continue
            if piece.quoted:
                parts.append(text)
                continue
            fields = _FIELDS.findall(text)
            many = many or _is_pattern(text)
            if text[:1] in _BLANK and text and parts:
                done.append(ExpandedWord("".join(parts), word.start, word.end))
                parts = []
            for number, field in enumerate(fields):
                if number:
                    done.append(ExpandedWord("".join(parts), word.start, word.end))
                    parts = []
                parts.append(field)
                exists = True
            # What follows is a word of its own; that is too rare to be computed.
            many = many or (len(word.pieces) > 1 and text[-1:] in _BLANK and bool(text))
        if done:
            origin = None
        if exists or is_open:
            done.append(ExpandedWord("".join(parts), word.start, word.end, is_open, many, origin))
        return done


def _is_pattern(text: str) -> bool:
    """Whether a shell may make several words of a text: `*.json`, `{a,b}`."""
    braces = "{" in text and ("," in text or ".." in text)
    return braces or any(sign in text for sign in "*?[")


def _behind(word: RawWord, length: int) -> tuple[Piece, ...]:
    """The pieces of a word without so many characters at its beginning, which are plain."""
    first, *rest = word.pieces
    left = first.text[length:]
    return (first._replace(text=left), *rest) if left else tuple(rest)
