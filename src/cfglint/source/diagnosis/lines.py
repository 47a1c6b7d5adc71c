"""The lines of a text that no parser accepts, each with what is known from it alone.

The reading is tolerant: a quote or a bracket that is never closed ends where the next key begins,
so that one slip does not hide the rest of the file. Nothing here decides what is wrong.
"""

from __future__ import annotations

import re

from cfglint.base.lazy import lazy_pattern

#: A key with its colon, as configs write keys; quoted keys count.
KEY = r"""[A-Za-z_][\w.-]*|"[^"\\]+"|'[^']+'"""
_STRUCTURE = lazy_pattern(rf"(?:- +)*(?:{KEY}):(?=\s|$)")
_DASHES = lazy_pattern(r"(?:-[ \t]+)*-?(?=[ \t]|$)")
_BLOCK_HEADER = lazy_pattern(r"[|>][-+0-9]*[ \t]*(?:#.*)?$")
_PROPERTY = lazy_pattern(r"[&!][^\s,\[\]{}]*(?=\s|$)")
_DOUBLE = lazy_pattern(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SINGLE = lazy_pattern(r"'(?:[^']|'')*'(?!')")
#: A quoted text over several lines is followed for this many characters.
_MAX_QUOTED = 20_000


class Line:
    """One line. Offsets count code points of the whole text."""

    __slots__ = (
        "after_quote",
        "colons",
        "content",
        "dashes",
        "end",
        "indent",
        "kind",
        "last",
        "lead",
        "number",
        "open_bracket",
        "open_quote",
        "quoted",
        "start",
        "surplus",
    )

    def __init__(self, number: int, start: int, end: int) -> None:
        #: From 0.
        self.number = number
        self.start = start
        #: Without the line break.
        self.end = end
        #: `blank`, `comment`, `code`; `literal` (of a block scalar), `flow` (goes on inside
        #: brackets), `quoted` (goes on inside quotes).
        self.kind = "code"
        #: Leading spaces, or the width of the white space when there are tabs in it.
        self.indent = 0
        #: Where the leading white space ends.
        self.lead = start
        #: How many dashes of list items stand first.
        self.dashes = 0
        #: Where the first thing after the dashes begins.
        self.content = start
        #: Where the code ends, without comment and trailing white space.
        self.last = end
        #: Colons with white space after them, outside quotes and brackets.
        self.colons: list[int] = []
        #: Quoted texts that end on the line.
        self.quoted: list[tuple[int, int]] = []
        #: A quote that is opened here and does not seem to be closed; -1 without one.
        self.open_quote = -1
        #: A bracket that is opened here and does not seem to be closed; -1 without one.
        self.open_bracket = -1
        #: Where text follows a closing quote; -1 without any.
        self.after_quote = -1
        #: A closing bracket that was never opened, or is of the other kind; -1 without one.
        self.surplus = -1

    @property
    def column(self) -> int:
        """Where the content begins, counted from the start of the line."""
        return self.content - self.start


class Lines:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.all: list[Line] = []
        self._quote_end = -1
        #: (character, offset, line) of brackets that are open.
        self._brackets: list[tuple[str, int, Line]] = []
        self._literal = -1
        start = 0
        for number, raw in enumerate(_split(text)):
            line = Line(number, start, start + len(raw.rstrip("\r\n")))
            self._read(line)
            self.all.append(line)
            start += len(raw)
        for _, offset, line in self._brackets:
            if line.open_bracket < 0:
                line.open_bracket = offset

    def at(self, offset: int) -> Line:
        """The line of an offset (the last one for what lies behind the text)."""
        low, high = 0, len(self.all) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.all[middle].start <= offset:
                low = middle
            else:
                high = middle - 1
        return self.all[low]

    def code(self, line: Line) -> str:
        """The code of a line after its dashes, without comment."""
        return self.text[line.content : line.last]

    def before(self, line: Line, count: int) -> list[Line]:
        """Up to `count` lines of code above a line, the nearest first."""
        found = []
        for index in range(line.number - 1, max(-1, line.number - 200), -1):
            if self.all[index].kind == "code":
                found.append(self.all[index])
                if len(found) == count:
                    break
        return found

    def after(self, line: Line, count: int) -> list[Line]:
        """Up to `count` lines of code below a line, the nearest first."""
        found = []
        for index in range(line.number + 1, min(len(self.all), line.number + 200)):
            if self.all[index].kind == "code":
                found.append(self.all[index])
                if len(found) == count:
                    break
        return found

    # ------------------------------------------------------------------ reading

    def _read(self, line: Line) -> None:
        text = self.text
        lead = line.start
        while lead < line.end and text[lead] in " \t":
            lead += 1
        line.lead = line.content = lead
        line.indent = lead - line.start
        if self._quote_end > line.end:
            line.kind = "quoted"
            return
        if self._quote_end > line.start:
            line.kind = "quoted"
            self._scan(line, self._quote_end, fresh=False)
            return
        if lead == line.end:
            line.kind = "blank"
            line.last = lead
            return
        if self._literal >= 0:
            if line.indent > self._literal:
                line.kind = "literal"
                return
            self._literal = -1
        if text[lead] == "#":
            line.kind = "comment"
            return
        if self._brackets:
            if self._resumes(line):
                for _, offset, opener in self._brackets:
                    if opener.open_bracket < 0:
                        opener.open_bracket = offset
                self._brackets.clear()
            else:
                line.kind = "flow"
                self._scan(line, lead)
                return
        dashes = _DASHES.match(text, lead, line.end)
        if dashes is not None:
            line.dashes = dashes.group().count("-")
            content = dashes.end()
            while content < line.end and text[content] in " \t":
                content += 1
            line.content = content
        self._scan(line, line.content)

    def _resumes(self, line: Line) -> bool:
        """Whether a line inside brackets rather looks like the next key after them."""
        bracket, _, opener = self._brackets[0]
        if line.indent > opener.indent:
            return False
        if _STRUCTURE.match(self.text, line.lead, line.end) is None:
            return False
        return bracket == "[" or not self.text[line.start : line.end].rstrip().endswith(",")

    def _scan(self, line: Line, position: int, *, fresh: bool = True) -> None:
        """Look through the code of a line from a position on.

        Args:
            fresh: a key, a value or an item may begin there.
        """
        text, end = self.text, line.end
        line.last = position
        while position < end:
            char = text[position]
            if char in " \t":
                position += 1
                continue
            if char == "#" and (position == line.start or text[position - 1] in " \t"):
                return
            if fresh and char in "\"'":
                after = self._quote(line, position)
                if after < 0:
                    return
                position = after
                fresh = False
            elif char in "[{" and (fresh or self._brackets):
                self._brackets.append((char, position, line))
                position += 1
                fresh = True
            elif char in "]}" and self._brackets:
                opened = self._brackets.pop()
                if (opened[0] == "[") is not (char == "]"):
                    line.surplus = position
                position += 1
                fresh = False
                if not self._brackets and position < end and text[position] in "]}":
                    line.surplus = position
            elif char == "," and self._brackets:
                position += 1
                fresh = True
            elif fresh and (found := _PROPERTY.match(text, position, end)) is not None:
                position = found.end()
            elif fresh and not self._brackets and char in "|>":
                if _BLOCK_HEADER.match(text, position, end) is not None:
                    self._literal = self._column_of_parent(line)
                    line.last = position + 1
                    return
                position += 1
                fresh = False
            elif char == ":" and (position + 1 == end or text[position + 1] in " \t"):
                if not self._brackets:
                    line.colons.append(position)
                position += 1
                fresh = True
            else:
                position += 1
                fresh = False
            line.last = position

    def _column_of_parent(self, line: Line) -> int:
        """The column of the parent of a block scalar; the text of the scalar is indented further."""
        if line.dashes and not line.colons:
            return self.text.rfind("-", line.lead, line.content) - line.start
        return line.column

    def _quote(self, line: Line, start: int) -> int:
        """The end of a quoted text on its line; -1 when it is not on the line."""
        text = self.text
        pattern = _DOUBLE if text[start] == '"' else _SINGLE
        found = pattern.match(text, start, line.end)
        if found is not None:
            line.quoted.append((start, found.end()))
            rest = text[found.end() : line.end]
            if line.after_quote < 0 and self._goes_on(rest):
                line.after_quote = found.end()
            return found.end()
        line.last = line.end
        found = pattern.match(text, start, min(len(text), start + _MAX_QUOTED))
        if found is None or self._looks_open(line, found.end()):
            line.open_quote = start
        else:
            self._quote_end = found.end()
        return -1

    def _goes_on(self, rest: str) -> bool:
        """Whether something follows a closing quote that may not."""
        follows = rest.lstrip(" \t")
        if not follows or (follows[0] == "#" and rest != follows):
            return False
        return follows[0] not in (",]}:" if self._brackets else ":")

    def _looks_open(self, line: Line, end: int) -> bool:
        """Whether keys or items are inside what would be a quoted text over several lines."""
        text = self.text
        if text[end : end + 1] not in ("", " ", "\t", "\r", "\n", ",", "]", "}", ":"):
            return True
        at = text.find("\n", line.end) + 1
        while 0 < at < end:
            stop = text.find("\n", at)
            stop = len(text) if stop < 0 else stop
            lead = at
            while lead < stop and text[lead] == " ":
                lead += 1
            if lead - at <= line.column and _STRUCTURE.match(text, lead, stop) is not None:
                return True
            if line.dashes and lead - at == line.indent and text[lead : lead + 2] == "- ":
                return True
            at = stop + 1
        return False


def _split(text: str) -> list[str]:
    """Lines with their breaks; only LF, CRLF and CR break a line."""
    return re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+", text)
