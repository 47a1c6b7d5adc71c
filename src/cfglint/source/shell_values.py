"""What the words of a script stand for, as far as the script itself tells.

A variable counts when the script gives it one value in one place that surely runs before. What is
computed, given to the script, or read by `eval` and `source` is not known.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from cfglint.base.lazy import lazy_pattern
from cfglint.base.record import NamedTuple, Record
from cfglint.source.shell_arithmetic import computed
from cfglint.source.shell_blanks import fields as fields_of
from cfglint.source.shell_documents import variable_read, words_in
from cfglint.source.shell_tildes import with_homes
from cfglint.source.shell_words import Piece, RawWord, Script, SimpleCommand
from cfglint.source.text import Span

_ASSIGNMENT = lazy_pattern(r"([A-Za-z_]\w*)(\[[^\]]*\])?(\+?=)")
#: Values that are set on the way: `${x:=1}`, `((x += 1))`, `let x=1`.
_INSIDE = lazy_pattern(
    r"\$\{([A-Za-z_]\w*):?="
    r"|(?:\(\([ \t]*|\blet[ \t]+(?:[\"'][ \t]*)?)([A-Za-z_]\w*)[ \t]*(?:[-+*/%]?=|\+\+|--)"
)
#: One of them that says what a variable has by default, in a command of its own: `: "${x:=1}"`.
_BY_DEFAULT = lazy_pattern(
    r"(?m)^[ \t]{0,40}:[ \t]{1,9}\"?\$\{([A-Za-z_]\w*):?=[\"']?([^\"'${}`\\\s]{1,200})[\"']?\}"
)
_NAME = lazy_pattern(r"[A-Za-z_]\w*")
#: One with a zero in front is octal.
_NUMBER = lazy_pattern(r"-?(?:0|[1-9][0-9]{0,17})")
_DECLARING = frozenset({"export", "local", "declare", "typeset", "readonly"})
#: The option of a variable that is a number.
_NUMBERED = "-i"
_SETTING = frozenset(
    {"read", "for", "select", "unset", "getopts", "mapfile", "readarray", "printf"}
)
_BLANK = " \t\n"
#: What may have blanks in it that divide no words.
_COMPUTED = lazy_pattern(r"[(){}`]")
_HIDDEN = frozenset({"eval", "source", "."})
#: How the words of a here-document are used: by a variable without quotes.
_USE = ("variable", False)
#: A variable that is set more often is not followed.
_MAX_SET = 50
#: A longer value is not followed.
_MAX_TEXT = 4_000
#: No command that is read has as many words.
_MAX_FIELDS = 10_000
#: A list with more words is not followed.
_MAX_ITEMS = 1_000
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
    """What a variable is set to at one place."""

    name: str
    word: RawWord
    #: Where the value begins: behind `=`.
    start: int
    pieces: tuple[Piece, ...]
    at: int
    block: tuple[int, ...]
    #: It comes behind what the variable has (`x+=…`).
    adds: bool = False


class _Items(Record):
    """Words that are given to a list, in place of what it had or behind it."""

    words: tuple[RawWord, ...]
    statement: SimpleCommand
    at: int
    adds: bool


class ShellVariables:
    """The variables of a script."""

    def __init__(self, script: Script, text: str) -> None:
        self._text = text
        #: Several values follow each other in one block, each with the one before it in it. None if unknown.
        self._values: dict[str, list[_Value] | None] = {}
        self._lists: dict[str, list[_Items]] = {}
        #: Variables whose list is the words of a here-document.
        self._read: set[str] = set()
        #: Where a list is given words -> all that it then has, where they are known.
        self._words: dict[int, list[ExpandedWord]] = {}
        self._hidden: list[int] = []
        #: Where a variable is set -> the text that it then has, and whether all of it is known.
        self._texts: dict[int, tuple[str, bool]] = {}
        for statement in script.statements:
            self._look_at(statement)
        for match in _INSIDE.finditer(text):
            self._values[match.group(1) or match.group(2)] = None
        #: Variables that have a plain value by default, where they are given no other.
        self.defaults = {match.group(1): match.group(2) for match in _BY_DEFAULT.finditer(text)}
        # In the order in which they are set, so that none has to wait for another.
        known = [one for given in self._values.values() for one in given or ()]
        for value in sorted(known, key=lambda one: one.at):
            self._texts[value.at] = self._text_set(value)
        self._fill_lists()

    def _look_at(self, statement: SimpleCommand) -> None:
        words = statement.words
        first = self._text[words[0].start : words[0].end]
        if first in _HIDDEN:
            # After its own words are expanded.
            self._hidden.append(words[-1].end)
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
                if declares and any(self._text.startswith(_NUMBERED, one.start) for one in words):
                    self._values[match.group(1)] = None  # `+=` adds numbers then
            # Before a command, it applies to that command alone.
        if statement.document is not None and self._reads(statement, statement.document):
            return
        if first in _SETTING:
            for word in words[1:]:
                name = self._text[word.start : word.end]
                if _NAME.fullmatch(name):
                    self._values[name] = None
                    self._forget_read(name)

    def _reads(self, statement: SimpleCommand, document: Span) -> bool:
        """Take the words that a command reads from its here-document into a variable, if it does."""
        plain = tuple("".join(piece.text for piece in word.pieces) for word in statement.words)
        name = variable_read(plain)
        if not name:
            return False
        words = words_in(self._text, document.start, document.end)
        known = words is not None and name not in self._lists and name not in self._values
        self._lists[name] = []
        if known and words:
            self._lists[name].append(_Items(words, statement, document.start, False))
        self._read.add(name)
        self._values[name] = None
        return True

    def _forget_read(self, name: str) -> None:
        """Forget the words of a here-document that a variable had: it gets another value."""
        if name in self._read:
            self._lists[name].clear()

    def _set(self, statement: SimpleCommand, word: RawWord, match: re.Match[str]) -> None:
        name = match.group(1)
        self._forget_read(name)
        adds = match.group(3) == "+="
        if word.items is not None and match.group(2) is None:
            self._lists.setdefault(name, []).append(_Items(word.items, statement, word.start, adds))
            self._values[name] = None
            return
        # `x=(a b)` that could not be read: the bracket ended the word.
        is_list = self._text[word.end : word.end + 1] == "(" and match.end() == word.end
        value = _Value(
            name,
            word,
            match.end(),
            with_homes(_behind(word, len(match.group()))),
            word.start,
            statement.block,
            adds,
        )
        before = self._values.get(name, [])
        plain = match.group(2) is None and not is_list
        follows = before is not None and len(before) < _MAX_SET and _goes_on(before, value)
        self._values[name] = [*(before or ()), value] if plain and follows else None

    def expanded(self, statement: SimpleCommand) -> list[ExpandedWord]:
        """The words that a command gets, each variable in its place."""
        found: list[ExpandedWord] = []
        for word in statement.words:
            found += self._fields(word, statement)
            if len(found) > _MAX_FIELDS:
                break  # longer commands are not read
        return found

    def value_at(self, name: str, at: int, block: tuple[int, ...]) -> _Value | None:
        """What a variable surely is at a place."""
        before = [one for one in self._values.get(name) or () if one.at < at]
        if not before or block[: len(before[0].block)] != before[0].block:
            return None
        return None if self._is_hidden(before[0].at, at) else before[-1]

    def _items(self, name: str, at: int, block: tuple[int, ...]) -> list[ExpandedWord] | None:
        """The words of a list at a place; None when they are not known."""
        given = self._lists.get(name, [])
        if not given or self._is_hidden(given[0].at, at):
            return None
        if any(items.at >= at for items in given):
            return None
        reached = [block[: len(one.statement.block)] == one.statement.block for one in given]
        if all(reached):
            return self._words.get(given[-1].at)
        # Words that are added in some cases alone may be there, and what is before them surely is.
        if not all(there or one.adds for there, one in zip(reached, given, strict=True)):
            return None
        return self._with_doubtful(name, list(zip(given, reached, strict=True)))

    def _with_doubtful(
        self, name: str, given: list[tuple[_Items, bool]]
    ) -> list[ExpandedWord] | None:
        """The words of a list, with one that may be any in place of each that some cases alone add."""
        found: list[ExpandedWord] = []
        for items, is_sure in given:
            if not is_sure:
                first, last = items.words[:1], items.words[-1:]
                at = (first[0].start, last[0].end) if first else (items.at, items.at)
                found.append(ExpandedWord(f"${{{name}[@]}}", *at, open=True, many=True))
                continue
            if not items.adds:
                found = []
            for word in items.words:
                found += self._fields(word, items.statement)
            if len(found) > _MAX_ITEMS:
                return None
        return found

    def _fill_lists(self) -> None:
        """Work out the words of all lists, in the order in which they are given.

        A list that is given its own words is not known: they are not worked out yet.
        """
        now: dict[str, list[ExpandedWord] | None] = {}
        for name, items in sorted(
            ((name, one) for name, given in self._lists.items() for one in given),
            key=lambda pair: pair[1].at,
        ):
            found = now.get(name) if items.adds else []
            if found is not None:
                found = list(found)
                for word in items.words:
                    found += self._fields(word, items.statement)
                    if len(found) > _MAX_ITEMS:
                        found = None
                        break
            now[name] = found
            if found is not None:
                self._words[items.at] = found

    def _is_hidden(self, since: int, at: int) -> bool:
        """Whether something that may set any variable is between two places."""
        hidden = bisect_right(self._hidden, since)
        return hidden < len(self._hidden) and self._hidden[hidden] < at

    def _text_of(self, piece: Piece, at: int, block: tuple[int, ...]) -> tuple[str, bool]:
        """(the text of a piece, whether all of it is known); what is unknown stays as it is written."""
        if piece.kind == "list":
            return f"${{{piece.text}[@]}}", False
        if piece.kind == "open":
            number = computed(piece.text, lambda name: self._number(name, at, block))
            return (piece.text, False) if number is None else (number, True)
        if piece.kind != "variable":
            return piece.text, piece.kind == "text"
        value = self.value_at(piece.text, at, block)
        return (f"${piece.text}", False) if value is None else self._texts[value.at]

    def _number(self, name: str, at: int, block: tuple[int, ...]) -> int | None:
        """The whole number that a variable surely is at a place."""
        text, known = self._text_of(Piece("variable", name, True), at, block)
        return int(text) if known and _NUMBER.fullmatch(text) else None

    def _text_set(self, value: _Value) -> tuple[str, bool]:
        """The text that a variable is set to, and whether all of it is known."""
        parts = [self._text_of(piece, value.at, value.block) for piece in value.pieces]
        if value.adds:
            of_itself = Piece("variable", value.name, True)
            parts.insert(0, self._text_of(of_itself, value.at, value.block))
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
        if whole is not None and whole.kind == "list":
            items = self._items(whole.text, word.start, statement.block)
            if items is not None and (whole.quoted or not any(map(_is_split, items))):
                return items
        if whole is not None and whole.text in self._read and (whole.kind, whole.quoted) == _USE:
            items = self._items(whole.text, word.start, statement.block)
            if items is not None:
                return items
        origin: tuple[int, int] | None = None
        if whole is not None and whole.kind == "variable":
            value = self.value_at(whole.text, word.start, statement.block)
            if value is not None and len(self._values[whole.text] or ()) == 1:
                origin = (value.start, value.word.end)
        for piece in word.pieces:
            if piece.kind == "text":
                many = many or (not piece.quoted and _is_pattern(piece.text))
                parts.append(piece.text)
                continue
            text, known = self._text_of(piece, word.start, statement.block)
            length += len(text)
            if not known or length > _MAX_WORD:
                fields = _partly_known(text) if whole is not None and not piece.quoted else []
                if fields:
                    opens = [(field, "$" in field) for field in fields]
                    return [ExpandedWord(one, word.start, word.end, has, has) for one, has in opens]
                is_open = True
                many = many or not piece.quoted or piece.kind == "list" or "@" in piece.text
                parts.append(text)
                continue
            if piece.quoted:
                parts.append(text)
                continue
            fields = fields_of(text)
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


def _partly_known(text: str) -> list[str]:
    """The words of a text in which some variables are unknown, each of them one or several; none if it is one word."""
    fields = fields_of(text)
    return fields if len(fields) > 1 and not _COMPUTED.search(text) else []


def _goes_on(before: list[_Value], value: _Value) -> bool:
    """Whether a variable that is set again, in the same block, keeps what it has."""
    if not before:
        return not value.adds
    keeps = value.adds or any(
        piece.kind == "variable" and piece.text == value.name for piece in value.pieces
    )
    return keeps and value.block == before[0].block


def _is_split(word: ExpandedWord) -> bool:
    """Whether a shell makes something else of a word when it reads it once more."""
    return (
        word.open or not word.text or _is_pattern(word.text) or any(c in _BLANK for c in word.text)
    )


def _is_pattern(text: str) -> bool:
    """Whether a shell may make several words of a text: `*.json`, `{a,b}`."""
    braces = "{" in text and ("," in text or ".." in text)
    return braces or any(sign in text for sign in "*?[")


def _behind(word: RawWord, length: int) -> tuple[Piece, ...]:
    """The pieces of a word without so many characters at its beginning, which are plain."""
    first, *rest = word.pieces
    left = first.text[length:]
    return (first._replace(text=left), *rest) if left else tuple(rest)
